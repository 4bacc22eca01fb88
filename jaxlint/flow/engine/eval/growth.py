"""What grows from pass to pass of a loop, such as a counter or a tree, has no end in sight: it may be anything of its
kind.

This is what makes loops end that never come to the same twice; it only ever forgets.
"""

from __future__ import annotations

from collections.abc import Iterable

from jaxlint.flow.domain.asked import known_of
from jaxlint.flow.domain.state import Cell, State, other_items
from jaxlint.flow.domain.values import Const, Container, Frame, Instance, Opaque, Static, Tuple, Value
from jaxlint.flow.limits import ORDERED_DEPTH
from jaxlint.flow.models.objects import containers
from jaxlint.flow.port import Interpreter


def widen(it: Interpreter, before: State, earlier: State) -> None:
    """Forgets of what is known now what has grown since ``before``, as it had since ``earlier``."""
    growth = _Growth(it, before, earlier)
    for owner, cell in list(other_items(it.state.cells, before.cells)):
        if before.holds(owner):
            inside = 0 if isinstance(owner, Frame) else 1
            grown = growth.of_cell(cell, before.read(owner), earlier.read(owner), inside)
            if grown:
                it.state.write(owner).update(grown)


class _Growth:
    """Finds what is another number, or longer, after each of two passes."""

    def __init__(self, it: Interpreter, before: State, earlier: State) -> None:
        self.it = it
        self.before = before
        self.earlier = earlier

    def of_cell(self, now: Cell, before: Cell, earlier: Cell, depth: int) -> Cell:
        """What is to be held in place of what has grown."""
        found = {}
        for name, value in known_of(now).items():
            old, oldest = before.get(name), earlier.get(name)
            if old is not None and value is not old:
                grown = self.of(value, old, oldest, depth)
                if grown is not None:
                    found[name] = grown
        return found

    def of(self, now: Value, before: Value, earlier: Value | None, depth: int) -> Value | None:
        if depth and self._is_deeper(now, before, earlier):
            return Opaque("a nested value")
        if earlier is None or depth > ORDERED_DEPTH.value or len({type(now), type(before), type(earlier)}) > 1:
            return None
        if isinstance(now, Const):
            numbers = {one.value for one in (now, before, earlier) if isinstance(one, Const) and _counts(one)}
            return Static(type(now.value).__name__, sure=True) if len(numbers) == 3 else None
        if isinstance(now, Tuple):
            return self._of_tuple(now, before, earlier, depth)  # type: ignore[arg-type]
        if isinstance(now, (Instance, Container)) and now is not before:
            state = self.it.state
            grown = self.of_cell(state.read(now), self.before.read(before), self.earlier.read(earlier), depth + 1)
            if grown:
                state.write(now).update(grown)
        return None

    def _is_deeper(self, now: Value, before: Value, earlier: Value | None) -> bool:
        deep = _depth(before, self.before)
        return (0 if earlier is None else _depth(earlier, self.earlier)) < deep < _depth(now, self.it.state)

    def _of_tuple(self, now: Tuple, before: Tuple, earlier: Tuple, depth: int) -> Value | None:
        if len(now.items) != len(before.items):
            if len(before.items) == len(earlier.items) or now.cls is not None:
                return None
            return containers.make(self.it, "tuple", None, list(now.items))
        if len(before.items) != len(earlier.items):
            return None
        parts = [self.of(*row, depth + 1) for row in zip(now.items, before.items, earlier.items)]
        if all(part is None for part in parts):
            return None
        return now.with_other(tuple(part or item for part, item in zip(parts, now.items)))


def _depth(value: Value, state: State, around: int = 0) -> int:
    """How many objects are inside one another."""
    parts: Iterable[Value] = ()
    if isinstance(value, Tuple):
        parts = value.items
    elif isinstance(value, (Container, Instance)):
        parts = known_of(state.read(value)).values()
    if around > ORDERED_DEPTH.value:
        return 0
    return 1 + max((_depth(part, state, around + 1) for part in parts), default=0)


def _counts(constant: Const) -> bool:
    return isinstance(constant.value, (int, float, complex, str, bytes)) and not isinstance(constant.value, bool)
