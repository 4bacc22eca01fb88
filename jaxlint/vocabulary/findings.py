"""The vocabulary every other module shares: what a finding is and where it points.

Nothing here knows about files, syntax trees or JAX; everything else may import this module.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace


class Certainty(enum.IntEnum):
    """How much a finding claims.

    ``CERTAIN``: on a path that can be taken JAX does the bad thing.  ``LIKELY``: so it does unless one
    named assumption fails (an unseen callee does not use the key, an argument is never an array).
    ``POSSIBLE``: plausible only, not shown by default.
    """

    POSSIBLE = 1
    LIKELY = 2
    CERTAIN = 3

    @property
    def label(self) -> str:
        return self.name.lower()


class Severity(enum.Enum):
    """How bad it is when it happens; the exit code does not depend on it."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A range in a file: 1-based lines, 1-based columns counted in characters, the end exclusive.

    In a notebook ``cell`` is the cell's number, counted from 1 over cells of all kinds, and lines are those of the
    cell; elsewhere it is 0.
    """

    path: str
    line: int
    column: int = 1
    end_line: int = 0
    end_column: int = 0
    cell: int = 0


class Applicability(enum.Enum):
    """Whether a fix keeps what the program means: ``SAFE`` does, ``UNSAFE`` may change it and wants a reader."""

    SAFE = "safe"
    UNSAFE = "unsafe"

    @property
    def is_safe(self) -> bool:
        return self is Applicability.SAFE


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace the text at a location (which is empty where text is only put in) by ``content``."""

    location: Location
    content: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits of one file that belong together: all are made or none.  ``message`` says what they do."""

    message: str
    applicability: Applicability
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Repair:
    """What a check knows of how its finding could be mended; `jaxlint.fixes` makes a `Fix` of it, or nothing.

    ``kind`` names the fixer, ``location`` the code to rewrite, ``facts`` are what only the analysis could know, and
    ``places`` other code, in the same file, that the fixer needs.
    """

    kind: str
    location: Location
    facts: tuple[tuple[str, str], ...] = ()
    places: tuple[tuple[str, Location], ...] = ()

    def fact(self, name: str) -> str | None:
        """What the check said of one thing, or None."""
        return dict(self.facts).get(name)


@dataclass(frozen=True, slots=True)
class Related:
    """One step of the explanation: where a value became traced, where a key was first consumed."""

    location: Location
    message: str


Reason = tuple[Related, ...]
"""The steps of one way to a finding, the oldest first."""


class Proof(enum.Enum):
    """What tracing said of a finding, strongest statement first."""

    CONFIRMED = "confirmed"  # seen with inputs that somebody really passes
    CONFIRMED_IF = "confirmed-if"  # seen under assumptions, which are spelled out
    REFUTED_FOR = "refuted-for"  # reached under a trace with observed inputs, and never bad
    HOST_ONLY = "host-only"  # runs, but never under a trace
    NOT_REACHED = "not-reached"  # its function was traced, the place was not run
    NO_INPUTS = "no-inputs"
    NOT_IMPORTABLE = "not-importable"
    TIMED_OUT = "timed-out"
    CRASHED = "crashed"
    DEPENDS_ON_STUB = "depends-on-stub"
    NO_CHECK = "no-check"  # the rule has no check that tracing could make, or this JAX lacks what it takes

    @property
    def is_decisive(self) -> bool:
        """Whether it says something of the code, and not only of the attempt."""
        return self in (Proof.CONFIRMED, Proof.CONFIRMED_IF, Proof.REFUTED_FOR, Proof.HOST_ONLY)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What dynamic mode found out about one finding, valid for one version of JAX.

    ``evidence`` are lines for people: the call that was traced, the exception or effect, equations of the jaxpr;
    ``assumptions`` is empty unless the state is `Proof.CONFIRMED_IF`.
    """

    state: Proof
    jax: str
    evidence: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim about what JAX will do at one place.

    ``code`` and ``name`` identify the rule (``JAX401``, ``key-reused``); ``message`` says what happens,
    ``help`` what to do instead, ``related`` why (provenance, oldest step first): the shortest reason, where several
    ways lead to the place.  ``others`` are the further reasons, the shortest first, and ``more`` says how many there
    are beyond those.  ``definition`` is the qualified name of the enclosing function or class, empty at module level.
    ``verdict`` is what dynamic mode says of it; ``origin`` is ``tracing`` for what only tracing saw.  ``fix`` is what
    would mend it, made from ``repair``.  One that ``withdraws`` claims nothing: a call that the program makes does the
    right thing at this place, so that what other ways there are only likely to do is not told, unless it ``stands``: it
    is such a call that does it.  One that is ``narrow`` is right only while JAX computes with 32 bits.
    """

    code: str
    name: str
    message: str
    location: Location
    severity: Severity = Severity.ERROR
    certainty: Certainty = Certainty.CERTAIN
    help: str | None = None
    related: Reason = ()
    definition: str = ""
    verdict: Verdict | None = None
    origin: str = "static"
    repair: Repair | None = None
    fix: Fix | None = None
    others: tuple[Reason, ...] = ()
    more: int = 0
    withdraws: bool = False
    stands: bool = False
    narrow: bool = False

    @property
    def path(self) -> str:
        return self.location.path

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """All the reasons that are kept, the shortest first."""
        return (self.related, *self.others)

    @property
    def other_ways(self) -> str:
        """In words how many ways lead here beside the one that is told; empty where that is the only one."""
        count = len(self.others) + self.more
        if not count:
            return ""
        return "1 other way leads here" if count == 1 else f"{count} other ways lead here"

    def sort_key(self) -> tuple[str, int, int, int, str, str]:
        place = self.location
        return (place.path, place.cell, place.line, place.column, self.code, self.message)

    def at(self, path: str) -> Finding:
        """The same finding reported under another spelling of its file's path."""
        return replace(self, location=replace(self.location, path=path))
