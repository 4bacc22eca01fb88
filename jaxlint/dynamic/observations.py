"""What a traced run can see, as data: the vocabulary between the processes that run user code and the one that judges.

Everything here is plain data that travels as one JSON object a line.  No jax is imported: the parent process, the
report and the tests of the static part read these too.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Any

from jaxlint.files import records

EVERY_ROUND = "in every round of a loop"
"""What is said of a key that one place spends again and again."""


class Kind(str, enum.Enum):
    """What was seen to happen at a line."""

    BOOL = "bool"  # a tracer was asked for its truth
    INT = "int"
    FLOAT = "float"
    COMPLEX = "complex"
    INDEX = "index"  # __index__: range(n), seq[i], slice bounds, shapes
    ARRAY = "array"  # __array__: NumPy, and .item/.tolist/device_get-like readers
    CONCRETE = "concrete"  # JAX itself wanted a value (arange, nonzero, static sizes)
    ITEM_STORE = "item-store"  # x[i] = v, del x[i] on a JAX array
    ERROR = "error"  # any other exception that leaves project code; `exception` says which
    PRINT = "print"  # text written, a tracer's repr in it
    FORMAT = "format"
    INPUT = "input"
    FILE = "file"
    LOG = "log"
    TIME = "time"
    RANDOM = "random"  # host randomness: random, np.random, os.urandom, uuid, secrets
    ENVIRON = "environ"
    GLOBAL_WRITE = "global-write"  # a global or nonlocal that existed before the trace was rebound
    OUTER_WRITE = "outer-write"  # attribute or item store, or a mutating method, on an object from before the trace
    ARGUMENT_WRITE = "argument-write"  # a container that JAX made for this call: the caller's stays as it is
    LEAK = "leak"  # a tracer outlived its trace
    KEY_REUSE = "key-reuse"
    SHARED_KEY = "shared-key"  # every lane of a vmap draws from one key
    CONSTANT_KEY = "constant-key"
    STATE = "state"  # two traces of the same function with the same avals differ
    CONSTANT = "constant"  # a large array was captured
    LOWERING = "lowering"  # a platform cannot compile it
    WARNING = "warning"
    NARROWED = "narrowed"  # an array was asked for 64 bits and has 32
    NEW_FUNCTION = "new-function"  # each call here is traced anew, because it has another function object
    NEW_STATIC = "new-static"  # because a static argument is another one
    NEW_SHAPE = "new-shape"  # because an argument has another shape or dtype
    NAN_GRADIENT = "nan-gradient"  # the slope of what stands here makes a gradient NaN
    UNFINISHED = "unfinished"  # the clock was read while JAX was still computing what had been begun before
    DEAD = "dead"  # the value computed here is dead code in the jaxpr


class Origin(str, enum.Enum):
    """Where the inputs of a traced call came from, best evidence first."""

    RECORDED = "recorded"  # a real call, seen under trace
    LIFTED = "lifted"  # a real eager call, replayed under a trace
    IMPORT = "import"  # the module's own top-level code, or a script's
    CALL_SITE = "call-site"  # constants written at a call
    DECLARED = "declared"  # the configuration
    ANNOTATED = "annotated"  # every traced parameter from its annotation, a default or an assertion in the source
    FACTORY = "factory"  # a callable that another function returned
    SYNTHESISED = "synthesised"

    @property
    def observed(self) -> bool:
        """Whether somebody really makes this call: only then can a verdict be unconditional."""
        return self in (Origin.RECORDED, Origin.LIFTED, Origin.IMPORT)


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a project file: 1-based lines, 1-based columns in characters, end exclusive; column 0: not known."""

    path: str
    line: int
    column: int = 0
    end_line: int = 0
    end_column: int = 0


@dataclass(slots=True)
class Observation:
    """One thing that happened while tracing.

    ``detail`` is a sentence for people (the first line of the exception, the text printed).  ``exception`` is the
    class that plain JAX raises here, empty when it raises nothing.  ``assumptions`` are what the run made up before
    it got here ("line 12 is true"): empty means plain JAX does exactly this with these inputs.  ``traced_by`` is
    the stack of transforms, outermost first.  ``equations`` are the jaxpr lines that show it.  ``handled``: a function
    of the project catches the exception, so that nobody else gets to see it.
    """

    kind: Kind
    at: Span
    detail: str
    exception: str = ""
    aval: str = ""
    assumptions: tuple[str, ...] = ()
    traced_by: tuple[str, ...] = ()
    related: tuple[tuple[Span, str], ...] = ()
    equations: tuple[str, ...] = ()
    handled: bool = False


