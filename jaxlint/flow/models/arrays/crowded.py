"""Updates that set more entries than there are places: some place comes more than once, whatever the numbers are."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from math import prod

from jaxlint.flow.domain import avals, events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Array, At, Const, External, HostArray, Tuple, Value
from jaxlint.flow.models.arrays import results
from jaxlint.flow.models.names.bound_once import only_value
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants


def check_set(
    it: Interpreter, owner: At, written: ast.Subscript, given: ast.expr, args: Arguments, node: ast.AST
) -> bool:
    """`x.at[labels].set(rows)`, and `x.at[labels].set(x[labels] + 1)`, where ``given`` is written for the values."""
    found = _crowd(owner) if "mode" not in args.named else None
    values = args.get(0, "values")
    if found is None or values is None:
        return False
    entries, places, axes = found
    adds = _adds_to_itself(written, given)
    if not adds and (not _has_one_each(owner, values, entries, axes) or _is_of_index(it, written.slice, given)):
        return False
    return it.emit(events.SetOften(node, prod(filter(None, entries)), places, adds))


def _crowd(owner: At) -> tuple[avals.Shape, int, int] | None:
    """The shape of what indexes, the number of places for that and of the axes, if these are too few.  Beside arrays of
    which nothing is known there are no more places than elements."""
    shape = results.aval_of(owner.array).shape
    parts: Sequence[Value] = owner.index.items if isinstance(owner.index, Tuple) else (owner.index or Const(...),)
    if shape is None or len(parts) > len(shape):
        return None
    arrays = [isinstance(part, (Array, HostArray)) for part in parts]
    found = list(map(results.aval_of, parts))
    if not all(one.kind == "int" or (is_array and not one.kind) for one, is_array in zip(found, arrays)):
        return None
    entries = [one.shape for one, is_array in zip(found, arrays) if is_array and one.shape is not None]
    known = all(one.kind == "int" and one.shape is not None for one in found)
    sizes = [size for size, is_array in zip(shape, arrays) if is_array] if known else [*shape]
    broadcast = avals.broadcast(entries) if entries and None not in sizes else None
    if not broadcast or None in broadcast:
        return None
    count, places = (prod(size for size in one if size is not None) for one in (broadcast, sizes))
    return (broadcast, places, len(parts)) if count > places > 0 else None


def _adds_to_itself(written: ast.Subscript, given: ast.expr) -> bool:
    """x.at[i].set(x[i] + y)"""
    array = written.value.value if isinstance(written.value, ast.Attribute) else None
    if array is None or not isinstance(given, ast.BinOp) or not isinstance(given.op, (ast.Add, ast.Sub)):
        return False
    own = ast.dump(array), ast.dump(written.slice)
    sides = (given.left, given.right) if isinstance(given.op, ast.Add) else (given.left,)
    read = [side for side in sides if isinstance(side, ast.Subscript)]
    return any((ast.dump(side.value), ast.dump(side.slice)) == own for side in read)


def _has_one_each(owner: At, values: Value, entries: avals.Shape, axes: int) -> bool:
    """Whether there is a value of its own for each entry of a vector of numbers."""
    array, shape = results.aval_of(owner.array).shape, results.aval_of(values).shape
    if array is None or not shape or len(entries) != 1 or len(shape) != len(array) - axes + 1:
        return False
    return shape[0] == entries[0]


def _is_of_index(it: Interpreter, index: ast.expr, given: ast.expr) -> bool:
    """Whether the values may be the same wherever the index is, or are numbers of the entries, of which one is wanted:
    they are computed of the index, filled in, or counted.  And whether the index may be beyond the array on purpose."""
    names, made = _names(index), _made(it, given)
    if isinstance(made, ast.Constant) or not names.isdisjoint(_names(given) | _names(made)):
        return True
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return _calls(it, made, _ALIKE) or any(_calls(it, _made(it, part), _CHOOSING) for part in parts)


def _made(it: Interpreter, written: ast.expr) -> ast.expr:
    return (only_value(it, written) or written) if isinstance(written, ast.Name) else written


def _calls(it: Interpreter, written: ast.expr, names: frozenset[str]) -> bool:
    """Whether one of some functions of JAX or NumPy is called in what is written."""
    calls = [part for part in descendants(written) if isinstance(part, ast.Call)]
    with it.scratch(), it.quiet():
        called = [it.eval(call.func) for call in calls]
    return any(isinstance(one, External) and one.name in names for one in called)


_MODULES = ("jax.numpy", "numpy")
_ALIKE = frozenset(
    f"{module}.{name}"
    for module in _MODULES
    for name in "zeros ones full zeros_like ones_like full_like broadcast_to arange".split()
)
_CHOOSING = frozenset(f"{module}.{name}" for module in _MODULES for name in ("where", "select"))
"""What may put a number beyond the array for what is to be left out."""


def _names(node: ast.expr) -> set[str]:
    return {part.id for part in descendants(node) if isinstance(part, ast.Name)}
