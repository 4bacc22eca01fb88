"""What happened, in JAX's terms.  The interpreter emits these; checks turn them into findings.

``scope``/``node`` say where, ``context`` under which trace, ``definition`` in which function, ``in_test`` whether that
is a test.  An exception that the program expects (inside ``pytest.raises`` or a ``try`` that catches it) is no event.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from jaxlint.flow.domain.contexts import AnySeed, Context, Provenance
from jaxlint.flow.domain.state import Use
from jaxlint.flow.domain.taken import Taken
from jaxlint.flow.domain.values import Array, Cut, Function, KeyId, Value
from jaxlint.flow.source.modules import ModuleText, reads_no_parameter
from jaxlint.flow.source.runs_again import runs_below
from jaxlint.flow.source.trees import FunctionNode
from jaxlint.vocabulary.findings import Certainty

if TYPE_CHECKING:
    from jaxlint.settings.jax_version import JaxVersions


@dataclass(slots=True)
class Event:
    has_reasons: ClassVar[bool] = True  # it is told once for each way to it
    scope: ModuleText = field(init=False)
    definition: str = field(init=False)
    in_test: bool = field(init=False)
    context: Context = field(init=False)
    node: ast.AST

    @property
    def way(self) -> Hashable:
        """What tells it from the same event of another call, beside the reasons of the values in it."""
        return None

    def happens_in(self, context: Context) -> bool:
        """Makes it an event of another trace that does the same; False if it is none there."""
        self.context = context
        return True


@dataclass(slots=True)
class TruthTest(Event):
    """Python asked a value for its truth: ``how`` is if, while, assert, ternary, filter, match, not, and, or,
    compare (chained), in, any/all, max/min/sorted."""

    value: Value
    how: str
    certainty: Certainty = Certainty.CERTAIN


TO_INTEGERS = frozenset(("range", "operator.index", ".__index__()", "bin", "chr", "hex", "oct"))
"""Conversions that ask a value for its ``__index__``: a tracer raises TracerIntegerConversionError there."""


@dataclass(slots=True)
class ScalarConversion(Event):
    """float(x), int(x), x.item(), range(x) (``how`` = range), operator.index(x), …"""

    value: Value
    how: str
    certainty: Certainty = Certainty.CERTAIN


@dataclass(slots=True)
class HostLibraryCall(Event):
    """A NumPy, math or other host function got a tracer; ``silent`` when it answers wrongly instead of raising."""

    value: Value
    function: str
    silent: bool = False
    certainty: Certainty = Certainty.CERTAIN


@dataclass(slots=True)
class SequenceIndex(Event):
    """A Python sequence, dict or NumPy array was indexed with a tracer; ``what`` names the container."""

    value: Value
    what: str


@dataclass(slots=True)
class Formatted(Event):
    """A tracer met a format specification: ``how`` is spec, % or str.format."""

    value: Value
    how: str


@dataclass(slots=True)
class HashedArray(Event):
    """An array as a key (of a dict), a member (of a set) or an argument of a cached function or of hash."""

    value: Value
    how: str


@dataclass(slots=True)
class DeviceQuery(Event):
    value: Value
    attribute: str
    error: str


@dataclass(slots=True)
class RemovedMember(Event):
    """An array is asked for what arrays had once; ``versions`` are those of jax that the module may run with.
    ``declared``: only an annotation says that it is an array."""

    member: str
    versions: JaxVersions
    declared: bool = False


@dataclass(slots=True)
class MaskIndex(Event):
    value: Value
    how: str


@dataclass(slots=True)
class DataDependentShape(Event):
    value: Value
    function: str
    needs: str


@dataclass(slots=True)
class TracedStaticArgument(Event):
    value: Value
    function: str
    argument: str
    error: str


@dataclass(slots=True)
class SliceBound(Event):
    """``of_reference``: what is sliced is a reference of a kernel; None where it may be one, or an array."""

    value: Value
    of_reference: bool | None = False


@dataclass(slots=True)
class TypeCheck(Event):
    """isinstance(x, float) and friends on a value of which the answer is always False.

    ``meant``: tracers may well be let pass on purpose."""

    value: Value
    against: str
    meant: bool = False


@dataclass(slots=True)
class HostEffectUnderTrace(Event):
    """print, logging, time, random, environment …; ``traced`` is the tracer among its arguments, if any,
    ``direct``: in the traced function itself, not in a helper; ``starts``: what it gives is where a variable
    begins that functions inside set anew; ``of_statics``: it tells what is static, which may be meant for the trace."""

    function: str
    category: str
    traced: Value | None
    direct: bool = False
    starts: bool = False
    of_statics: bool = False


@dataclass(slots=True)
class OuterWrite(Event):
    """A write that outlives the trace.  ``target`` is global, nonlocal, class, attribute, item, method or environ;
    ``what`` the thing written to, ``stored`` the value, ``how`` what a method does: push, pop, clear, …"""

    target: str
    what: str
    stored: Value | None
    how: str = ""
    certainty: Certainty = Certainty.CERTAIN


@dataclass(slots=True)
class ChangedFromOutside(Event):
    """A variable of flax nnx, or what keeps some, is changed under a trace that it is no argument of."""

    what: str


@dataclass(frozen=True, slots=True)
class Change:
    """What is done to a container: ``how`` is set or removed (an item or attribute, as ``of`` says, of this ``name`` in
    Python, if that is known), called (a method of this name) or changed (by such a statement)."""

    how: str
    of: str = ""
    name: str = ""


@dataclass(slots=True)
class ArgumentMutated(Event):
    """``missed``: the caller is seen to look afterwards at what it expects to be changed; ``in_vain``: the function
    gives nothing back, and does nothing else.  ``carried_by``: the transform that would carry the change out."""

    what: str
    change: Change
    stored: Value | None
    missed: bool = False
    in_vain: bool = False
    carried_by: str = ""


@dataclass(slots=True)
class StaleRead(Event):
    """``by_others``: only a function that its module never calls changes the variable, as a setting is made.  ``last``
    is the last of the writes, if they all are in the body of the module itself.  ``unsure``: what is written may be
    what was there before."""

    name: str
    write: Provenance
    by_others: bool = False
    last: ast.AST | None = None
    unsure: bool = False

    @property
    def comes_first(self) -> bool:
        """Whether something is written after the trace began that reads it: one of a function that the module compiles
        only below its last write has found what that has left."""
        started = self.context.outermost_stage()
        if self.last is None or started is None or started.scope is not self.write.scope:
            return True
        return not runs_below(started.scope, started.node, self.last)


@dataclass(slots=True)
class OuterIterator(Event):
    """``how`` is used up, advanced or handed (to the function ``to``).  ``is_known``: it is seen to be an iterator."""

    what: str
    how: str
    to: str = ""
    is_known: bool = True


@dataclass(slots=True)
class NumpyBufferWrite(Event):
    value: Value
    how: str


@dataclass(slots=True)
class DebugPrintMisuse(Event):
    """The text of a jax.debug.print: ``how`` is formatted (with a tracer, before the call), invalid, surplus (values
    without a place), missing (values for places), unnamed (a place whose name has no value) or unused (a value whose
    name has no place); ``what`` is the error or the name."""

    how: str
    what: str = ""


@dataclass(slots=True)
class DeadHandler(Event):
    """A handler for an ``error`` that the operations on arrays before it never raise."""

    error: str


@dataclass(slots=True)
class RaisingBranch(Event):
    """A branch of ``operation`` does nothing but raise; ``branch_of`` tells where it is made one."""

    operation: str
    branch_of: Provenance | None


@dataclass(slots=True)
class CachedTracer(Event):
    """``node`` is the cached function's definition, in the module ``defined_in``."""

    function: str
    defined_in: ModuleText


