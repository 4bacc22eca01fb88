"""Abstract values: what the interpreter knows about a Python object without running the program.

``Opaque`` is the top: nothing is claimed about it.  Mutable objects (lists, dicts, instances, frames)
hold no contents here; their contents live in the flow-sensitive ``State`` under the object's identity.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Collection, Mapping
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from jaxlint.flow.domain.avals import UNKNOWN, Aval, Shape
from jaxlint.flow.domain.clocks import Look
from jaxlint.flow.domain.contexts import AnySeed, Context, Provenance
from jaxlint.flow.limits import MAX_PARTS
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import FunctionNode

if TYPE_CHECKING:
    from jaxlint.project.program import Module
    from jaxlint.semantics.model import Wrapper

CONCRETE, GRAD, ABSTRACT = 0, 1, 2
"""Levels of an array: a concrete array, a tracer that knows its value (plain grad), one that does not."""

NOTHING: frozenset[Any] = frozenset()
"""Python makes each empty frozenset anew, in 216 bytes: what most often is empty and is there thousands of times
shares this one."""


class Value:
    __slots__ = ()

    level = CONCRETE

    @property
    def is_static(self) -> bool:
        """A Python or NumPy value that tracing never touches."""
        return False

    @property
    def identity(self) -> Any:
        """What tells this value from others of which no more is known: as an index, as data folded into a key."""
        return self


_SERIALS = itertools.count()


class KeyId:
    """Identity of one PRNG key (or of one unknown value that may turn out to be a key).

    ``parent``/``selector`` say which part of which other identity this is (an element of a batch, an
    attribute of an object, a fold); ``alternatives`` are the identities joined into this one.
    ``known``: a jax.random function made or used it, so it certainly is a key.  ``seed``: the
    constant it comes from, if from one.  ``lane``: which of the maps around, the outermost being 1, has another one in
    each lane.
    ``serial`` counts identities up, so that older ones can be told from those a call makes: that of something unknown
    is as old as this, whenever somebody takes it for a key.
    ``handed_back``: it is another name for a key that a function has spent and returned.  ``many`` is the identity of
    the number of keys, of an array of them whose size is not known, and ``length_of`` what that is the length of, if
    of something.  ``row_of`` is the array, of whatever, that a lane
    of a map has a row of; ``stands_for`` is what this is in a summary that is made.
    """

    __slots__ = (
        "alternatives",
        "handed_back",
        "known",
        "lane",
        "length_of",
        "many",
        "parent",
        "parts",
        "row_of",
        "seed",
        "selector",
        "serial",
        "site",
        "stands_for",
        "text",
    )

    def __init__(
        self,
        text: str,
        site: tuple[ModuleScope, ast.AST] | None = None,
        parent: KeyId | None = None,
        selector: Any = None,
        alternatives: tuple[KeyId, ...] = (),
        known: bool = False,
        seed: AnySeed | None = None,
        serial: int | None = None,
    ) -> None:
        self.text = text
        self.site = site
        self.parent = parent
        self.selector = selector
        self.alternatives = alternatives
        self.known = known
        self.seed = seed
        self.lane = 0
        self.many: Any = None
        self.length_of: Any = None
        self.row_of: KeyId | None = None
        self.stands_for: KeyId | None = None
        self.serial = next(_SERIALS) if serial is None else serial
        self.parts: dict[Any, KeyId] = {}
        self.handed_back: HandedBack | None = None

    @property
    def origin(self) -> KeyId:
        """The key itself, where this is another name for it."""
        return self.handed_back.key if self.handed_back is not None else self

    @property
    def root(self) -> KeyId:
        """What this is a part of, or of a part, and itself a part of nothing."""
        ident = self
        while ident.parent is not None:
            ident = ident.parent
        return ident

    @property
    def actual(self) -> KeyId:
        """What this stands for in a summary, or a part of that."""
        if self.stands_for is not None:
            return self.stands_for
        whole = self.parent.actual if self.parent is not None else None
        return self if whole is None or whole is self.parent else whole.part(self.selector, self.text)

    @property
    def is_item(self) -> bool:
        """Whether the key is an element of an array of keys; an entry of a record, found by its name, is none."""
        if not isinstance(self.selector, tuple) or self.selector[0] not in ("item", "lane", "pass", "slice"):
            return False
        index = self.selector[1]
        return not isinstance(index[1] if isinstance(index, tuple) and index[0] == "const" else index, str)

    def returned(self, how: HandedBack) -> KeyId:
        """Another name for this key, which remembers who returned it."""
        name = KeyId(self.text, self.site, known=True, seed=self.seed)
        name.lane, name.handed_back = self.lane, how
        return name

    def part(self, selector: Any, text: str = "", site: Any = None, known: bool = False) -> KeyId:
        """The part that ``selector`` names; the same selector gives the same identity."""
        if self.handed_back is not None:
            return self.handed_back.key.part(selector, text, site, known)
        found = self.parts.get(selector)
        if found is None:
            found = self.parts[selector] = KeyId(text, site, self, selector, known=known, seed=self.seed)
        return found


@dataclass(frozen=True, slots=True)
class HandedBack:
    """A ``key`` that a function has spent, by the ``uses`` of these orders, and returns all the same: at ``node`` of
    ``scope``, in the ``function`` of this ``definition``."""

    key: KeyId
    scope: ModuleScope
    node: ast.AST
    function: ast.AST
    definition: str
    uses: frozenset[int]


_METADATA = frozenset(("attr", name) for name in ("shape", "ndim", "dtype", "size"))
"""Parts of an array that are static: nothing traced is in them."""


def part_holds(holds: str, selector: Any) -> str:
    """What is declared of a part, where ``holds`` is of the whole: see `Tree`."""
    if selector[0] == "part":
        return holds
    return holds.partition(" ")[2] if selector[0] in ("item", "at") else ""


def common_holds(one: str, other: str) -> str:
    """What is declared of either of two values: of "mapping" and "mapping mapping" that it is a "mapping "."""
    if one == other:
        return one
    common = []
    for word, other_word in zip(one.split(" "), other.split(" ")):
        if word != other_word or not word:
            break
        common.append(word)
    return " ".join([*common, ""]) if common else ""


Wide = tuple[ModuleText, ast.AST, str]
"""Where something of which no more is known was converted to a dtype of 64 bits, and to which."""


class Leaf(NamedTuple):
    """An unknown value is traced if it is an array, for this ``reason``; if ``or_number``, it may be a number as well,
    which is not traced, and what it has as an attribute is traced in the same way."""

    reason: Provenance
    or_number: bool = False


class Opaque(Value):
    """Anything.  Parts are remembered so that `state.rng` read twice is the same unknown object.

    ``derived``: unseen code computed it from a tracer (why that is one), so that it most likely holds tracers.
    ``leaf``: it is traced if it is an array, and else an object with a state, such as a module (see `Leaf`).
    ``holds``: it is declared to be a "mapping" or a "sequence" of arrays, as a `Tree` is.  ``of_host``: a check has
    found it to be of some type of the host, such as a list.  ``wide``: it is the result of such a conversion.
    ``serial`` tells older ones from those that a call makes.  ``free`` is why it is certainly not differentiated, None
    where it may be; ``slope``: the arrays in it are, whatever else there is.
    """

    __slots__ = (
        "_key",
        "derived",
        "free",
        "holds",
        "leaf",
        "of_host",
        "parent",
        "parts",
        "selector",
        "serial",
        "slope",
        "text",
        "wide",
    )

    def __init__(
        self,
        text: str = "",
        parent: Opaque | None = None,
        selector: Any = None,
        key: KeyId | None = None,
        derived: Provenance | None = None,
        holds: str = "",
        leaf: Leaf | None = None,
    ) -> None:
        self.text = text
        self.holds = holds
        self.leaf = leaf
        self.of_host = self.slope = False
        self.free: Cut | None = None
        self.wide: Wide | None = None
        self.derived: Provenance | None = derived
        if derived is None and parent is not None and selector not in _METADATA:
            self.derived = parent.derived
        self.parent = parent
        self.selector = selector
        self.serial = next(_SERIALS)
        self.parts: dict[Any, Value] = {}
        self._key = key

    @property
    def root(self) -> Opaque:
        """What this is a part of, or of a part, and itself a part of nothing."""
        owner = self
        while owner.parent is not None:
            owner = owner.parent
        return owner

    def part(self, selector: Any, text: str = "") -> Value:
        found = self.parts.get(selector)
        if found is None:
            is_part = selector[0] in ("item", "at", "part")
            leaf = self.leaf if is_part or (self.leaf is not None and self.leaf.or_number) else None
            holds = part_holds(self.holds, selector)
            made = Opaque(text, self, selector, holds=holds, leaf=leaf)
            made.free = self.free
            found = self.parts[selector] = made
        return found

    @property
    def key(self) -> KeyId:
        if self._key is None:
            if self.parent is None:
                self._key = KeyId(self.text, serial=self.serial)
            else:
                self._key = self.parent.key.part(self.selector, self.text)
        return self._key

    @property
    def identity(self) -> KeyId:
        return self.key

    @property
    def has_key(self) -> bool:
        return self._key is not None


class Const(Value):
    """A Python constant whose value is known."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    @property
    def is_static(self) -> bool:
        return True


