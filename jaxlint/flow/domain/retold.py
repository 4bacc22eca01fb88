"""What happens in a summary is told at each of its applications: another call is another way to the same place.

The events of a summary have the reasons of the call that it was made for.  Each call has reasons of its own: why its
arguments are tracers, and under which trace it runs.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, fields
from typing import Protocol

from jaxlint.flow.domain.contexts import Context, Provenance
from jaxlint.flow.domain.events import Event
from jaxlint.flow.domain.values import Opaque, Static, Value
from jaxlint.flow.limits import SUMMARY_WAYS


class Argument(Provenance):
    """Why an argument of the call is a tracer that a summary is made for: stands for the reason of any other call.
    Arguments with one reason have each a step of their own, which those of another call need not share."""

    __slots__ = ()


def with_own_reason(symbol: Value) -> Value:
    """An argument of a summary, whose reason can now be told from those of the others."""
    reason = reason_of(symbol)
    if reason is not None:
        _give_reason(symbol, Argument(reason.why, reason.names, reason.scope, reason.node, reason.parent))
    return symbol


def reason_of(value: Value | None) -> Provenance | None:
    """Why a value is a tracer, holds one, or was made of one."""
    if isinstance(value, Static):
        return reason_of(value.tainted)
    found: Provenance | None = value.derived if isinstance(value, Opaque) else getattr(value, "provenance", None)
    return found


def _give_reason(value: Value, reason: Provenance | None) -> None:
    if isinstance(value, Static):
        value.tainted = copy.copy(value.tainted)
        assert value.tainted is not None
        _give_reason(value.tainted, reason)
    elif isinstance(value, Opaque):
        value.derived = reason
    else:
        value.provenance = reason  # type: ignore[attr-defined]


class Teller(Protocol):
    """Who is told of events again: the interpreter."""

    ctx: Context

    def tell(self, event: Event, first: Event, call: ast.AST | None = None) -> None: ...


class Reasons:
    """From why something is a tracer in a summary to why it is one in a call of it."""

    def __init__(self) -> None:
        self._known: dict[Provenance, Provenance] = {}

    @classmethod
    def between(cls, before: list[Provenance | None], now: list[Provenance | None]) -> Reasons | None:
        """From the reasons of one evaluation, in their order, to those of another; None where values that had one
        reason have several now."""
        if any(known is not one for one, known in zip(now, map(dict(zip(before, now)).get, before))):
            return None
        reasons = cls()
        for symbolic, actual in zip(before, now):
            reasons.note(symbolic, actual)
        return reasons

    def note(self, symbolic: Provenance | None, actual: Provenance | None) -> None:
        if symbolic is not None and actual is not None and symbolic is not actual:
            self._known.setdefault(symbolic, actual)

    def __call__(self, step: Provenance | None) -> Provenance | None:
        if step is None or not self._known:
            return step
        found = self._known.get(step)
        if found is None:
            parent = self(step.parent)
            found = step if parent is step.parent else Provenance(step.why, step.names, step.scope, step.node, parent)
            self._known[step] = found
        return found


@dataclass(slots=True)
class Trace:
    """A closure that was traced: the functions that this has run, and what happened.  ``reasons`` are those around it;
    ``whole``: nothing in it was beyond a limit."""

    ran: set[ast.AST]
    told: Told
    reasons: list[Provenance | None]
    whole: bool

    def tells(self, it: Teller, reasons: list[Provenance | None]) -> bool:
        """Tells what happens where something of the same kind is traced; False if that has to be found out."""
        known = Reasons.between(self.reasons, reasons) if self.whole else None
        if known is not None:
            self.told.tell(it, known)
        return known is not None


class Told:
    """The events of an evaluation in the context ``context``, which the checks have not been told of.

    Each was emitted here or is one that a summary in it tells; of those that stand for one event the first ways are
    kept, each once.
    """

    __slots__ = ("_ways", "context", "events")

    def __init__(self, context: Context) -> None:
        self.context = context
        self.events: dict[Hashable, tuple[Event, Event]] = {}
        self._ways: Counter[int] = Counter()

    def add(self, event: Event, first: Event) -> None:
        """Notes an event that stands for ``first``, which may be itself."""
        ways = map(_way, _reasons(event)) if event.has_reasons else ()
        key = (id(first), event.way, *ways)
        if key not in self.events and self._ways[id(first)] < SUMMARY_WAYS.value:
            self._ways[id(first)] += 1
            self.events[key] = (event, first)

    def tell(self, it: Teller, reason: Reasons, call: ast.AST | None = None) -> None:
        """Tells of the events as those of a ``call`` that is made here."""
        again = Again(self.context, it.ctx, reason)
        for event, first in self.events.values():
            told = again.event(event)
            if told is not None:
                it.tell(told, first, call)


_NAMES: dict[type, tuple[str, ...]] = {}


def _names(kind: type[Event]) -> tuple[str, ...]:
    if kind not in _NAMES:
        _NAMES[kind] = tuple(field.name for field in fields(kind))
    return _NAMES[kind]


def _copied(event: Event) -> Event:
    """`copy.copy`, which asks each time which fields there are."""
    kind = type(event)
    again = kind.__new__(kind)
    for name in _names(kind):
        setattr(again, name, getattr(event, name))
    return again


def _values(event: Event) -> Iterator[tuple[str, Value]]:
    for name in _names(type(event)):
        value = getattr(event, name)
        if isinstance(value, Value):
            yield name, value


def reasons_of(event: Event) -> Iterator[Provenance]:
    """Why what is known of an event is so: of its trace, and of the values in it."""
    return (reason for reason in _reasons(event) if reason is not None)


def _reasons(event: Event) -> Iterator[Provenance | None]:
    yield event.context.provenance
    yield from (reason_of(value) for _, value in _values(event))


def _way(reason: Provenance | None) -> Hashable:
    """What the same way has in common, wherever its steps were made."""
    steps: list[Hashable] = []
    while reason is not None:
        if isinstance(reason, Argument):
            return (*steps, id(reason))
        steps.append((reason.why, reason.names, reason.node))
        reason = reason.parent
    return tuple(steps)


class Again:
    """Makes events of one context those of another, for the reasons that hold there."""

    def __init__(self, before: Context, now: Context, reason: Reasons) -> None:
        self.reason = reason
        self.contexts: dict[Context, Context] = {before: now}

    def event(self, event: Event) -> Event | None:
        again = _copied(event)
        if not again.happens_in(self.context(event.context)):
            return None
        for name, value in _values(event):
            known = reason_of(value)
            reason = self.reason(known)
            if reason is not known:
                told = copy.copy(value)
                _give_reason(told, reason)
                setattr(again, name, told)
        return again

    def context(self, context: Context) -> Context:
        found = self.contexts.get(context)
        if found is None:
            found = context
            if context.parent is not None:
                parent = self.context(context.parent)
                if parent is not context.parent:
                    found = copy.copy(context)
                    found.parent, found.provenance = parent, self.reason(context.provenance)
            self.contexts[context] = found
        return found