@dataclass(slots=True)
class ModuleInRawTransform(Event):
    """``module`` is made inside a transform that is not its library's own."""

    module: str
    library: str
    certainty: Certainty = Certainty.CERTAIN


@dataclass(slots=True)
class RawAttribute(OuterWrite):
    """An attribute of a module of flax nnx is set to an array in a transform that carries out its data alone."""


@dataclass(slots=True)
class ClosedOverTracer(Event):
    """The variable ``name``, or (without one) an argument that is declared not to be differentiated."""

    name: str
    transform: str
    value: Value


@dataclass(slots=True)
class ArrayDefault(Event):
    """``versions``: which of JAX the program runs with."""

    field: str
    cls: str
    versions: JaxVersions


@dataclass(slots=True)
class ItemAssignment(Event):
    """x[i] = v (``how`` is the operator) or del x[i] on a jax array, ``index`` being i."""

    value: Value
    how: str
    certainty: Certainty = Certainty.CERTAIN
    index: Value | None = None


@dataclass(slots=True)
class ContainerItemSet(Event):
    """The same on what a call has handed to the running function, and is a list or a dict."""


@dataclass(slots=True)
class UpdateDiscarded(Event):
    """The result of a pure call (``how``) is dropped; ``used_after``: what it was called on is looked at again.
    ``is_supposed``: nothing is known of the object whose method it is."""

    how: str
    used_after: bool = True
    is_supposed: bool = False


@dataclass(slots=True)
class UpdatesUnused(Event):
    """Nothing reads the variable ``name`` with what an optimiser's `update` gives; ``instead`` is what it was given,
    and is used in that place: the gradients (``is_applied``), or the optimiser's state."""

    name: str
    instead: str
    is_applied: bool


@dataclass(slots=True)
class StateApplied(Event):
    """``function`` is to add the state of an optimiser to the parameters, the second of what its `update` gives."""

    function: str


@dataclass(slots=True)
class NoParameters(Event):
    """The `init` of an optimiser, ``made_by`` some function, is given ``what`` is no array, nor a tree of arrays."""

    made_by: str
    what: str


@dataclass(slots=True)
class NoState(Event):
    """The `update` of an optimiser, ``made_by`` some function, is given ``what``, an array, for its state."""

    made_by: str
    what: str


@dataclass(slots=True)
class UpdateNeeds(Event):
    """The `update` of an optimiser, ``made_by`` some function, is called without what it needs (``missing``)."""

    made_by: str
    missing: tuple[str, ...]


@dataclass(slots=True)
class GradientsInside(Event):
    """What ``transform`` gives because of an ``option`` (has_aux, argnums, or nothing for the pair of value and
    gradients) is taken for gradients, which it has inside, by what ``is_known`` to be an optimiser or not."""

    transform: str
    option: str
    is_known: bool


@dataclass(slots=True)
class InplaceMethod(Event):
    value: Value
    method: str
    outcome: str


@dataclass(slots=True)
class FrozenSet(Event):
    """An attribute, ``what`` in the text, of an object that refuses it is set or ``deleted``, or an item is set.
    ``kind`` is as in `frozen.Refusal`, or "frozen dict", ``cls`` the name of the class; ``made``: the constructor runs;
    ``seen``: the object is known, and not only declared, to be of the class."""

    what: str
    kind: str
    cls: str
    made: bool
    deleted: bool
    seen: bool


@dataclass(slots=True)
class OutArgument(Event):
    function: str
    outcome: str


@dataclass(slots=True)
class ArgumentRebound(Event):
    """A parameter is bound to a new array that nothing reads.  ``in_vain``: the function gives nothing else back;
    ``is_supposed``: it is traced, and may be an object that has such an operator of its own.  ``is_part``: it is no
    parameter, but was taken out of something."""

    name: str
    in_vain: bool
    is_supposed: bool = False
    is_part: bool = False


@dataclass(slots=True)
class ReadonlyWrite(Event):
    """``view`` is how the code makes the view, where that is known."""

    view: str