NONE = Const(None)
TRUE = Const(True)
FALSE = Const(False)


NUMPY_FLOAT = "float of NumPy"
"""What a number is that NumPy has made: to JAX no weak one."""


class Static(Value):
    """A host value that is not known but certainly no tracer: a size, a dtype, a string, a flag.

    ``kind`` is int, float, bool, str, dtype, shape, NUMPY_FLOAT or ''.  ``of_shape``: it was read off an array's
    metadata.  ``tainted`` is the tracer whose repr a string holds.  ``concrete_if``: where it is that, something is
    known to be no tracer; ``made_if``: where it is that, modules are known to have their parameters.  ``least`` is the
    smallest number that it can be, if a loop that counts from there says so.  ``drawn`` is where it was taken from a
    counter that goes on after the trace.  ``look``: it is what a clock has shown.  ``read_off`` is what it was read off
    and where, if another reading gives the same.  ``counts`` tells of the number of a pass.  ``length_of``: it is the
    length of what has this identity, when that was asked.  ``sure``: it is certainly there, and not None, as something
    that was counted, computed or written down; an annotation says less.  ``tells``: what holds where it is true, and
    where it is not.
    """

    __slots__ = (
        "concrete_if",
        "counts",
        "drawn",
        "kind",
        "least",
        "length_of",
        "look",
        "made_if",
        "of_shape",
        "read_off",
        "sure",
        "tainted",
        "tells",
    )

    def __init__(
        self,
        kind: str = "",
        of_shape: bool = False,
        tainted: Value | None = None,
        concrete_if: bool | None = None,
        made_if: bool | None = None,
        least: int | None = None,
        drawn: tuple[ModuleScope, ast.AST] | None = None,
        look: Look | None = None,
        read_off: tuple[Any, object] | None = None,
        counts: Counts | None = None,
        length_of: Any = None,
        sure: bool = False,
        tells: Mapping[bool, frozenset[Any]] | None = None,
    ) -> None:
        self.kind = kind
        self.length_of = length_of
        self.tells = tells
        self.sure = sure
        self.read_off = read_off
        self.counts = counts
        self.least = least
        self.look = look
        self.drawn = drawn
        self.of_shape = of_shape
        self.tainted = tainted
        self.concrete_if = concrete_if
        self.made_if = made_if

    @property
    def is_static(self) -> bool:
        return True

    @property
    def identity(self) -> Any:
        return self.read_off or self

    def uncounted(self, read_off: tuple[Any, object] | None = None) -> Static:
        """Another of which as much is known, but that it counts passes."""
        other = copy(self)
        other.counts, other.read_off = None, read_off or self.read_off
        return other


