"""Lists, dicts and sets: how they are made and filled.  No event comes from here.

Their contents live in the state: a list has `ITEMS` (a Tuple of known parts) or `ANY` (what any part may be);
a dict has one entry a known key under ("k", key) and `ANY`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.state import join_values
from jaxlint.flow.domain.values import (
    ANY,
    ITEMS,
    Const,
    Container,
    Function,
    Iterator,
    Method,
    Opaque,
    Partial,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
    held,
)
from jaxlint.flow.limits import KNOWN_ITEMS
from jaxlint.flow.models.objects.iteration import iterate, known_items
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import free_names


def make(it: Interpreter, kind: str, items: list[Value] | None, elements: list[Value] | None = None) -> Container:
    """A new list or set with exactly ``items``, a dict with none yet, or one of these with unknown many of
    ``elements``."""
    made = Container(kind, it.ctx)
    cell = it.state.write(made)
    if items is not None and kind != "dict":
        cell[ITEMS] = Tuple(tuple(items))
    elif items is None:
        any_value: Value = elements[0] if elements else Opaque("an element")
        for value in (elements or [])[1:]:
            any_value = join_values(any_value, it.state, value, it.state, it.state)
        cell[ANY] = any_value
    return made


def held_by_default(args: Arguments) -> str:
    """What ``batch.get("extra", {})`` finds in an unknown dict, by the default that it is called with."""
    return held(args.positional[1] if len(args.positional) == 2 else args.named.get("default"))


def put(it: Interpreter, target: Container, key: Value, value: Value) -> None:
    """target[key] = value without any event."""
    cell = it.state.write(target)
    if target.kind == "dict":
        if isinstance(key, Const):
            cell[("k", key.value)] = value
            return
        _replace_one_of(it, target, value, lambda known: may_be(key, known))
        cell = it.state.write(target)
    elif isinstance(key, Const) and isinstance(key.value, int) and isinstance(cell.get(ITEMS), Tuple):
        items = list(cell[ITEMS].items)  # type: ignore[attr-defined]
        if -len(items) <= key.value < len(items):
            items[key.value] = value
            cell[ITEMS] = Tuple(tuple(items))
            return
    else:
        loosen(it, target)
        cell = it.state.write(target)
    old = cell.get(ANY)
    cell[ANY] = value if old is None else join_values(old, it.state, value, it.state, it.state)


def _replace_one_of(it: Interpreter, target: Container, value: Value, among: Callable[[object], bool]) -> None:
    """One of the entries, or a new one, is ``value`` from now on: each of those that it may be is either."""
    cell = it.state.write(target)
    for entry, old in list(cell.items()):
        if isinstance(entry, tuple) and among(entry[1]):
            cell[entry] = join_values(old, it.state, value, it.state, it.state)


def may_be(key: Value, known: object) -> bool:
    """Whether a key that only the run knows may be this one."""
    if isinstance(key, Static) and key.kind in _KINDS:
        return type(known).__name__ in _KINDS[key.kind]
    if isinstance(key, Union):
        return any(may_be(option, known) for option in key.options)
    return isinstance(key, (Opaque, Static, Tree)) or (isinstance(key, Const) and key.value == known)


_KINDS = {"str": ("str",), "int": ("int", "float", "bool"), "float": ("int", "float", "bool"), "bool": ("int", "bool")}
"""Of which types that may be which is equal to a key of some kind, by the names of the types."""


def loosen(it: Interpreter, target: Container) -> None:
    """Forgets which parts there are, but not what they may be."""
    cell = it.state.write(target)
    known = cell.pop(ITEMS, None)
    if isinstance(known, Tuple) and known.items:
        values = list(known.items) + ([cell[ANY]] if ANY in cell else [])
        joined = values[0]
        for value in values[1:]:
            joined = join_values(joined, it.state, value, it.state, it.state)
        cell[ANY] = joined


def _replace_any(it: Interpreter, target: Container, value: Value) -> None:
    """Each entry of a dict may have become ``value``, and there may be others."""
    cell = it.state.write(target)
    for key, old in list(cell.items()):
        cell[key] = join_values(old, it.state, value, it.state, it.state)
    cell.setdefault(ANY, value)


def forget(it: Interpreter, target: Value) -> None:
    """The contents changed in a way nobody can follow."""
    cell = it.state.write(target)
    cell.clear()
    cell[ANY] = Opaque("an element")


def leave_to_unseen(it: Interpreter, value: Value) -> None:
    """What is empty where code that is not followed is given it may be there to be filled."""
    if isinstance(value, Container):
        if known_items(it, value, KNOWN_ITEMS.value) == []:
            forget(it, value)
    elif isinstance(value, Method):
        leave_to_unseen(it, value.receiver)
    elif isinstance(value, (Tuple, Union)):
        for part in value.items if isinstance(value, Tuple) else value.options:
            leave_to_unseen(it, part)
    elif isinstance(value, (Partial, Transformed)):
        leave_to_unseen(it, value.function)
    elif isinstance(value, Function):
        _leave_variables(it, value)


def _leave_variables(it: Interpreter, function: Function) -> None:
    """A function that others call may fill what it finds in the variables around it."""
    frame = function.frame
    read = free_names(function.node, it.facts_of(function.node)) if frame is not None else ()
    while frame is not None and frame.function is not None:
        cell = it.state.read(frame)
        for name in sorted(read):
            if isinstance(held := cell.get(name), Container):
                leave_to_unseen(it, held)
        frame = frame.parent


def append(it: Interpreter, target: Container, value: Value) -> None:
    cell = it.state.write(target)
    known = cell.get(ITEMS)
    if isinstance(known, Tuple) and len(known.items) < KNOWN_ITEMS.value and not it.loops:
        cell[ITEMS] = Tuple((*known.items, value))
        return
    loosen(it, target)
    cell = it.state.write(target)
    old = cell.get(ANY)
    cell[ANY] = value if old is None else join_values(old, it.state, value, it.state, it.state)


def extend(it: Interpreter, target: Container, value: Value, node: ast.AST) -> None:
    """list.extend / dict.update / ** in a display."""
    if target.kind == "dict":
        is_sequence = isinstance(value, (Iterator, Tuple)) or (isinstance(value, Container) and value.kind != "dict")
        pairs = known_items(it, value, KNOWN_ITEMS.value) if is_sequence else None
        if isinstance(value, Container) and value.kind == "dict":
            given = it.state.read(value)
            if ANY in given:
                _replace_one_of(it, target, given[ANY], lambda known: ("k", known) not in given)
            it.state.write(target).update(given)
        elif pairs is not None and all(isinstance(pair, Tuple) and len(pair.items) == 2 for pair in pairs):
            for pair in pairs:
                put(it, target, pair.items[0], pair.items[1])  # type: ignore[attr-defined]
        else:
            _replace_any(it, target, value.element() if isinstance(value, Tree) else Opaque("a value"))
        return
    items = known_items(it, value, KNOWN_ITEMS.value)
    if items is None:
        append(it, target, iterate(it, value, node))
        loosen(it, target)
    else:
        for item in items:
            append(it, target, item)