class Purpose(enum.Enum):
    """What two uses of one key are there for, if they are meant."""

    COMPARED = "compared"  # f(a, key) - f(b, key): common random numbers, finite differences, antithetic pairs
    COPIED = "copied"  # parameters are made twice alike, and one of both is kept for later: a target network
    DUMMY = "dummy"  # what one of them draws only gives a shape: of initial parameters, of a buffer, of zeros
    CHOSEN = "chosen"  # where(c, draw(key), other(key)): of the two results exactly one is taken
    FOLDED = "folded"  # flax folds a submodule's path into the key: two calls that differ mostly run different ones
    VALUE = "value"  # grad(f)(x, key) and f(x, key): the value is that of the gradient
    TIMED = "timed"  # the calls between two looks at the clock, or that are waited for, whose results nobody uses
    CHECKED = "checked"  # nothing is done with the numbers but to assert what holds for any
    SET_BACK = "set back"  # the same statement again, to be back where one was: an environment set back to its start
    SHOWN = "shown"  # both are printed, to be seen, or one is before the key is split
    DEAD = "dead"  # what one of the two makes is overwritten, multiplied by zero or dropped
    OTHER_CHILDREN = "other children"  # split(key)[0] and split(key)[1]: no child is taken twice
    PAIRED = "paired"  # one order, or one choice of rows, for several arrays that belong together
    OTHER_CELL = "other cell"  # each cell of a notebook shows something of its own
    TRIED = "tried"  # the cells of a notebook try out a function that cannot be looked into
    EVALUATED = "evaluated"  # each pass of a loop looks in the same way at what the loop trains
    MOVED_ON = "moved on"  # another function had the key, which is then split into its successor
    ARMS = "arms"  # the same is done for several settings: by one cell, or with something on and off


@dataclass(slots=True)
class KeyReuse(Event):
    """A key was consumed (``how``: draw, split, handed) although ``earlier`` consumed it on a path to here.

    ``written`` is the argument of the call that is this key, a single one, and no object or array that holds it;
    ``first`` is the call that led to the earlier use, in the function that sees both, if that is not the use itself,
    and ``first_written`` its argument that is the key.
    ``purpose`` is set where the code around both shows that it may well be meant.  ``unseen``: both uses are calls of
    something that nobody can look into, of which nothing tells that it draws, or one is, and no key that was made for
    it is there, unused.  ``each``: what the two uses belong to, if to two runs of one place: a "pass" of a
    loop, or a "leaf" of a tree.  ``again``: the event stands where a function returns the key that it has spent, and
    this is where it was used again.  ``kept``: the method that both uses are in, of an object that keeps the key, and
    where this one and the earlier one are in it.  ``made_alike``: each pass makes the key anew, of the same seed.
    """

    key: KeyId
    how: str
    callee: str
    earlier: Use
    each: str
    via: Use | None = None
    written: ast.expr | None = None
    purpose: Purpose | None = None
    unseen: bool = False
    first: Provenance | None = None
    first_written: ast.expr | None = None
    again: tuple[ModuleText, ast.AST] | None = None
    kept: tuple[Function, ast.AST, ast.AST] | None = None
    made_alike: bool = False

    @property
    def in_loop(self) -> bool:
        return bool(self.each)


@dataclass(slots=True)
class SplitAndFold(Event):
    key: KeyId
    earlier: Use
    written: ast.expr | None = None


@dataclass(slots=True)
class KeyAcrossLanes(Event):
    """All lanes of a map draw from one key; ``certainty`` is less where the ``callee`` may leave it alone.  The key is
    of the ``lane`` of an outer map, if of any."""

    key: KeyId
    callee: str
    certainty: Certainty | None = None
    lane: int = 0

    @property
    def map(self) -> Context:
        """The map whose lanes they are."""
        return self.context.map_beyond(self.lane)

    @property
    def are_equal(self) -> bool:
        """Whether all lanes come to the same: the function that is mapped reads nothing of what it is given."""
        root = self.map.root
        return isinstance(root, FunctionNode) and reads_no_parameter(root)


@dataclass(slots=True)
class ConstantKey(Event):
    """Numbers of a ``function`` come from a constant seed, at each call.  ``meant``: only their shapes matter, or each
    thing has a seed of its own.  ``read`` is the seed of a key that the trace reads where the event is.  ``assumed``:
    it is a default that a call leaves out which nobody is seen to make."""

    function: str
    meant: bool = False
    read: AnySeed | None = None
    assumed: bool = False

    def happens_in(self, context: Context) -> bool:
        if self.read is None:
            return context.is_repeated and Event.happens_in(self, context)
        read = context.where_left_out if context.loops else context.where_read
        place = read(self.read) if context.stands_for_runs else None
        if place is None:  # it came as an argument
            return False
        self.scope, self.node = place
        self.assumed = context.assumes_default(self.read)
        return Event.happens_in(self, context)


@dataclass(slots=True)
class DefaultKeyRenewed(Event):
    """A call of a traced function passes a key in place of a constant one, which is the default."""


@dataclass(slots=True)
class UnpackedKeys(Event):
    """So many ``keys`` of a split are unpacked into another number of ``names``."""

    keys: int
    names: int


@dataclass(slots=True)
class KeysAsOne(Event):
    """All keys of a split are given to a ``function`` that wants one."""

    function: str


@dataclass(slots=True)
class NotAKey(Event):
    """An argument of ``function`` in the wrong place: ``how`` is seed (which ``what`` is no number for), value (for a
    key), tuple (for a key), missing (the parameter ``what``), dtype (which ``what`` is none of), shape (for the
    parameter ``what``) or list (for an array); ``parameters`` are those of the function.  ``assumed``: of what it was
    given only the name of the attribute tells."""

    function: str
    how: str
    what: object = None
    parameters: tuple[str, ...] = ()
    assumed: bool = False


@dataclass(slots=True)
class KeylessDropout(Event):
    """A layer of dropout that is on is called without a key."""