@dataclass(frozen=True, slots=True)
class Counts:
    """That a number is the count of passes so far, in the pass ``number`` of a loop that has ``many`` (an identity) and
    begins one where these ``guards`` hold."""

    many: Any
    number: object = None
    guards: frozenset[Any] = NOTHING


class HostArray(Value):
    """A NumPy array; ``readonly`` if it is a view of a jax array's buffer (np.asarray(x)).  ``kind`` is that of its
    dtype as in an `Array`, or object.  ``no_scalar``: it is no number of NumPy, as a sum is.  ``narrow``: JAX takes
    its dtype as it is.  ``shape`` is None where not even the rank is known."""

    __slots__ = ("birth", "kind", "narrow", "no_scalar", "readonly", "shape", "text")

    def __init__(
        self,
        readonly: bool = False,
        kind: str = "",
        birth: Context | None = None,
        text: str = "",
        no_scalar: bool = False,
        narrow: bool = False,
        shape: Shape | None = None,
    ) -> None:
        self.shape = shape
        self.no_scalar = no_scalar
        self.narrow = narrow
        self.readonly = readonly
        self.kind = kind
        self.birth = birth
        self.text = text

    @property
    def is_static(self) -> bool:
        return self.kind != "object"

    def of_shape(self, shape: Shape | None) -> HostArray:
        """The same of another shape; itself where no shape is known."""
        if shape is None and self.shape is None:
            return self
        return HostArray(self.readonly, self.kind, self.birth, self.text, self.no_scalar, self.narrow, shape)


class Origin:
    """The operation ``name`` at ``node`` of ``scope`` that made an array of its ``parts``, as far back as ``depth``."""

    __slots__ = ("depth", "name", "node", "parts", "scope")

    def __init__(self, name: str, parts: tuple[Value, ...], node: ast.AST, scope: ModuleScope, depth: int) -> None:
        self.name = name
        self.parts = parts
        self.node = node
        self.scope = scope
        self.depth = depth


class Cut(NamedTuple):
    """Where the slope of something ends, or where it cannot be gone back through: the operation ``name`` at ``node`` of
    ``scope``; without a node, what never had a slope."""

    name: str
    node: ast.AST | None
    scope: ModuleText | None


FREE, STOPPED = Cut("", None, None), Cut("an operation", None, None)
"""What does not depend on what is differentiated, and the result of an operation without a slope that is not named
yet."""


