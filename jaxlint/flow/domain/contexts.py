"""Trace contexts and provenance: under which transforms code runs, and why a value is a tracer."""

from __future__ import annotations

import ast
import enum
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from jaxlint.flow.limits import DEEPEST_MAP
from jaxlint.flow.source.modules import ModuleText
from jaxlint.semantics.collectives import WITHOUT_AXES


class Why(enum.Enum):
    """What happens at one step of a reason; in brackets what is named."""

    APPLIED = enum.auto()  # a transform is applied (which)
    RUN = enum.auto()  # a function is run under a trace (by which other one)
    PARAMETER = enum.auto()  # a parameter is traced (which, by which transform)
    ARGUMENT = enum.auto()  # an argument that no parameter names is traced (by which transform)
    PART = enum.auto()  # a callable is given something (its carry, an operand, …; of which call)
    COMBINED = enum.auto()  # the arrays of all devices or lanes become one (by which collective)
    RULES = enum.auto()  # rules for derivatives are run (by which transform)
    UPDATES = enum.auto()  # an optimiser counts its updates
    CHANGED = enum.auto()  # what was read is changed (which name)
    REBOUND = enum.auto()  # a name that was read is bound again (which)
    ANOTHER = enum.auto()  # an attribute is another one at a later call (which)
    USED = enum.auto()  # a key is used
    TAKEN = enum.auto()  # a parameter is taken for an object of a class (which, of which class)


SUPPOSED = "a sampler of numpyro"
"""The transform of a trace that nobody is seen to make."""


class Provenance:
    """One step in the story of a tracer: ``why``, with the ``names`` it is about, at ``node`` of ``scope``, after
    ``parent``."""

    __slots__ = ("names", "node", "parent", "scope", "why")

    def __init__(
        self, why: Why, names: tuple[str, ...], scope: ModuleText, node: ast.AST, parent: Provenance | None = None
    ) -> None:
        self.why = why
        self.names = names
        self.scope = scope
        self.node = node
        self.parent = parent

    def chain(self) -> list[Provenance]:
        """The steps, oldest first."""
        steps: list[Provenance] = []
        step: Provenance | None = self
        while step is not None:
            steps.append(step)
            step = step.parent
        return steps[::-1]


Place = tuple[ModuleText, ast.AST]


class OfTrace(enum.Enum):
    """What little code asks of the traces it runs under: calls are told apart by it only where it is asked."""

    TRANSFORMS = enum.auto()  # which transforms there are, the innermost first
    AXES = enum.auto()  # which axes are bound
    DERIVATIVES = enum.auto()  # which transforms differentiate, and how many
    ROOTS = enum.auto()  # which functions are traced