@dataclass(slots=True)
class KeyArithmetic(Event):
    """Arithmetic on a key, or (``how`` is indexed) a word of it; the ``key`` is one that is typed, one whose words are
    ``random``, or else one made of a seed, whose words are those of the seed; to which each process adds its number
    is a raw one ``per process``."""

    how: str
    key: str = ""


@dataclass(slots=True)
class ImplicitRng(Event):
    """A stream of keys does not advance for the steps or lanes of a trace.  ``how``: an `nnx.Rngs` that is closed over,
    which raises, or one that is lost with the trace, which got a copy of it: then ``function`` is its parameter.  Or
    flax is told not to split the key of the collection ``function``, which is asked for at ``draw``, or that of
    parameters which each step or lane has."""

    function: str
    how: str = ""
    draw: tuple[ModuleText, ast.AST] | None = None


@dataclass(slots=True)
class CompiledInEveryPass(Event):
    """A loop makes ``what`` anew in every pass for ``transform`` to compile; ``loop`` is the outermost one.
    ``is_shown``: another function is the same but for what it transforms, so that this one shows how not to do it.
    ``taken``: the names that it takes from the pass, and could be given as arguments."""

    transform: str
    what: str
    loop: ast.AST
    is_shown: bool
    taken: tuple[str, ...] = ()


@dataclass(slots=True)
class TimedWithoutWait(Event):
    """The time between two looks at the clock, or that of a function, ends while ``what`` is going on, which begins at
    ``begun`` of ``begun_in``.  ``small``: that may be quick, or it is what is left of the last passes of a loop that
    waits, or that takes a state along."""

    what: str
    begun_in: ModuleText
    begun: ast.AST
    small: bool = False


@dataclass(slots=True)
class TimedMaking(Event):
    """Between two looks at the clock nothing happens but that compiled functions are made, such as ``what``."""

    what: str


@dataclass(slots=True)
class ListArgument(Event):
    """A ``function`` of jax, or an operator, is given a Python sequence (a ``kind``) for an array; ``written`` is the
    argument, if the call shows it."""

    function: str
    kind: str
    written: ast.expr | None = None


@dataclass(slots=True)
class IndexRefused(Event):
    """An array of jax is indexed by a list, or by a float: ``what``, in one word; ``bound``: that of a slice."""

    what: str
    bound: bool = False


@dataclass(slots=True)
class ShapeInParts(Event):
    """`zeros(2, 3)`: what is to be the second size is the dtype."""

    function: str


@dataclass(slots=True)
class FloatSize(Event):
    """The ``argument`` of a ``function`` of jax that says how large something is, is a float, or has one in it."""

    function: str
    argument: str


@dataclass(slots=True)
class ProbabilitiesAsLogits(Event):
    """A ``function`` that takes logits is given what ``made_by`` has made, at ``made`` of ``made_in``.
    ``of_unknown``: it is something divided by its sum, of which nothing else is known."""

    function: str
    made_by: str
    made: ast.AST
    made_in: ModuleText
    of_unknown: bool = False


@dataclass(slots=True)
class BadFoldData(Event):
    """What is folded into a key is no number of 32 bits: ``what``, in words; ``raised`` is the exception, if any."""

    what: str
    raised: str


@dataclass(slots=True)
class DtypeRefused(Event):
    """``operation`` does not take ``what``, in words, or not together."""

    operation: str
    what: str


@dataclass(slots=True)
class RanksRefused(Event):
    """``operation`` does not take arrays of these numbers of axes (``ranks``) together."""

    operation: str
    ranks: tuple[int, int]


@dataclass(slots=True)
class TakenApart(Event):
    """An array of so many ``rows``, None for a scalar, is unpacked into ``count``."""

    value: Array
    rows: int | None
    count: int


@dataclass(slots=True)
class AxesRefused(Event):
    """``operation`` is given so many ``axes``, or one of them twice, for an array that has ``ndim``."""

    operation: str
    axes: int
    ndim: int


@dataclass(slots=True)
class LoopUnrolled(Event):
    """A Python loop that computes with arrays is traced pass by pass: ``over`` is range, rows (of an array) or
    jnp.arange; ``passes`` says how many it has, where that is known."""

    over: str
    passes: int | None


@dataclass(slots=True)
class SetAgain(Event):
    """One update gives a ``place`` of an array more than one value."""

    place: int


@dataclass(slots=True)
class SetOften(Event):
    """One update sets so many ``entries``, and there are fewer ``places``; ``adds``: each is what stood there, and
    something added."""

    entries: int
    places: int
    adds: bool


@dataclass(slots=True)
class UnsetRead(Event):
    """What ``function`` has made without values is what a sum begins with; ``versions`` of jax say what is in it."""

    function: str
    versions: JaxVersions


@dataclass(slots=True)
class HalfPromoted(Event):
    """An array of half precision, of this ``dtype``, meets ``what``, and the result has 32 bits."""

    dtype: str
    what: str


@dataclass(slots=True)
class NotOneElement(Event):
    """An array of this ``shape``, in words, is asked for what only one element has: ``how``, the truth or a number."""

    shape: str
    how: str


@dataclass(slots=True)
class NotSerializable(Event):
    """``function`` is given an array of jax, which it cannot write."""

    function: str


@dataclass(slots=True)
class AttributeCalled(Event):
    """An attribute of an array that is no method is called by its ``name``."""

    name: str


@dataclass(slots=True)
class UncallableModule(Event):
    """An object of the class ``name`` is called, which has a `forward` and no `__call__`."""

    name: str


@dataclass(slots=True)
class UnboundModule(Event):
    """A module of the class ``name`` is "called" (flax linen) or "made" (haiku), and nothing around gives it
    parameters.  It is told where a module's body leads to it, by calls that are all seen.  ``needs`` is an attribute
    that its `setup` would set, where that is what it lacks."""

    name: str
    how: str
    needs: str = ""