class Array(Value):
    """A jax array.  ``aval`` is what is known of its dtype and shape; ``kind`` (bool/int/float/'') and ``ndim`` may be
    known without it.  ``of_statics``: made by jnp from static values only, ``provenance`` when it is a tracer.
    ``sized``: True when the array is known to be no scalar (a boolean one indexes as a mask).  ``declared``: an
    annotation says that it is an array, or it is an item of something that is indexed like one, and nothing more is
    known.  ``slope``: it depends on what is differentiated; what has to do with that keeps its ``origin``.  ``flat``:
    why it has certainly no slope, None where it may have one; ``barriers``: what reverse mode cannot go back through
    and has to, for its slope.  ``beyond``: it holds each of these arrays and something beside that, so that it is of
    another shape than they are.  ``unset``: the function that made it without values, and the frame that called it.
    ``zero``: all that is in it is zero, since it was made so."""

    __slots__ = (
        "_key", "aval", "barriers", "beyond", "declared", "flat", "kind", "level", "ndim", "of_statics", "origin",
        "provenance", "serial", "sized", "slope", "unset", "zero",
    )  # fmt: skip

    def __init__(
        self,
        level: int = CONCRETE,
        provenance: Provenance | None = None,
        kind: str = "",
        ndim: int | None = None,
        of_statics: bool = False,
        sized: bool = False,
        key: KeyId | None = None,
        declared: bool = False,
        aval: Aval = UNKNOWN,
    ) -> None:
        self.level = level
        self.declared = declared
        self.provenance = provenance
        self.aval = aval
        self.kind = kind if aval is UNKNOWN else aval.kind or kind
        self.ndim = ndim if aval is UNKNOWN or aval.shape is None else len(aval.shape)
        self.of_statics = of_statics
        self.sized = sized
        self.slope = self.zero = False
        self.flat: Cut | None = None
        self.barriers: frozenset[Cut] = NOTHING
        self.origin: Origin | None = None
        self.beyond: tuple[Array | Tree | Opaque, ...] = ()
        self.unset: tuple[str, Frame] | None = None
        self.serial = next(_SERIALS)
        self._key = key

    @property
    def key(self) -> KeyId:
        if self._key is None:
            self._key = KeyId("an array", serial=self.serial)
        return self._key

    @property
    def identity(self) -> KeyId:
        return self.key

    @property
    def has_key(self) -> bool:
        return self._key is not None

    def share_key(self, other: Array) -> None:
        """The two are the same key, if they are one."""
        self._key = other.key


class Tree(Value):
    """A traced argument (or part of one) whose pytree structure is not known: every array in it is a tracer.

    ``parameter`` is the parameter it is, when it is one itself; ``sure`` is False for parts that may as well
    be static (an attribute of an unknown dataclass).  ``maybe_name``: met while iterating over an argument, so
    that it is the key of a dict or a row of an array.  ``array_like``: a leaf, certainly an array.  ``holds``: it is
    declared to be a "mapping" or a "sequence" of arrays, or of what the words after the first say ("mapping sequence":
    of sequences of arrays; "mapping ": of anything).  ``copied``: a changed copy of it, which the function has made
    itself.  ``required_by``: the function that has it as a parameter
    without a default, and that parameter's name.  ``slope``: it is differentiated; ``free``: why it is certainly not,
    None where it may be.
    """

    __slots__ = (
        "_key",
        "array_like",
        "copied",
        "free",
        "holds",
        "level",
        "maybe_name",
        "parameter",
        "parts",
        "provenance",
        "required_by",
        "serial",
        "slope",
        "sure",
    )

    def __init__(
        self,
        level: int,
        provenance: Provenance,
        parameter: str = "",
        sure: bool = True,
        array_like: bool = False,
        key: KeyId | None = None,
        maybe_name: bool = False,
        holds: str = "",
    ) -> None:
        self.level = level
        self.maybe_name = maybe_name
        self.holds = holds
        self.provenance = provenance
        self.parameter = parameter
        self.sure = sure
        self.array_like = array_like
        self.copied = self.slope = False
        self.free: Cut | None = None
        self.required_by: tuple[ast.AST, str] | None = None
        self.parts: dict[Any, Value] = {}
        self.serial = next(_SERIALS)
        self._key = key

    def part(self, selector: Any, sure: bool = True) -> Value:
        found = self.parts.get(selector)
        if found is None:
            key = self.key.part(selector, self.parameter)
            is_item = selector[0] in ("item", "at")
            is_array = self.array_like or (is_item and self.holds_arrays)
            holds = part_holds(self.holds, selector)
            made = Tree(self.level, self.provenance, "", sure, is_array, key, holds=holds)
            made.slope, made.free = self.slope, self.free
            found = self.parts[selector] = made
        return found

    @property
    def container(self) -> str:
        """What it is declared to be: a "mapping", a "sequence" or nothing."""
        return self.holds.partition(" ")[0]

    @property
    def holds_arrays(self) -> bool:
        """Whether its items are declared to be arrays."""
        return self.holds == self.container != ""

    @property
    def has_named_items(self) -> bool:
        """Whether an item has been asked for by a name, which no array has."""
        return any(
            selector[0] in ("item", "at")
            and (isinstance(selector[1], str) or (isinstance(selector[1], Static) and selector[1].kind == "str"))
            for selector in self.parts
        )

    @property
    def has_named_parts(self) -> bool:
        """Whether an item by a name, or an attribute that no array has, has been asked for."""
        return self.has_named_items or any(selector[0] == "attr" for selector in self.parts)

    def renamed(self, parameter: str, key: KeyId) -> Tree:
        """The same tree as another parameter, or as none, with the identity ``key``."""
        level, provenance = self.level, self.provenance
        same = Tree(level, provenance, parameter, self.sure, self.array_like, key, self.maybe_name, self.holds)
        same.required_by, same.copied = self.required_by, self.copied
        same.slope, same.free = self.slope, self.free
        return same

    def among(self, selector: Any) -> Tree:
        """The one that ``selector`` names of those that this tree stands for."""
        found = self.parts.get(("among", selector))
        if not isinstance(found, Tree):
            found = self.parts["among", selector] = self.renamed("", self.key.part(selector, self.parameter))
        return found

    def declared_to_hold(self, holds: str) -> Tree:
        """The same tree, where more is said of what it holds."""
        if not holds:
            return self
        same = self.renamed(self.parameter, self.key)
        same.holds, same.parts = holds, dict(self.parts)
        return same

    def element(self) -> Tree:
        """Any of its items."""
        is_array, holds = self.array_like or self.holds_arrays, part_holds(self.holds, ("item",))
        any_of = Tree(self.level, self.provenance, sure=self.sure, array_like=is_array, holds=holds)
        any_of.slope, any_of.free = self.slope, self.free
        return any_of

    @property
    def key(self) -> KeyId:
        if self._key is None:
            self._key = KeyId(self.parameter, serial=self.serial)
        return self._key

    @property
    def identity(self) -> KeyId:
        return self.key

    @property
    def has_key(self) -> bool:
        return self._key is not None


