"""What an optimiser's `update` gives and nobody uses, by the text of the function that goes on without it.

updates, new_state = tx.update(grads, state)
return optax.apply_updates(params, updates), state      # the optimiser never moves on
return optax.apply_updates(params, grads), new_state    # the gradients are added, not the updates
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Unused(NamedTuple):
    """The variable ``name`` that ``update`` binds and nothing reads, and the one that is used in its place.  Where the
    name says that nobody wants it, as `_` does, that is well for an optimiser that keeps nothing."""

    update: ast.Call
    name: str
    instead: str


class _Update(NamedTuple):
    """`updates, state = tx.update(gradients, before)`, by the names of its variables, or of an attribute."""

    call: ast.Call
    updates: str
    state: str
    gradients: str
    before: str


def unused(_: ModuleText, function: ast.AST, applied: ast.Call) -> tuple[Unused, ...]:
    """What is left unused of the updates in a function that then calls `apply_updates`, as ``applied`` does."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) or len(applied.args) != 2:
        return ()
    given = applied.args[1]
    parts = list(descendants(function))
    names = [part for part in parts if isinstance(part, ast.Name)]
    read = {name.id for name in names if isinstance(name.ctx, ast.Load)}
    read |= {name for part in parts if isinstance(part, (ast.Global, ast.Nonlocal)) for name in part.names}
    found = []
    for one in _updates(parts):
        if not isinstance(given, ast.Name):
            continue
        if given.id == one.gradients and _is_lost(one.updates, read) and _is_bound_once(one.gradients, names):
            found.append(Unused(applied, one.updates, one.gradients))
        elif given.id == one.updates and (
            _is_trained(one, applied, parts) or _is_handed_back(one, parts)
            if not one.state.strip("_")
            else _is_lost(one.state, read) and _goes_on_with(one, parts)
        ):
            found.append(Unused(one.call, one.state, one.before))
    return tuple(found)


def _updates(parts: list[ast.AST]) -> Iterator[_Update]:
    for part in parts:
        match part:
            case ast.Assign(
                targets=[ast.Tuple(elts=[ast.Name(updates), ast.Name(state)])],
                value=ast.Call(func=ast.Attribute(attr="update"), args=[gradients, before, *_]) as call,
            ) if dotted(before):
                yield _Update(call, updates, state, getattr(gradients, "id", ""), dotted(before))


def _is_lost(name: str, read: set[str]) -> bool:
    """Whether nothing reads a variable, and its name does not say that nobody wants what it is bound to."""
    return bool(name.strip("_")) and name not in read


def _is_bound_once(name: str, names: list[ast.Name]) -> bool:
    return sum(one.id == name and not isinstance(one.ctx, ast.Load) for one in names) == 1


def _goes_on_with(one: _Update, parts: list[ast.AST]) -> bool:
    """Whether the state from before the update is returned, or comes to the same update in the next pass of a loop."""
    if _is_handed_back(one, parts):
        return True
    loops = [part for part in parts if isinstance(part, _LOOPS)]
    around = [loop for loop in loops if any(below is one.call for below in descendants(loop))]
    return any(_is_left(one.before, loop) for loop in around)


def _is_handed_back(one: _Update, parts: list[ast.AST]) -> bool:
    """Whether the state from before the update is returned."""
    for value in (part.value for part in parts if isinstance(part, ast.Return) and part.value is not None):
        held = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
        if any(dotted(item) == one.before for item in held):
            return True
    return False


def _is_trained(one: _Update, applied: ast.Call, parts: list[ast.AST]) -> bool:
    """Whether a loop takes along the parameters that it updates, and always the state that it began with."""
    for loop in (part for part in parts if isinstance(part, _LOOPS)):
        inside = list(descendants(loop))
        bindings = [part for part in inside if isinstance(part, ast.Assign) and part.value is applied]
        targets = {getattr(target, "id", "") for binding in bindings for target in binding.targets}
        if getattr(applied.args[0], "id", None) in targets and any(part is one.call for part in inside):
            return _is_left(one.before, loop)
    return False


def _is_left(name: str, loop: ast.AST) -> bool:
    """Whether a loop gives a variable no other value."""
    parts = [part for part in descendants(loop) if isinstance(part, (ast.Name, ast.Attribute))]
    return all(isinstance(one.ctx, ast.Load) for one in parts if dotted(one) in (name, name.partition(".")[0]))