@dataclass(slots=True)
class ApplyLacks(Event):
    """`apply` runs a method in which a layer, ``by``, changes a ``collection`` that is not mutable, or if that is empty
    asks for a key, and is given none."""

    collection: str
    by: str


@dataclass(slots=True)
class StateNotKept(Event):
    """`hk.transform` is given a function in which ``by`` keeps state, which it leaves no place for."""

    by: str


@dataclass(slots=True)
class ArgumentNeeded(Event):
    """A library's ``function`` is called without the argument ``name``, or is ``given`` what is none of ``of``.
    ``since``: the version of the library before which it did without."""

    function: str
    name: str
    given: str = ""
    of: str = ""
    since: str = ""


@dataclass(slots=True)
class NameTaken(Event):
    """A compact method gives a ``name`` to a module, or a parameter, that another one has, made at ``earlier``."""

    name: str
    earlier: ast.AST


@dataclass(slots=True)
class PartOutsideCompact(Event):
    """A ``method`` of a flax module, which is not compact, makes another module.  ``is_named``: its module says that it
    is called."""

    part: str
    method: str = "__call__"
    is_named: bool = True


@dataclass(slots=True)
class PlainContainer(Event):
    """An attribute of a module of flax nnx is bound to a list, dict or tuple (``kind``) of arrays or modules."""

    attribute: str
    kind: str


@dataclass(slots=True)
class NumberBeyond(Event):
    """A ``number`` of Python that does not fit meets an array of this ``dtype``, 32 bits where that is empty.
    ``wraps``: another number takes its place, without an exception."""

    number: int
    dtype: str
    wraps: bool


@dataclass(slots=True)
class SeedCutOff(Event):
    """A key is made by ``function`` from a ``seed`` that has more than 32 bits; ``is_met_again``: its module makes the
    same key from another seed.  Where the seed is not known, ``dropped`` is what counts in its upper bits alone."""

    function: str
    seed: int = 0
    is_met_again: bool = False
    dropped: str = ""


@dataclass(slots=True)
class WaitedInLoop(Event):
    """Each pass of a ``loop`` waits for what ``work`` computes, since ``how`` needs the value.  Without a loop it is a
    call of the function that does."""

    how: str
    work: str
    loop: ast.AST | None = None


@dataclass(slots=True)
class CutOff(Event):
    """Numbers of the kind ``stored``, floats or complex ones, are stored into an array of this narrower ``dtype``."""

    dtype: str
    stored: str


@dataclass(slots=True)
class UnsignedDifference(Event):
    """A distance is made, by ``how``, of a difference of arrays of this unsigned ``dtype``, never below zero."""

    dtype: str
    how: str


@dataclass(slots=True)
class ResultBeyond(Event):
    """Arithmetic on arrays of this ``dtype`` gives a ``number`` that does not fit; ``is_factor``: it is what they are
    multiplied by in several steps."""

    number: int
    dtype: str
    is_factor: bool


@dataclass(slots=True)
class LimitedTooLate(Event):
    """A sum, difference or product of this ``dtype`` is limited, by ``how``, to all that the dtype can hold."""

    dtype: str
    how: str


@dataclass(slots=True)
class ForeignKeyword(Event):
    """A ``function`` of jax is given a ``keyword`` that none of its functions has."""

    function: str
    keyword: str


@dataclass(slots=True)
class ViewedBySize(Event):
    """An array's `view` is given sizes, as torch's takes them, where the one of JAX takes a dtype: ``error``."""

    error: str


@dataclass(slots=True)
class ForeignName(Event):
    """``owner`` is asked for a ``name`` that it never had: jax.numpy for one of NumPy, an array for one of torch."""

    owner: str
    name: str


@dataclass(slots=True)
class OptionMisnamed(Event):
    """`jax.config` is told a ``name`` that is none of its options; ``meant`` is one.  ``assigned``: by an assignment to
    an attribute, which does nothing (or is refused, where the name is that of the option)."""

    name: str
    meant: str
    assigned: bool


@dataclass(slots=True)
class TransformMisused(Event):
    """``transform`` is given ``what`` in the place of a function or (``place``) of something else it has none for."""

    transform: str
    what: str
    place: str


@dataclass(slots=True)
class NoOutput(Event):
    """A function under ``transform`` returns ``what``, in words: no array, nor a tree of them."""

    transform: str
    what: str


@dataclass(slots=True)
class UnstableLogarithm(Event):
    """The logarithm of ``what``, made at ``made``, for which ``better`` is one step."""

    what: str
    better: str
    made: ast.AST


@dataclass(slots=True)
class LateGuard(Event):
    """A ``guard`` (where, maximum, …) drops what an ``operation`` gives where its argument is zero, and the operation
    has no finite slope there: the gradient is NaN."""

    operation: str
    guard: str


@dataclass(slots=True)
class SingularSlope(Event):
    """An ``operation`` whose slope is not finite at zero is differentiated there: a ``reason`` is the guard behind it,
    or "pairs", of which each thing makes one with itself, "bound" where the negative is made zero inside, "add" where a
    small number is added behind it, and "rows" where besides a bound or a mask has made zeros before it; "ends": it is
    not finite at 1 and -1, between which the argument is brought; "zero": it is at zero that the function is
    differentiated."""

    operation: str
    reason: str


@dataclass(slots=True)
class NarrowedDtype(Event):
    """A ``function`` of jax is asked for a ``dtype`` of 64 bits.  ``declared``: it is a method of something that is an
    array of jax, or meets one, if an annotation or an operator is right."""

    dtype: str
    function: str
    declared: bool = False