@dataclass(slots=True)
class Visit:
    """How often a probed expression ran, by what it was: this is what a refutation rests on.

    ``traced``: under a trace, the value a tracer; ``concrete``: under a trace, the value not a tracer; ``eager``:
    outside any trace; ``callback``: inside a host callback.  ``assumed``: of all, those on a path behind something made
    up.  ``functions``: of all, those with a value that can be called.  ``values``: up to three distinct examples,
    shortened.
    """

    at: Span
    traced: int = 0
    concrete: int = 0
    eager: int = 0
    callback: int = 0
    assumed: int = 0
    functions: int = 0
    values: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How often it ran."""
        return self.traced + self.concrete + self.eager + self.callback


@dataclass(slots=True)
class Traced:
    """One run of one callable under the oracle, with everything it saw."""

    module: str
    qualname: str
    origin: Origin
    inputs: str  # the call for people: f(x: float32[3], n=2)
    assumptions: tuple[str, ...] = ()  # what was made up about the inputs, in words
    observations: list[Observation] = field(default_factory=list)
    visits: list[Visit] = field(default_factory=list)
    paths: int = 0
    error: str = ""  # why the trace did not reach its end, empty when it did
    stubs: tuple[str, ...] = ()  # stubbed modules that were touched
    platform: str = "cpu"
    jaxpr: str = ""  # the equations that were asked for


class Outcome(str, enum.Enum):
    """How a job ended."""

    DONE = "done"
    NO_INPUTS = "no-inputs"  # nothing the cascade tried could be traced
    NOT_IMPORTABLE = "not-importable"
    TIMED_OUT = "timed-out"
    CRASHED = "crashed"


@dataclass(slots=True)
class Result:
    """What a worker says of one target (``qualname``) of one module; ``qualname`` empty: of the import itself."""

    module: str
    qualname: str
    outcome: Outcome
    detail: str = ""
    seconds: float = 0.0
    traced: list[Traced] = field(default_factory=list)
    void: tuple[str, ...] = ()  # why what was recorded of it does not count


@dataclass(frozen=True, slots=True)
class Common:
    """What the modules of several jobs read and import: `nursery` does it once for all of them.

    ``files`` are real paths of the project's own files; ``imports`` are the names of other modules, each with what is
    imported from it.
    """

    files: tuple[str, ...]
    imports: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(slots=True)
class Job:
    """One module to import and the callables of it to trace.

    ``targets`` are qualified names inside the module ("step", "Policy.score", "make.<locals>.update"); ``probes``
    are the spans whose values are watched.  ``sources`` are the real paths of the program's files: only these are
    rewritten, and only their lines are reported.  ``search`` is what goes first on `sys.path`.
    """

    module: str
    path: str
    search: tuple[str, ...]
    targets: tuple[str, ...]
    probes: tuple[Span, ...]
    sources: tuple[str, ...]
    recordings: str = ""  # the file `jaxlint record` wrote, empty for none
    run_as_main: bool = False
    declared: tuple[tuple[str, str], ...] = ()  # qualified name in the module -> "(x: float32[3], n=2)"
    lower_for: tuple[str, ...] = ()  # platforms that what was traced is lowered for
    slopes: tuple[Span, ...] = ()  # places that are said to make a gradient NaN
    explain: Span | None = None  # a line whose equations are asked for
    stub_missing: bool = True  # third-party modules that are not installed are stand-ins
    common: Common | None = None  # the same in all jobs that share it
    claimed: int | None = None  # how many of the targets, the first ones, findings wait for; None: not even the import

    def parts(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The targets that findings wait for, and the others; of a job that none waits for, all are alike."""
        targets = tuple(dict.fromkeys(self.targets))
        count = len(targets) if self.claimed is None else self.claimed
        return targets[:count], targets[count:]

    def owing(self, targets: Collection[str]) -> Job:
        """The job with these of its targets left."""
        first, rest = ([each for each in part if each in targets] for part in self.parts())
        return replace(self, targets=(*first, *rest), claimed=None if self.claimed is None else len(first))


def to_json(record: Any) -> str:
    """One line of JSON for any of the records above."""
    return records.to_json(record, record=type(record).__name__)


def from_json(line: str) -> Any:
    """The record that `to_json` wrote.  Raises ValueError for a line that is not one."""
    try:
        fields = json.loads(line)
        record = _RECORDS[fields.pop("record")]
        return records.decoded(record, fields)
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"not a record: {line[:80]!r}") from error


def with_places(data: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """The JSON of a record with every place in it changed."""
    if isinstance(data, list):
        return [with_places(item, change) for item in data]
    if isinstance(data, dict):
        if data.keys() >= {"path", "line", "end_column"}:
            return change(data)
        return {name: with_places(item, change) for name, item in data.items()}
    return data


_RECORDS: dict[str, type] = {record.__name__: record for record in (Job, Result, Traced, Observation, Visit)}