class Key(Value):
    """A PRNG key or (``batch``) an array of ``size`` keys with ``dims`` dimensions; where it
    is not ``ranked``, it may be either."""

    __slots__ = ("batch", "dims", "ident", "level", "provenance", "ranked", "size", "typed")

    def __init__(
        self,
        ident: KeyId,
        batch: bool = False,
        size: int | None = None,
        level: int = CONCRETE,
        provenance: Provenance | None = None,
        typed: bool | None = None,
        dims: int = 1,
        ranked: bool = True,
    ) -> None:
        self.ranked = ranked
        self.ident = ident
        self.batch = batch
        self.dims = dims if batch else 0
        self.size = size
        self.level = level
        self.provenance = provenance
        self.typed = typed

    @property
    def key(self) -> KeyId:
        return self.ident


class Stream(Value):
    """A stateful generator of keys (nnx.Rngs, hk.PRNGSequence) or of numbers: never reused.  ``given``: the parameter,
    and the trace, that got it as a copy."""

    __slots__ = ("given", "name")

    def __init__(self, name: str, given: tuple[str, Context] | None = None) -> None:
        self.name = name
        self.given = given


class Ref(Value):
    """A mutable reference (Pallas, jax.new_ref): item assignment is what it is for."""

    __slots__ = ("level", "provenance")

    def __init__(self, provenance: Provenance | None = None, level: int = CONCRETE) -> None:
        self.provenance = provenance
        self.level = level


class Around(NamedTuple):
    """That a tuple holds a tree like this ``tree`` and more around it, so that the two are no trees of one structure:
    it is what ``transform`` gives because of its ``option``, or what an ``update``, in the module ``scope``, makes of
    that."""

    tree: Value
    transform: str
    option: str
    update: ast.AST | None = None
    scope: ModuleText | None = None


class LentItems(Protocol):
    """The items of a tuple that a caller has."""

    def item(self, number: int) -> Value: ...

    def all(self) -> tuple[Value, ...]: ...

    def known(self) -> tuple[Value, ...]: ...


class Tuple(Value):
    """An immutable sequence with known parts; ``fields`` are the names of a NamedTuple's.

    Tuples in tuples are known up to ``MAX_PARTS`` parts in all: what is shared is gone through once for each path to
    it, and `x = (x, x)` doubles those.  ``given_by``: the transform that has given it in this form, as far as that is
    remembered.  ``declared``: only an annotation says of which class it is, and what comes may be of another.
    ``around`` are trees that it holds one like inside.  ``lent``: it stands for one that a caller has, and its items
    are asked for when somebody looks at them.
    """

    __slots__ = ("_items", "around", "cls", "declared", "fields", "given_by", "lent", "parts")

    parts: int

    def __init__(self, items: tuple[Value, ...], fields: tuple[str, ...] = (), cls: ClassValue | None = None) -> None:
        parts = len(items)
        for item in items:
            if isinstance(item, Tuple):
                parts += item.parts
        if parts > MAX_PARTS.value and parts > len(items):
            items, parts = tuple(Opaque("a part") if isinstance(item, Tuple) else item for item in items), len(items)
        self._items: tuple[Value, ...] | None = items
        self.parts = parts
        self.fields = fields
        self.cls = cls
        self.declared = False
        self.given_by = ""
        self.around: tuple[Around, ...] = ()
        self.lent: LentItems | None = None

    @classmethod
    def standing_for(cls, actual: Tuple, lent: LentItems) -> Tuple:
        """A NamedTuple like the one that a caller has, whose items are lent."""
        made = actual.with_other(())
        made.given_by, made._items, made.lent, made.parts = actual.given_by, None, lent, len(actual.fields)
        return made

    @property
    def items(self) -> tuple[Value, ...]:
        items = self._items
        if items is None:
            assert self.lent is not None
            return self.lent.all()
        return items

    def item(self, number: int) -> Value:
        """One of the items, without asking for the others."""
        if self._items is not None:
            return self._items[number]
        assert self.lent is not None
        return self.lent.item(number)

    def of_fields(self, names: Collection[str]) -> Tuple:
        """One that has no more than these fields, in their order."""
        kept = [number for number, name in enumerate(self.fields) if name in names]
        return Tuple(tuple([self.item(number) for number in kept]), tuple([self.fields[number] for number in kept]))

    @property
    def known_items(self) -> tuple[Value, ...]:
        """Those of the items that are here, without asking for more."""
        if self._items is not None:
            return self._items
        assert self.lent is not None
        return self.lent.known()

    def with_items(self, items: tuple[Value, ...]) -> Tuple:
        """The same sequence of others, or of what stands for these ones elsewhere."""
        made = self.with_other(items)
        made.given_by, made.around = self.given_by, self.around
        return made

    def with_other(self, items: tuple[Value, ...]) -> Tuple:
        """One of the same form of other items, which no transform has given."""
        made = Tuple(items, self.fields, self.cls)
        made.declared = self.declared
        return made