@dataclass(slots=True)
class CompiledAtEachCall(Event):
    """A function makes ``what`` anew at each of its calls for ``transform`` to compile, and calls the result: ``maker``
    is that function.  ``loop``, of the module ``loop_scope``, calls it in every pass, if one is known that does.
    ``seldom``: a function between the two has loops of its own, or makes an object: it is called for more than that.
    ``unseen``: nobody is seen to call what runs.  ``entered``: nor what calls it, so that all of it may be compiled."""

    transform: str
    what: str
    maker: str
    loop: ast.AST | None = None
    loop_scope: ModuleText | None = None
    seldom: bool = False
    unseen: bool = False
    entered: bool = False

    @property
    def way(self) -> Hashable:
        return self.loop, self.seldom, self.entered

    def happens_in(self, context: Context) -> bool:
        return not context.staging and Event.happens_in(self, context)


@dataclass(slots=True)
class StaticAnew(CompiledAtEachCall):
    """A call passes ``what`` as the ``parameter`` that is static for ``transform``: another one than the last call did.
    ``is_number``: a number, which could be traced.  ``as_no_array``: it is static because it is no array.  ``of_item``:
    each item of a loop has one of its own, which may be that of another.  ``in_structure``: ``what`` is a field of the
    structure of the argument that is ``parameter`` as it is written."""

    parameter: str = ""
    is_number: bool = False
    as_no_array: bool = False
    of_item: bool = False
    in_structure: bool = False


@dataclass(slots=True)
class ShapeAnew(CompiledAtEachCall):
    """A call passes ``what`` to what ``transform`` has compiled: of another shape than the last call did."""


@dataclass(slots=True)
class ReadAfterDonation(Event):
    """An array, ``text`` as it is written, is read after the call ``donated_by`` of ``callee`` has taken its memory.
    ``again``: that call is reached once more.  ``at_once``: the call itself is given it as another argument, or twice
    in this one (``in_itself``).  ``kept_as``: it is kept under this name, and read after the call in the next pass.
    ``unsure``: it may well be an array of NumPy, which stays as it is."""

    text: str
    callee: str
    donated_by: ast.AST
    donated_in: ModuleText
    again: bool = False
    at_once: bool = False
    in_itself: bool = False
    kept_as: str = ""
    unsure: bool = False


@dataclass(slots=True)
class UnhashableStatic(Event):
    """A call passes a ``value`` that has no hash, ``what`` in words, as the ``parameter`` that is static for a
    ``transform``."""

    parameter: str
    transform: str
    what: str
    value: Value | None


@dataclass(slots=True)
class TracedReceiver(Event):
    """A ``transform`` traces the parameter of a ``method`` that gets the object, one of the class ``cls``, which is no
    pytree; or the class itself, if that is empty."""

    method: str
    parameter: str
    transform: str
    cls: str


@dataclass(slots=True)
class WrongParameter(Event):
    """An ``option`` of ``transform`` names a parameter that ``function`` does not have: ``how`` is no such number, no
    such name, only positional, no number or no name (what is given is neither), or static too (what is donated);
    ``parameters`` are those by position."""

    transform: str
    function: str
    option: str
    given: object
    how: str
    parameters: tuple[str, ...]


@dataclass(slots=True)
class NoArray(Event):
    """A call passes ``what``, in words, no array or tree of them, as the ``parameter`` that ``transform`` traces."""

    parameter: str
    transform: str
    what: str


@dataclass(slots=True)
class ClosedOption(Event):
    """No call can pass the ``option`` of a compiled function: it is ``what``, in words, no array, or if that is empty a
    flag that is asked for its truth at this place.  ``traced`` tells why it is traced."""

    option: str
    what: str
    traced: Provenance


@dataclass(slots=True)
class SetAfterImport(Event):
    """A ``variable`` of the environment is set that JAX has read when ``imported_by`` imported it.  ``for_others``: it
    may be meant for other processes, which the module may start."""

    variable: str
    imported_by: ast.AST
    for_others: bool


@dataclass(slots=True)
class SetAfterStart(Event):
    """A ``setting`` that is read when the backend starts, which ``what`` has done before, at ``started`` of ``within``.
    ``refused``: JAX raises."""

    setting: str
    what: str
    within: ModuleText
    started: ast.AST
    refused: bool


@dataclass(slots=True)
class WrittenWhileRead(Event):
    """An array of NumPy is written to that ``callee`` was given, at ``given`` of ``within``, and may still be reading.
    ``shared``: what it has made of it is in the same memory."""

    callee: str
    within: ModuleText
    given: ast.AST
    shared: bool


@dataclass(slots=True)
class ForkAfterStart(Event):
    """The process is copied by ``function`` after ``what`` has used JAX, at ``started`` of ``within``.  ``by_default``:
    where the platform copies processes to start new ones."""

    function: str
    by_default: bool
    what: str
    within: ModuleText
    started: ast.AST


@dataclass(slots=True)
class WidenedTooLate(Event):
    """`jax_enable_x64` is set where variables of these ``names`` hold arrays of the default width of before."""

    names: tuple[str, ...]


@dataclass(slots=True)
class IndexBeyond(Event):
    """A constant index is not below the ``size`` of its axis.  ``update``: in ``x.at[index]``; ``fills``: in
    ``jnp.take``, which gives NaN."""

    index: int
    size: int
    update: bool
    fills: bool = False


@dataclass(slots=True)
class SliceMoved(Event):
    """``function`` takes, or writes, ``count`` elements from ``start`` on, of an axis of ``size``, which has fewer."""

    function: str
    start: int
    count: int
    size: int


@dataclass(slots=True)
class GradientOfWhole(Event):
    """``transform`` differentiates for ``what``, which is of whole numbers or booleans, at ``place`` of an argument."""

    transform: str
    what: str
    place: str


@dataclass(slots=True)
class OfGradient(Event):
    """Something is wrong with the function that a ``transform`` differentiates.  ``assumed``: whatever it is given,
    where nobody is seen to call the gradient."""

    transform: str
    assumed: bool = field(init=False, default=False)


@dataclass(slots=True)
class GradientCalled(Event):
    """The gradient that is made here is called by the program, and what comes of that is told there."""

    has_reasons = False