class Context:
    """The trace that code runs under.

    ``staging``: every jnp call returns a tracer, even on constants (jit, scan, cond; not vmap or grad).
    ``tracing``: some transform is active.  ``transform`` names the innermost one, ``provenance`` says where
    it was applied.  ``concrete``: inside ensure_compile_time_eval.  ``repeats``: the body stands for many runs.
    ``mapped``: inside how many vmaps, up to ``DEEPEST_MAP``.  ``has_arguments``: the traced function was given any.
    ``computes_nothing``: nobody but eval_shape runs the code, so that no number is ever drawn by it.
    ``differentiated_by`` is the short name of the innermost transform around that differentiates; empty if none does.
    ``differentiations``: how many there are; 2 are several.
    ``closed_over`` are the constant keys that the trace reads from outside, and where first, ``root`` is the traced
    function itself, ``looks`` what its callers read of the arguments afterwards, ``abstracts`` whether this transform
    (not an outer one) makes abstract tracers, ``stages`` whether also of constants.  ``uncopied`` are the arguments
    that the function gets as its caller has them: grad rebuilds only what it differentiates.  ``axes`` are the names of
    the axes that the transforms around have bound; None where one may have bound any.  ``assumed``: nobody is seen to
    make the call that is traced.  ``shared`` are the collections of flax whose keys are the same in all steps or
    lanes of lifted transforms around.  ``trains``: a module of flax runs here with parameters that are
    differentiated.
    """

    __slots__ = (
        "_signature",
        "abstracts",
        "assumed",
        "axes",
        "closed_over",
        "computes_nothing",
        "concrete",
        "differentiated_by",
        "differentiations",
        "has_arguments",
        "host",
        "looks",
        "mapped",
        "parent",
        "provenance",
        "repeats",
        "root",
        "shared",
        "stages",
        "staging",
        "tracing",
        "trains",
        "transform",
        "uncopied",
    )

    def __init__(
        self,
        parent: Context | None = None,
        transform: str = "",
        provenance: Provenance | None = None,
        staging: bool = False,
        tracing: bool = False,
        repeats: bool = False,
        host: bool = False,
        concrete: bool = False,
        mapped: int = 0,
    ) -> None:
        self.parent = parent
        self.transform = transform
        self.provenance = provenance
        self.staging = staging
        self.tracing = tracing
        self.repeats = repeats
        self.host = host
        self.concrete = concrete
        self.mapped = mapped
        self.has_arguments = True
        self.closed_over: dict[AnySeed, tuple[ModuleText, ast.AST]] = {}
        self.root: ast.AST | None = None
        self.uncopied: set[object] = set()
        self.abstracts = self.stages = self.assumed = False
        self.axes: frozenset[str] | None = frozenset() if parent is None else parent.axes
        self.trains: bool = parent is not None and parent.trains and not host
        self.shared: frozenset[str] = frozenset() if parent is None or host else parent.shared
        self._signature: tuple[Hashable, ...] | None = None
        self.looks: Looks = parent.looks if parent is not None and not host else frozenset()
        self.computes_nothing: bool = parent is not None and parent.computes_nothing and not host
        self.differentiated_by: str = parent.differentiated_by if parent is not None and not host else ""
        self.differentiations: int = parent.differentiations if parent is not None and not host else 0

    def enter(
        self,
        transform: str,
        provenance: Provenance,
        staging: bool,
        repeats: bool = False,
        mapped: bool = False,
        differentiates: bool = False,
    ) -> Context:
        """The context of code traced by ``transform`` when it is applied here."""
        maps = min(self.mapped + mapped, DEEPEST_MAP.value)
        entered = Context(self, transform, provenance, self.staging or staging, True, repeats, mapped=maps)
        entered.abstracts, entered.stages = staging or mapped, staging
        if transform not in WITHOUT_AXES:
            entered.axes = None
        if differentiates:
            entered.differentiated_by = transform.rpartition(".")[2].removeprefix("filter_")
            entered.differentiations = min(self.differentiations + 1, 2)
        return entered

    def leave(self) -> Context:
        """The context of a host callback: no trace at all."""
        left = Context(self, "callback", None, host=True)
        left.axes = None
        return left

    def with_own_rules(self) -> Context:
        """The context of a function with rules of its own for derivatives: nobody differentiates what it does."""
        inside = Context(
            self, self.transform, self.provenance, self.staging, self.tracing, self.repeats, self.host, self.concrete,
            self.mapped,
        )  # fmt: skip
        inside.has_arguments = self.has_arguments
        inside.differentiated_by, inside.differentiations = "", 0
        return inside

    def with_own_keys(self, by: str) -> Context:
        """The context of a function that ``by`` gives keys of its own: nothing around it decides which they are."""
        inside = self.with_own_rules()
        inside.transform = by
        inside.differentiated_by, inside.differentiations = self.differentiated_by, self.differentiations
        return inside

    def compile_time(self) -> Context:
        """The context inside ensure_compile_time_eval."""
        return Context(self, self.transform, self.provenance, False, self.tracing, concrete=True)

    @property
    def stands_for_runs(self) -> bool:
        """Inside a function that is traced on constants, too, and has arguments: it stands for many runs on different
        data.  What is only mapped or differentiated there runs as often as that."""
        return not self.is_looked_at and any(ctx.stages and ctx.has_arguments for ctx in self._around())

    @property
    def is_repeated(self) -> bool:
        """Inside one that stands for many runs or for many lanes."""
        return self.stands_for_runs or self.mapped > 0

    @property
    def loops(self) -> bool:
        """Whether a loop is traced: a key that its body closes over is spent again in each of its passes."""
        return any(ctx.repeats for ctx in self._around())

    def _around(self) -> Iterator[Context]:
        ctx: Context | None = self
        while ctx is not None:
            yield ctx
            ctx = ctx.parent

    def where_read(self, seed: AnySeed) -> tuple[ModuleText, ast.AST] | None:
        """Where the trace, or one around it, first reads a constant key from outside, or else where the key is made, if
        it is the default of a parameter that the call of a traced function leaves out."""
        for ctx in self._around():
            if seed in ctx.closed_over:
                return ctx.closed_over[seed]
        return seed.read if isinstance(seed, GivenSeed) else self.where_left_out(seed)

    def where_left_out(self, seed: AnySeed) -> tuple[ModuleText, ast.AST] | None:
        """Where a constant key is made that is the default of a parameter which the call of a traced function leaves
        out."""
        if isinstance(seed, GivenSeed):
            return seed.left_out
        for ctx in self._around():
            arguments = getattr(ctx.root, "args", None)
            if isinstance(arguments, ast.arguments) and seed.node in (*arguments.defaults, *arguments.kw_defaults):
                return seed.scope, seed.node
        return None

    def assumes_default(self, seed: AnySeed) -> bool:
        """Whether that is a call which nobody is seen to make."""
        if isinstance(seed, GivenSeed):
            return seed.assumed
        roots = [ctx for ctx in self._around() if isinstance(getattr(ctx.root, "args", None), ast.arguments)]
        return any(
            ctx.assumed and seed.node in (*ctx.root.args.defaults, *ctx.root.args.kw_defaults)  # type: ignore[union-attr]
            for ctx in roots
        )

    def map_beyond(self, lane: int) -> Context:
        """The map inside of ``lane`` others that is around this."""
        ctx = self
        while ctx.parent is not None and ctx.parent.mapped > lane:
            ctx = ctx.parent
        return ctx

    def outermost_stage(self) -> Provenance | None:
        """Where the trace was begun that all of this is in."""
        stages = [ctx.provenance for ctx in self._around() if ctx.stages]
        return stages[-1] if stages else None

    def encloses(self, other: Context | None) -> bool:
        """Whether ``other`` is this context or one entered inside it."""
        while other is not None:
            if other is self:
                return True
            other = other.parent
        return False

    def is_of_trace(self, birth: Context | None) -> bool:
        """Whether no trace was begun between ``birth`` and here, as where a library runs a function for itself."""
        ctx: Context | None = self
        while ctx is not None and ctx is not birth and not (ctx.abstracts or ctx.stages or ctx.host):
            ctx = ctx.parent
        return birth is not None and ctx is birth

    def leaks(self, birth: Context | None, level: int, provenance: Provenance | None) -> bool:
        """Whether a tracer of ``level`` stored in an object born in ``birth`` outlives the trace it belongs to.

        Between the two lie the transforms that end in between; an abstract tracer that is older than all of
        them (only plain grad was entered since, or vmap of what it was not made of) is still alive.
        """
        ctx: Context | None = self
        while ctx is not None and ctx is not birth and not ctx.encloses_only(birth):
            if (ctx.abstracts and (ctx.stages or ctx._makes(provenance))) or (ctx.tracing and level == 1):
                return True
            ctx = ctx.parent
        return False

    def _makes(self, provenance: Provenance | None) -> bool:
        """Whether a tracer comes of what this transform traces; constants of its body tell of nothing but itself."""
        step = provenance
        while step is not None and step is not self.provenance:
            step = step.parent
        return step is not None and step is not provenance

    def encloses_only(self, birth: Context | None) -> bool:
        return birth is not None and self.encloses(birth)

    @property
    def runs_once(self) -> bool:
        """Python here runs once a trace, not at every call: under jit, scan, vmap; not under plain grad."""
        return (self.staging or self.mapped > 0) and not self.host

    @property
    def is_compiled(self) -> bool:
        """Under a transform that keeps what it has traced, and traces again for other shapes."""
        ctx: Context | None = self
        while ctx is not None and not ctx.host:
            if ctx.transform.rpartition(".")[2] in _COMPILING:
                return True
            ctx = ctx.parent
        return False

    def traces(self, function: ast.AST) -> bool:
        """Whether this is inside a trace of the function of that node."""
        ctx: Context | None = self
        while ctx is not None:
            if ctx.root is function:
                return True
            ctx = ctx.parent
        return False

    @property
    def is_looked_at(self) -> bool:
        """Under eval_shape and its like: the trace is looked at and thrown away, no number is drawn here."""
        ctx: Context | None = self
        while ctx is not None and not ctx.host:
            if ctx.transform.rpartition(".")[2] in _LOOKING:
                return True
            ctx = ctx.parent
        return False

    def only_staged_since(self, birth: Context | None, of: tuple[str, ...] = ("jax.",)) -> bool:
        """Whether nothing but jit, scan and the like of JAX itself, or ``of`` other packages, which make all that they
        are given anew, has begun since something was made."""
        ctx: Context | None = self
        while ctx is not None and ctx.tracing and not ctx.encloses_only(birth):
            if not ctx.stages or not ctx.transform.startswith(of):
                return False
            ctx = ctx.parent
        return self.tracing

    @property
    def is_supposed(self) -> bool:
        """Whether nobody is seen to make one of the traces around, which the code is written for."""
        ctx: Context | None = self
        while ctx is not None and ctx.transform != SUPPOSED:
            ctx = ctx.parent
        return ctx is not None

    @property
    def signature(self) -> tuple[Hashable, ...]:
        """What code finds of the trace it runs under, and of all of them together, beside what it asks for."""
        if self._signature is None:
            own = (self.staging, self.tracing, self.repeats, self.mapped, self.host, self.concrete, self.is_of_kernel)
            given = (self.computes_nothing, self.is_differentiated, self.differentiates_backwards)
            around = (self.stands_for_runs, self.loops, self.is_compiled, self.is_looked_at)
            self._signature = (*own, *given, *around, self.shared, self.trains)
        return self._signature

    def part(self, part: OfTrace) -> Hashable:
        """What is asked for."""
        if part is OfTrace.AXES:
            return self.axes
        if part is OfTrace.DERIVATIVES:
            return self.differentiated_by, self.differentiations
        if part is OfTrace.ROOTS:
            return tuple([ctx.root for ctx in self._around()])
        return tuple([ctx.transform for ctx in self.decisive()])

    @property
    def whole_signature(self) -> tuple[Hashable, ...]:
        """What code finds, with all that it may ask for."""
        return (*self.signature, *map(self.part, OfTrace))

    @property
    def is_of_kernel(self) -> bool:
        """In the body of a kernel of Pallas."""
        return self.transform == _KERNEL

    @property
    def is_differentiated(self) -> bool:
        """Whether a transform around differentiates."""
        return bool(self.differentiated_by)

    @property
    def differentiates_backwards(self) -> bool:
        """Whether the innermost transform around that differentiates does so from the result back."""
        return self.differentiated_by in REVERSE

    def looked_at(self, parameter: str) -> frozenset[str]:
        """What the caller of the trace reads of the argument afterwards."""
        return frozenset([item for name, item in self.looks if name == parameter])

    def decisive(self) -> list[Context]:
        """The traces that an object may be older than, up to the first that makes abstract tracers of all: to those
        who are older than that it is all the same what is around it."""
        found: list[Context] = []
        ctx = self
        while ctx.parent is not None and not (found and found[-1].stages):
            found.append(ctx)
            ctx = ctx.parent
        return found


