"""Places in objects that are written, and the writes to them that are held back."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from jaxlint.flow.domain import events
from jaxlint.flow.domain.contexts import Context
from jaxlint.flow.domain.values import Const, Container, Value
from jaxlint.flow.source.trees import FunctionNode

PUSH, POP, CLEAR = "push", "pop", "clear"


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in an object that is written: an attribute, a variable, an item, or (PUSH) one more item.

    ``before`` is what it held, where that is known; ``step`` is the whole ``x += 1``.
    """

    owner: Value
    place: Any
    before: Value | None = None
    step: ast.AugAssign | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """``running`` are the functions that ran at the write, ``before`` counts those that were noted up to then."""

    slot: Slot
    event: events.OuterWrite
    trace: Context
    running: tuple[FunctionNode, ...]
    before: int


Ran = tuple["FunctionNode | Ran", ...]
"""The functions that have run, in their order; those of a summary are kept together."""


@dataclass(frozen=True, slots=True)
class Write:
    """A write in a summary: it may undo earlier ones of its trace, else an ``event`` waits for whatever undoes it.

    ``running`` are the functions of the summary that ran, ``before`` counts those that had run in it.
    """

    slot: Slot
    value: Value | None
    event: events.OuterWrite | None
    running: tuple[FunctionNode, ...]
    before: int


class Writes:
    """What a summary that is made writes in the trace that it is made in, in the order of time, and the functions that
    it ``ran``.  Around it so many functions were running: ``depth``."""

    __slots__ = ("depth", "found", "ran", "trace")

    def __init__(self, trace: Context, depth: int) -> None:
        self.trace = trace
        self.depth = depth
        self.found: list[Write] = []
        self.ran: list[FunctionNode | Ran] = []


_GROWS = frozenset("append add insert appendleft extend extendleft".split())


_SHRINKS = frozenset("pop popitem popleft remove discard".split())


def slot_of_call(owner: Container, name: str, arguments: list[Value]) -> Slot:
    """What a method that changes a container writes."""
    if name in _GROWS:
        return Slot(owner, PUSH)
    if name == CLEAR:
        return Slot(owner, CLEAR)
    if name == "pop" and owner.kind == "dict" and arguments and isinstance(arguments[0], Const):
        return Slot(owner, ("deleted", arguments[0].value))
    return Slot(owner, POP if name in _SHRINKS else name)


def method_of(slot: Slot) -> str:
    """What a method does to a container, in a word: it may push, pop or clear, or do what its name says."""
    return slot.place if isinstance(slot.place, str) else POP


def slot_of_item(
    owner: Value, index: Value, before: Value | None = None, step: ast.AugAssign | None = None, deleted: bool = False
) -> Slot:
    """What ``owner[index] = …`` or ``del owner[index]`` writes."""
    key = index.value if isinstance(index, Const) else index
    return Slot(owner, ("deleted" if deleted else "item", key), before, step)