@dataclass(slots=True)
class GradientOfMany(OfGradient):
    """What ``transform`` differentiates gives ``what``, which is not one float.  ``form``: it is a "pair", or one
    "complex" number."""

    what: str
    form: str = ""


@dataclass(slots=True)
class NoAux(OfGradient):
    """What ``transform`` differentiates with ``has_aux=True`` gives ``what``, which is no pair."""

    what: str


@dataclass(slots=True)
class RuleRefused(Event):
    """A rule for derivatives, or the call of a function with one, is not as ``transform`` wants it.

    ``what`` is "missing" (no rule was given), "arity" (``rule`` takes another number of arguments), "pair" or "count"
    (it gives another number of things), "shape", "tangent" (one of another dtype), "residuals", "argument" (one that
    can only be static), "forward" (the function is differentiated in forward mode); ``given`` and ``wanted`` say it in
    words.
    """

    transform: str
    what: str
    rule: str = ""
    given: str = ""
    wanted: str = ""


@dataclass(slots=True)
class ZeroGradient(OfGradient):
    """What ``transform`` differentiates has no slope anywhere, since an ``operation`` on the way has none."""

    operation: Cut


@dataclass(slots=True)
class ArgumentUnread(Event):
    """A ``function`` that ``transform`` differentiates for ``parameters`` reads none of them."""

    transform: str
    function: Function
    parameters: tuple[str, ...]


@dataclass(slots=True)
class NoWayBack(OfGradient):
    """What ``transform`` differentiates comes from a loop (``operation``) that reverse mode cannot go back through."""

    operation: Cut


@dataclass(slots=True)
class CallbackDifferentiated(Event):
    """A ``callback``, or an update by a function, is given what is differentiated."""

    callback: str


@dataclass(slots=True)
class CallbackMapped(Event):
    """A ``callback`` under `jax.vmap` is given what is mapped, and not told how it takes a batch."""

    callback: str


@dataclass(slots=True)
class UnpackedOtherwise(Event):
    """What ``transform`` gives has so many ``parts`` (1 for a number) and is unpacked into ``count``."""

    transform: str
    parts: int
    count: int


@dataclass(slots=True)
class PairForLoss(Event):
    """A loss and what comes with it, as `jax.value_and_grad` gives them with ``has_aux``, are taken for a number, or
    for an array that has an attribute of that ``name``."""

    name: str = ""


@dataclass(slots=True)
class LossForGradient(Event):
    """The loss that `jax.value_and_grad` gives stands beside the parameters where their gradient has to."""


@dataclass(slots=True)
class TupleOfGradients(Event):
    """A tuple of so many ``parts``, the gradients that a pullback of `jax.vjp` gives, or ``transform`` for ``argnums``
    in a tuple, is unpacked into ``count``, if not 0, or taken for an array, that has an attribute of that ``name``."""

    transform: str
    parts: int
    count: int = 0
    name: str = ""


@dataclass(slots=True)
class ArgumentNotPassed(Event):
    """A call of what ``transform`` has made passes ``count`` arguments by position, none of them the one of that
    ``number``, which is differentiated for; ``keyword`` is its name if it is passed by that."""

    transform: str
    number: int
    count: int
    keyword: str


@dataclass(slots=True)
class TangentRefused(Event):
    """``what`` of `jax.jvp`, or of what `jax.vjp` returns, is of another form than it must be: "no sequence", of
    another "count", "structure", "shape" or "dtype"; as ``given`` and as ``wanted``, in words."""

    what: str
    how: str
    given: str
    wanted: str


@dataclass(slots=True)
class NoPair(Event):
    """The body of ``operation`` gives ``what`` instead of a carry and an output."""

    operation: str
    what: str


@dataclass(slots=True)
class CarryChanged(Event):
    """The body of ``operation`` gives a carry of another structure, dtype or shape (``what``) at ``place``, or one that
    is what it was with more added ("grown")."""

    operation: str
    what: str
    place: str
    before: str
    after: str


@dataclass(slots=True)
class BranchesDiffer(Event):
    """Branch ``number`` of ``operation`` gives another structure, dtype or shape (``what``) than the first one."""

    operation: str
    number: int
    what: str
    place: str
    first: str
    other: str


@dataclass(slots=True)
class NoFunction(Event):
    """``operation`` is given ``what`` for the function that it takes as ``role``; nothing, if that is empty."""

    operation: str
    role: str
    what: str


@dataclass(slots=True)
class CarryUnread(Event):
    """The body of a loop that counts gives something of its ``index`` and never reads what is ``carried``: both are
    names of its parameters."""

    operation: str
    index: str
    carried: str


@dataclass(slots=True)
class ParametersDiffer(Event):
    """``operation`` passes ``given`` arguments by position to a ``function`` that takes at least ``least`` and at most
    ``most`` of them (None: any number).  ``clash`` is a parameter among them that is filled in by name already,
    ``lacks`` one that can only be passed by name."""

    operation: str
    role: str
    function: str
    given: int
    least: int
    most: int | None
    clash: str = ""
    lacks: str = ""


@dataclass(slots=True)
class NothingToScan(Event):
    """``operation`` is given no array to go through, and no length."""

    operation: str


@dataclass(slots=True)
class NoAxisToScan(Event):
    """What ``operation`` goes through holds ``what`` at ``place``, which has no axis."""

    operation: str
    what: str
    place: str


@dataclass(slots=True)
class LengthsDiffer(Event):
    """``operation`` goes through two things, by name and size, of different lengths; one may be the ``length``."""

    operation: str
    first: tuple[str, int]
    other: tuple[str, int]


@dataclass(slots=True)
class ChoiceRefused(Event):
    """``operation`` is to choose by ``what``, which is its ``role`` (pred, index) or what its cond_fun gives."""

    operation: str
    role: str
    what: str


@dataclass(slots=True)
class BoundsDiffer(Event):
    """A loop is to count between bounds of two types, or between such as are no scalars (``upper`` is empty then)."""

    operation: str
    lower: str
    upper: str