_KERNEL = "jax.experimental.pallas.pallas_call"
REVERSE = frozenset("grad value_and_grad value_and_grad_from_state vjp jacrev jacobian hessian".split())
_COMPILING = frozenset(("jit", "pmap", "filter_jit", "filter_pmap", "pjit"))
_LOOKING = frozenset(("eval_shape", "make_jaxpr"))

EAGER = Context()


@dataclass(frozen=True, slots=True)
class Seed:
    """A key made of a constant: the ``node`` of ``scope`` that made it, and whether that was ``repeated``, in a
    function whose trace stands for many calls or lanes, and the constant one of several that are ``counted``."""

    scope: ModuleText
    node: ast.AST
    repeated: bool
    counted: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class GivenSeed:
    """Stands, in what calls of a function share, for the seed of a key that each call is given, wherever that was made.
    ``read`` and ``left_out`` are what the contexts around the calls say of it, all the same."""

    read: Place | None
    left_out: Place | None
    assumed: bool

    @property
    def known(self) -> tuple[Hashable, ...]:
        return self.read, self.left_out, self.assumed


AnySeed = Seed | GivenSeed

Looks = frozenset[tuple[str, str]]
"""Parameters of a traced function with what the caller reads of their arguments after the call: the item, as it is
written in Python, or an empty text for the whole object."""