COMPUTED, DIFFERENCE, SQUARE = "a computed value", "a difference", "a square"
"""The texts of what operators make of something unknown; where one has taken off something, the second, and where it
is never negative, the third."""

SEQUENCES = {"list": "a list", "tuple": "a tuple", "set": "a set", "frozenset": "a frozen set"}
"""The texts of what `list(x)` makes of something unknown."""

FROZEN_DICT = "a frozen dict"
"""The text of what flax makes of a dict to have one that cannot be changed."""

TOLD_SHAPE = "told shape"
"""Where the state keeps the shape of what `jax.ShapeDtypeStruct` has made."""

ATTRIBUTE = "an attribute"
"""The text of a container that a constructor keeps in an attribute: contents and birth are not known."""


ITEMS, ANY = "items", "any"
"""Where the state keeps the parts of a container: those that are known, and what any other may be."""

REGISTERED = "__ what a call has registered it with"
"""Where the state keeps of a class that a call has made it one of pytrees, and how it is taken apart."""

SET_BY_NAME = "set by a name"
"""Where the state keeps that attributes of an object were set of which nobody knows the names: it may have any."""


class Container(Value):
    """A list, dict or set; parts are in the state.  ``birth`` is the trace context that created it: of one that two
    paths have left, the older one's, and ``older_if`` are the conditions under which it is that."""

    __slots__ = ("birth", "kind", "level", "older_if", "parameter", "provenance", "text")

    def __init__(
        self,
        kind: str,
        birth: Context | None = None,
        text: str = "",
        provenance: Provenance | None = None,
        parameter: str = "",
    ) -> None:
        self.kind = kind
        self.birth = birth
        self.text = text
        self.provenance = provenance
        self.parameter = parameter
        self.level = CONCRETE
        self.older_if = NOTHING


class Iterator(Value):
    """A one-shot iterator over ``source`` (or a generator); ``element`` is what it yields."""

    __slots__ = ("birth", "element", "kind", "source")

    def __init__(
        self, element: Value, kind: str = "iterator", birth: Context | None = None, source: Value | None = None
    ):
        self.element = element
        self.kind = kind
        self.birth = birth
        self.source = source


class Slice(Value):
    __slots__ = ("lower", "step", "upper")

    def __init__(self, lower: Value, upper: Value, step: Value) -> None:
        self.lower = lower
        self.upper = upper
        self.step = step


class Frame(Value):
    """Identity of one activation's local variables; the variables are in the state.  ``depth``: how many others are
    around it.  ``ctx`` is where the activation runs; None for the frame of a module, a class or a comprehension.
    ``left`` is what the variables hold after any run of the function, where that is known."""

    __slots__ = ("assigned_after", "ctx", "depth", "function", "globals", "left", "nonlocals", "parent", "scope")

    def __init__(self, scope: ModuleScope, parent: Frame | None = None, function: Function | None = None) -> None:
        self.scope = scope
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.function = function
        self.ctx: Context | None = None
        self.left: dict[Any, Value] | None = None
        self.globals: frozenset[str] = NOTHING
        self.nonlocals: frozenset[str] = NOTHING


class Function(Value):
    """A function of the project.  ``frame`` is the activation it closes over (None at module level),
    ``receiver`` the bound self, ``owner`` the class whose body defined it."""

    __slots__ = (
        "birth",
        "cached",
        "defaults",
        "frame",
        "kind",
        "kw_defaults",
        "name",
        "node",
        "owner",
        "receiver",
        "scope",
    )

    def __init__(
        self,
        node: FunctionNode,
        scope: ModuleScope,
        frame: Frame | None,
        name: str,
        defaults: tuple[Value, ...] = (),
        kw_defaults: tuple[Value | None, ...] = (),
        owner: ClassValue | None = None,
        receiver: Value | None = None,
        kind: str = "",
        birth: Context | None = None,
    ) -> None:
        self.node = node
        self.scope = scope
        self.frame = frame
        self.name = name
        self.defaults = defaults
        self.kw_defaults = kw_defaults
        self.owner = owner
        self.receiver = receiver
        self.kind = kind  # '', static, class, property
        self.birth = birth
        self.cached = False

    @property
    def qualified(self) -> str:
        """Its name, with the class that defined it."""
        return f"{self.owner.name}.{self.name}" if self.owner else self.name

    def bind(self, receiver: Value) -> Function:
        bound = Function(
            self.node, self.scope, self.frame, self.name, self.defaults, self.kw_defaults, self.owner, receiver,
            self.kind, self.birth,
        )  # fmt: skip
        bound.cached = self.cached
        return bound