@dataclass(slots=True)
class NoBranches(Event):
    """``operation`` is to choose among no branches."""

    operation: str


@dataclass(slots=True)
class BranchBeyond(Event):
    """``operation`` is to choose the branch of this ``index`` among ``count``."""

    operation: str
    index: int
    count: int


@dataclass(slots=True)
class BranchesAlike(Event):
    """The branches of ``operation`` are made in a loop and read its ``variable`` only when they run: all of them see
    the last one."""

    operation: str
    variable: str


@dataclass(slots=True)
class LanesDiffer(Event):
    """Two arguments, by name and size, are mapped over axes of different sizes."""

    transform: str
    first: tuple[str, int]
    other: tuple[str, int]


@dataclass(slots=True)
class NoAxisToMap(Event):
    """The argument ``name`` has no ``axis`` to map over: it is ``what``, which ``is_key``, and may be a raw one unless
    it ``is_typed``."""

    transform: str
    name: str
    what: str
    axis: int
    is_key: bool = False
    is_typed: bool = True


@dataclass(slots=True)
class NothingMapped(Event):
    """A call of what ``transform`` makes has no argument that is mapped, and no size is given."""

    transform: str


@dataclass(slots=True)
class OutputMapped(Event):
    """What comes back at ``place`` is one for each lane, and ``out_axes`` says that it is one for all."""

    transform: str
    place: str


@dataclass(slots=True)
class UnboundAxis(Event):
    """``function`` works along an ``axis`` of this name, and none of the transforms around names one so: ``bound`` are
    the names that they give, and ``run_by`` is the outermost that is seen.  It is told where a module's body leads to
    it, by calls that are all seen (``sure``), and where no other text of the program has that name, but the one that
    may hand it on if the call itself does not have it written out (``is_written``)."""

    function: str
    axis: str
    bound: tuple[str, ...]
    is_written: bool
    sure: bool = True
    run_by: str = ""


@dataclass(slots=True)
class AxesForOthers(Event):
    """``in_axes`` has ``axes`` entries, and the call passes ``arguments`` by position."""

    transform: str
    axes: int
    arguments: int


@dataclass(slots=True)
class AxesForOtherTree(Event):
    """The ``option`` has ``axes``, in words, where the argument, or what comes out, has ``what`` at ``place``."""

    transform: str
    place: str
    axes: str
    what: str
    option: str = "in_axes"


@dataclass(slots=True)
class MapMisused(Event):
    """``operation`` is given too "many" arguments, something of the kind ``what`` in the place of a function ("order"),
    a function that has ``taken`` parameters and not ``count`` ("parameters"), a "function" for the tree, or one that
    gives and does "nothing": ``how`` says which."""

    operation: str
    how: str
    what: str
    count: int = 0
    taken: Taken | None = None


@dataclass(slots=True)
class BatchTested(Event):
    """The function of ``operation``, which is given batches of elements, asks one for its truth, by ``how``."""

    operation: str
    how: str


@dataclass(slots=True)
class TreeMapMisused(MapMisused):
    """The same of a map over the leaves of trees."""


@dataclass(slots=True)
class TreesDiffer(Event):
    """Trees that ``operation`` goes through together are not alike: at ``place`` one is ``first``, one ``other``."""

    operation: str
    place: str
    first: str
    other: str


@dataclass(slots=True)
class TakenForLeaf(Event):
    """``operation`` is given something of the kind ``what``, which is one leaf.  ``is_supposed``: by the method that
    something unknown is asked for it by."""

    operation: str
    what: str
    is_supposed: bool = False


@dataclass(slots=True)
class PytreeDefect(Event):
    """A class ``cls`` is not registered as a pytree in the way that JAX takes its objects apart and puts them together:
    ``how`` says what is wrong, ``what`` is the function, the field or the value that is."""

    cls: str
    how: str
    what: str


@dataclass(slots=True)
class LeafConverted(Event):
    """The constructor of a pytree class, which puts its objects together, does ``what`` with a leaf: it ``fails`` for
    tracers, or for what is no array."""

    cls: str
    what: str
    fails: bool


@dataclass(slots=True)
class ArrayInStructure(Event):
    """An object of a pytree class that is passed to what ``transform`` has made has an array in its structure, in the
    attribute ``name``."""

    transform: str
    cls: str
    name: str


@dataclass(slots=True)
class CallbackMisused(Event):
    """``function`` calls back to the host in a way that fails, or not at all: ``how`` is "function" (it is given
    something of the kind ``what`` for one), "shapes" (it is told that for them), "unused" (nobody uses what it gives),
    "parameters" (the callback has ``taken`` parameters and is ``passed`` others: how many by position, and which by
    name), "count" or "shape" (it gives ``what`` and not ``told``)."""

    function: str
    how: str
    what: str = ""
    told: str = ""
    taken: Taken | None = None
    passed: tuple[int, tuple[str, ...]] = (0, ())


@dataclass(slots=True)
class KernelReturns(Event):
    """A kernel of Pallas gives ``what``."""

    what: str


@dataclass(slots=True)
class KernelOperand(Event):
    """A kernel computes with a "reference" itself, writes one ("stored"), or computes with an array from outside
    ("captured")."""

    how: str


@dataclass(slots=True)
class KernelRebinds(Event):
    """A kernel binds the ``name`` of an output's reference to something else, and never writes to the reference."""

    name: str


@dataclass(slots=True)
class SpecsMisfit(Event):
    """``option`` of a ``function`` such as `shard_map` does not fit: ``how`` is "axis" (``what`` is none of the mesh,
    which has ``other``), "arguments" or "outputs" (there are ``what`` specs, and ``other``), "parameters" (the function
    takes ``other``), "long" (it splits an axis ``what`` of ``other``), "own" (each device along the axis ``what`` has
    its own of what is said to be the same), or "named" (``what`` is passed by name)."""

    function: str
    how: str
    option: str
    what: str
    other: str = ""
