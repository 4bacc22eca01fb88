"""What the hooks of one process have seen so far.

The hooks sit on classes and modules that exist once in a process, so there is one recorder, `RECORDER`.  Between
`begin` and `end` it fills one `Traced`; outside it drops what it is told.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import CodeType, FrameType
from typing import Any, NamedTuple

import jax

from jaxlint.dynamic import places, private
from jaxlint.dynamic.given import functions_given
from jaxlint.dynamic.observations import Kind, Observation, Span, Traced, Visit
from jaxlint.dynamic.outside import Outside, Which

_CONTROL = (StopIteration, StopAsyncIteration, GeneratorExit, KeyboardInterrupt, SystemExit)
_KINDS = {"UnexpectedTracerError": Kind.LEAK, "KeyReuseError": Kind.KEY_REUSE}
_EXAMPLES = 3
_LENGTH = 60


class Left(NamedTuple):
    """Under which transforms a statement leaves a tracer outside, and what is assumed of what it writes to."""

    traced_by: tuple[str, ...]
    assumptions: tuple[str, ...]


@dataclass
class _Session:
    """One `Traced` being filled."""

    traced: Traced
    entry: CodeType | None = None  # the stack of transforms starts inside this frame
    assumptions: tuple[str, ...] = ()
    invented: bool = False  # a number or an array is among them, not only which way to go
    kept: dict[tuple[Any, ...], int] = field(default_factory=dict)
    visits: dict[Span, Visit] = field(default_factory=dict)
    paused: bool = False  # the run only repeats what was seen
    storing: dict[Span, list[Which]] = field(default_factory=dict)  # statements that stored tracers: their traces
    leaking: dict[Span, Left] = field(default_factory=dict)  # those that stored it outside
    given: tuple[Any, ...] = ()  # what the call passes that the oracle makes


class Recorder:
    """Takes what the hooks report and keeps each fact once, with the fewest assumptions it was seen under."""

    def __init__(self) -> None:
        self.sources = places.Sources()
        self.outside = Outside()
        self.shown_tracers = 0
        self.at_end: list[Callable[[], None]] = []  # called when a `Traced` is filled
        self.at_leaving: list[Callable[[BaseException, FrameType], None]] = []  # called with what leaves a function
        self._texts: deque[str] = deque(maxlen=64)  # of tracers, as they were shown last
        self._sessions: list[_Session] = []

    def know(self, sources: Collection[str]) -> None:
        """Adds project files."""
        if not self.sources.paths.issuperset(sources):
            self.sources = places.Sources(self.sources.paths | set(sources))

    @property
    def active(self) -> bool:
        return bool(self._sessions)

    @property
    def session(self) -> _Session:
        return self._sessions[-1]

    @contextmanager
    def filling(self, traced: Traced, entry: CodeType | None = None) -> Iterator[_Session]:
        """What is reported inside goes into ``traced``."""
        session = _Session(traced, entry)
        self._sessions.append(session)
        try:
            yield session
        finally:
            self._sessions.remove(session)
            self.let_go()

    def let_go(self) -> None:
        """Forgets objects and frames of user code; what is asked of them later is looked up anew."""
        for release in self.at_end:
            release()
        self.outside.forget()

    def seen(self, observation: Observation) -> None:
        """Keeps an observation; one without assumptions has those of the path."""
        if not self._sessions or self.session.paused:
            return
        session = self.session
        observation = replace(observation, assumptions=observation.assumptions or session.assumptions)
        key = (observation.kind, observation.at, observation.exception, observation.handled)
        kept = session.traced.observations
        if (index := session.kept.get(key)) is None:
            session.kept[key] = len(kept)
            kept.append(observation)
        elif len(observation.assumptions) < len(kept[index].assumptions):
            kept[index] = observation

    def watching(self) -> bool:
        """Whether effects of the code that runs now are wanted: a trace is active, and it is not a repetition."""
        return bool(self._sessions) and not self.session.paused and private.tracing()

    def effect(
        self,
        kind: Kind,
        frame: FrameType,
        detail: str,
        aval: str = "",
        at: Span | None = None,
        assumptions: tuple[str, ...] = (),
    ) -> None:
        """Something that the project frame ``frame`` does once a trace instead of once a call.

        ``assumptions`` come in addition to those of the path.

        Under plain `grad` or `vmap` Python runs at every call, so there it is no observation.
        """
        by = places.transforms(frame, self.session.entry)
        if self.session.entry is not None or not places.STAGING.isdisjoint(by):
            assumed = (*self.session.assumptions, *assumptions)
            at = at or self.sources.span(frame)
            self.seen(Observation(kind, at, detail, aval=aval, assumptions=assumed, traced_by=by))

    def failed(self, error: BaseException | None, frame: FrameType) -> None:
        """An exception leaves the project frame ``frame``.  What project code is prepared for is no observation.

        Questions to tracers are noted where they are asked; a mask of unknown values asks none.
        """
        if error is None or self.session.paused or isinstance(error, _CONTROL):
            return
        for told in self.at_leaving:
            told(error, frame)
        if self.sources.handled(frame.f_back, error):
            return
        name = type(error).__name__
        kind = _KINDS.get(name, Kind.ERROR)
        if kind is Kind.ERROR and hasattr(jax.errors, name) and name != "NonConcreteBooleanIndexError":
            return
        at = self.sources.raised_at(error.__traceback__)
        if at is not None:
            at = places.made(at)
            by, related = places.transforms(frame, self.session.entry), concerned(error, self.sources)
            self.seen(Observation(kind, at, described(error), name, traced_by=by, related=related))

    def showed(self, text: str) -> None:
        """A tracer was turned into ``text``."""
        self.shown_tracers += 1
        self._texts.append(text)

    def shows_tracer(self, *values: Any) -> bool:
        """Whether a string among ``values`` contains the text of a tracer."""
        return any(isinstance(value, str) and any(text in value for text in self._texts) for value in values)

    def visit(self, at: Span, value: Any, frame: FrameType) -> None:
        """A watched expression was evaluated."""
        if not self._sessions or self.session.paused:
            return
        session = self.session
        if (visit := session.visits.get(at)) is None:
            visit = session.visits[at] = Visit(at)
            session.traced.visits.append(visit)
        if private.tracing():
            if holds_tracer(value):
                visit.traced += 1
            else:
                visit.concrete += 1
        elif _in_callback(frame):
            visit.callback += 1
        else:
            visit.eager += 1
        visit.assumed += bool(session.assumptions)
        visit.functions += callable(value)
        if len(visit.values) < _EXAMPLES and (text := shown(value)) not in visit.values:
            visit.values += (text,)


def concerned(error: BaseException, sources: places.Sources) -> tuple[tuple[Span, str], ...]:
    """What an exception is about beside the place where it was raised."""
    return sources.created(error) or functions_given(error, sources)


def described(error: BaseException) -> str:
    """The class of an exception and the first line of what it says; where that announces more, what comes next."""
    try:
        first, _, rest = str(error).strip().partition("\n")
    except Exception:  # a __str__ of the project's own
        first = rest = ""
    more = " ".join(rest.strip().partition("\n\n")[0].split()) if first.endswith(":") else ""
    return f"{type(error).__name__}: {first[:200]}" + (f" {more[:300]}" if more else "")


def holds_tracer(value: Any) -> bool:
    """Whether a value, or what a small container holds, is a tracer that knows no value."""
    return next(tracers_in(value), None) is not None


def tracers_in(value: Any, depth: int = 2) -> Iterator[Any]:
    """A value, or those that a small container holds, which are tracers that know no value."""
    if private.is_abstract(value):
        yield value
    elif depth and isinstance(value, (tuple, list, dict)):
        for item in list(value.values() if isinstance(value, dict) else value)[:16]:
            yield from tracers_in(item, depth - 1)


def shown(value: Any) -> str:
    """A short text for a value, made without running its own code."""
    if private.is_tracer(value):
        return private.aval_text(value)
    if value is NOTHING:
        return "executed"
    if value is None or type(value) in (bool, int, float, complex, str, bytes):
        text = repr(value)
    elif type(value) in (tuple, list) and len(value) <= 8:
        inner = ", ".join(shown(item) for item in value)
        text = f"({inner})" if type(value) is tuple else f"[{inner}]"
    elif private.is_array(value):
        text = f"{value.dtype}[{','.join(map(str, value.shape))}]"
        if value.size == 1 and private.is_numpy(value):
            text = f"{text} {value.item()!r}"
    else:
        text = type(value).__name__
    return text if len(text) <= _LENGTH else text[: _LENGTH - 1] + "…"


class _Nothing:
    """What a statement without a value evaluates to."""


NOTHING = _Nothing()


def _in_callback(frame: FrameType) -> bool:
    return any(
        "jax" in caller.f_code.co_filename and caller.f_code.co_filename.endswith(("callback.py", "debugging.py"))
        for caller in places.frames(frame)
    )


RECORDER = Recorder()