class Partial(Value):
    """functools.partial(function, *args, **kwargs).  ``more``: there is something by names that nobody knows."""

    __slots__ = ("args", "function", "kwargs", "more")

    def __init__(self, function: Value, args: tuple[Value, ...], kwargs: dict[str, Value], more: bool = False) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self.more = more


class Made(NamedTuple):
    """Where a transformed function was made: by ``node``, in the activation of ``frame``; ``what`` is the function that
    is a new object each time that is run, in words, empty if it may be the same."""

    frame: Frame
    node: ast.AST
    what: str


class Transformed(Value):
    """The result of a transform, such as jax.jit(f, static_argnums=0): a function value in its own right.

    ``offered``: it is for callers nobody knows, who may pass each of its arguments; ``called_at_once``: for nobody but
    the call that it is made for, `jax.grad(loss)(w)`.  ``made`` tells where it was made
    by a call of a function that is still running; of what is older nothing is told.
    """

    __slots__ = (
        "called_at_once",
        "function",
        "is_one_of_several",
        "made",
        "name",
        "node",
        "offered",
        "options",
        "receiver",
        "scope",
        "wrapper",
    )

    def __init__(
        self,
        wrapper: Wrapper,
        name: str,
        function: Value,
        options: dict[str, Value],
        scope: ModuleScope,
        node: ast.AST,
        receiver: Value | None = None,
    ) -> None:
        self.wrapper = wrapper
        self.name = name
        self.function = function
        self.options = options
        self.scope = scope
        self.node = node
        self.receiver = receiver
        self.offered = self.called_at_once = self.is_one_of_several = False
        self.made: Made | None = None

    def of(self, function: Value) -> Transformed:
        """The same transform of another function."""
        return Transformed(self.wrapper, self.name, function, self.options, self.scope, self.node, self.receiver)

    def of_one(self, function: Value) -> Transformed:
        """The same transform of what its function may be, and may not be."""
        made = self.of(function)
        made.is_one_of_several = True
        return made

    def to_anyone(self) -> Transformed:
        """The same for callers nobody knows."""
        made = self.of(self.function)
        made.offered = True
        return made


class WrapperFactory(Value):
    """A transform still waiting for its function: partial(jax.jit, …) or jax.jit(static_argnames=…)."""

    __slots__ = ("name", "options", "wrapper")

    def __init__(self, wrapper: Wrapper, name: str, options: dict[str, Value]) -> None:
        self.wrapper = wrapper
        self.name = name
        self.options = options


class ClassValue(Value):
    """A class of the project.  ``frame`` holds its body's names; ``bases`` are values; ``applied`` are functions of
    libraries that decorators of the project hand it to; ``line`` is itself and its bases of the project, ``outside``
    the names of those from elsewhere and ``fields`` those of a record, with the decorators that it had then, once
    somebody has asked for them."""

    __slots__ = (
        "applied",
        "bases",
        "decorators",
        "fields",
        "frame",
        "initial",
        "line",
        "name",
        "node",
        "outer",
        "outside",
        "scope",
    )

    def __init__(
        self, node: ast.ClassDef, scope: ModuleScope, frame: Frame, bases: tuple[Value, ...], outer: Frame | None
    ):
        self.node = node
        self.scope = scope
        self.frame = frame
        self.bases = bases
        self.name = node.name
        self.outer = outer
        self.decorators: tuple[Value, ...] = ()
        self.applied: frozenset[str] = frozenset()
        self.initial: dict[str, Value] | None = None
        self.line: tuple[ClassValue, ...] | None = None
        self.outside: frozenset[str] | None = None
        self.fields: tuple[tuple[Value, ...], tuple[str, ...] | None] | None = None


class Instance(Value):
    """An object of a project class; its attributes are in the state.  ``birth`` and ``older_if`` are as in a
    `Container`."""

    __slots__ = ("birth", "cls", "level", "older_if", "parameter", "provenance", "symbolic")

    def __init__(self, cls: ClassValue, birth: Context | None = None, symbolic: bool = False) -> None:
        self.cls = cls
        self.birth = birth
        self.symbolic = symbolic
        self.level = CONCRETE
        self.older_if = NOTHING
        self.parameter = ""
        self.provenance: Provenance | None = None


class External(Value):
    """Something outside the project, by its qualified name: jax.numpy.sin, numpy, builtins.print."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def is_static(self) -> bool:
        return True


class ExternalInstance(Value):
    """What calling an external class or factory returned; ``made_by`` is the callable's qualified name.

    ``parameter``: of which parameter of a traced function it is what JAX has made again of the argument.
    """

    __slots__ = ("args", "birth", "kwargs", "made_by", "parameter", "parts")

    def __init__(
        self,
        made_by: str,
        args: tuple[Value, ...] = (),
        kwargs: dict[str, Value] | None = None,
        birth: Context | None = None,
        parameter: str = "",
    ) -> None:
        self.made_by = made_by
        self.args = args
        self.kwargs = kwargs or {}
        self.birth = birth
        self.parameter = parameter
        self.parts: dict[Any, Value] = {}

    def made_in(self, birth: Context | None, parameter: str = "") -> ExternalInstance:
        """The same, made in that context."""
        return ExternalInstance(self.made_by, self.args, self.kwargs, birth, parameter)


class Method(Value):
    """An attribute of a value that the interpreter models itself: an array's .sum, a list's .append."""

    __slots__ = ("name", "receiver")

    def __init__(self, receiver: Value, name: str) -> None:
        self.receiver = receiver
        self.name = name


class At(Value):
    """x.at, or x.at[i] with that ``index``: the functional update helper of an array."""

    __slots__ = ("array", "index", "level")

    def __init__(self, array: Value, index: Value | None = None) -> None:
        self.array = array
        self.index = index
        self.level = array.level


class ModuleScope(ModuleText):
    """One module of the program while it is analysed, with the frame of its globals.

    ``state`` goes from new over running to done: an import of a running module (a cycle) sees what is bound so far.
    ``left`` is what of its body is run as a script only, and ``so_far`` what that is to know of what has happened.
    ``reaches_out``: the body has changed what other modules hold.  ``missing`` has what others take for its names that
    nothing is known to bind.  ``globals_timed`` has what the globals were where a cell times something, by the function
    that stands for it.
    """

    def __init__(self, module: Module) -> None:
        super().__init__(module)
        self.frame = Frame(self)
        self.state = "new"
        self.star_imports: list[str] = []
        self.reaches_out = False
        self.missing: dict[str, Opaque] = {}
        self.globals_timed: dict[ast.AST, dict[Any, Value]] = {}
        self.left: list[ast.stmt] = []
        self.so_far: dict[Value, Any] = {}  # contents, by their owners


class ModuleValue(Value):
    """A module of the project."""

    __slots__ = ("scope",)

    def __init__(self, scope: ModuleScope) -> None:
        self.scope = scope


class Super(Value):
    __slots__ = ("cls", "receiver")

    def __init__(self, cls: ClassValue, receiver: Value) -> None:
        self.cls = cls
        self.receiver = receiver


class Lazy(Value):
    """A name imported from a module of the project, looked up when it is used."""

    __slots__ = ("module", "name", "resolved")

    def __init__(self, module: str, name: str) -> None:
        self.module = module
        self.name = name
        self.resolved: Value | None = None


class Union(Value):
    """One of several unlike values; nothing is claimed unless it holds for all of them.

    ``guards`` has for each option the conditions under which it is the one (empty: not known); ``merged`` is
    the unknown value that stands for them all while that is open.
    """

    __slots__ = ("guards", "merged", "options")

    def __init__(self, options: tuple[Value, ...], guards: tuple[frozenset[Any], ...] = ()) -> None:
        self.options = options
        self.guards = guards
        self.merged = Opaque()

    def without(self, refused: Callable[[Value], bool]) -> Union:
        """The options that are left where nothing comes back of these; all, if nothing would be left."""
        kept = [number for number, option in enumerate(self.options) if not refused(option)]
        if len(kept) in (0, len(self.options)):
            return self
        guards = tuple(self.guards[number] for number in kept) if self.guards else ()
        return Union(tuple(self.options[number] for number in kept), guards)


def without_none(value: Value) -> Value:
    """What is left of the options of ``value`` where Python, or JAX, refuses None: nothing comes back of that one."""
    if not isinstance(value, Union):
        return value
    left = value.without(is_none)
    return left if len(left.options) > 1 or left is value else left.options[0]


def is_none(value: Value) -> bool:
    """Whether a value is None for certain."""
    return isinstance(value, Const) and value.value is None


def layers(function: Value) -> int:
    """How many transforms and partials are around a function."""
    count = 0
    while isinstance(function, (Partial, Transformed)):
        function, count = function.function, count + 1
    return count


def innermost(function: Value) -> tuple[Function | None, int, frozenset[str]]:
    """The project function under partials and transforms, with how many positional arguments and which
    keywords partials have bound already."""
    bound, named = 0, frozenset[str]()
    while True:
        if isinstance(function, Partial):
            bound += len(function.args)
            named |= function.kwargs.keys()
            function = function.function
        elif isinstance(function, Transformed):
            if function.receiver is not None:
                bound += 1
            function = function.function
        else:
            break
    if isinstance(function, Instance):
        return None, 1, named  # its class's `__call__`, of which it is the first argument
    if isinstance(function, Function):
        return function, bound + (1 if function.receiver is not None else 0), named
    return None, 0, named


_HELD_BY_KIND = {"dict": "mapping ", "list": "sequence "}


def held(value: Value | None) -> str:
    """What is known of the container that a value is, in the words of `Tree.holds`; "" if it is not known to be one."""
    if isinstance(value, (Opaque, Tree)):
        return value.holds
    if isinstance(value, Container):
        return _HELD_BY_KIND.get(value.kind, "")
    return "sequence " if isinstance(value, Tuple) and not value.fields else ""


class KeptTrace(Value):
    """The trace that a compiled method keeps of one object, called at ``node`` of ``scope`` now; what that held when
    the call began is ``begun_with``."""

    __slots__ = ("begun_with", "node", "owner", "scope")

    def __init__(self, owner: Instance, scope: ModuleScope, node: ast.AST) -> None:
        self.owner = owner
        self.scope = scope
        self.node = node
        self.begun_with: dict[Any, Value] = {}


COMPILED = Opaque("what was compiled")
"""Owns the traces that something has been read for, so that two paths can be asked which of them they have."""
