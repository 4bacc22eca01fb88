"""Updates that set one place of an array more than once: which of the values stays is not defined."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import avals, events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Array, At, Const, External, Value
from jaxlint.flow.limits import KNOWN_ITEMS, SHOWN_PARTS_DEPTH
from jaxlint.flow.models.arrays import crowded, results
from jaxlint.flow.models.names.bound_once import only_value
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.port import Interpreter

_MAKING = frozenset(f"{module}.{name}" for module in ("jax.numpy", "numpy") for name in ("array", "asarray"))
_FILLING = frozenset(
    f"{module}.{name}"
    for module in ("jax.numpy", "numpy")
    for name in "zeros ones full empty zeros_like ones_like full_like empty_like broadcast_to".split()
)
"""What makes rows that are all the same, where there is more than one."""


def check_set(it: Interpreter, owner: At, args: Arguments, node: ast.AST) -> None:
    """x.at[jnp.array([1, 1])].set(values), where each place is given a value of its own."""
    written = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    if not isinstance(written, ast.Subscript) or (isinstance(owner.index, Array) and owner.index.kind == "bool"):
        return
    given = _given(node)
    if given is None or crowded.check_set(it, owner, written, given, args, node):
        return
    array, values = results.aval_of(owner.array).shape, results.aval_of(args.get(0, "values")).shape
    if not values or (not _are_rows(values) if array is None else len(array) != len(values)):
        return
    numbers = _numbers(it, written.slice)
    if len(numbers) < 2 or values[0] != len(numbers):
        return
    places = [number + array[0] if number < 0 and array and array[0] is not None else number for number in numbers]
    if _is_all_same(it, given, SHOWN_PARTS_DEPTH.value):
        return
    items = _items(it, given)
    for number, place in enumerate(places):
        first = places.index(place)
        if first < number and not (items and _are_equal(items[first], items[number])):
            it.emit(events.SetAgain(node, place))
            return


def _given(node: ast.AST) -> ast.expr | None:
    """What is written for the values."""
    if not isinstance(node, ast.Call):
        return None
    return node.args[0] if node.args else next((one.value for one in node.keywords if one.arg == "values"), None)


def _are_rows(shape: avals.Shape) -> bool:
    """Whether it is one value for each row, as of a column: whatever that is written to has rows."""
    return len(shape) > 1 and all(size == 1 for size in shape[1:])


def _are_equal(one: Value, other: Value) -> bool:
    return isinstance(one, Const) and isinstance(other, Const) and one.value == other.value


def _is_all_same(it: Interpreter, written: ast.expr, depth: int) -> bool:
    """Whether all rows of an array are the same: one value fills it, or it is computed from such arrays and numbers."""
    with it.scratch(), it.quiet():
        value = it.eval(written)
    if isinstance(value, Const) or results.aval_of(value).shape == ():
        return True
    if depth == 0:
        return False
    if isinstance(written, ast.Name):
        made = only_value(it, written)
        return made is not None and _is_all_same(it, made, depth - 1)
    if isinstance(written, ast.UnaryOp):
        return _is_all_same(it, written.operand, depth - 1)
    if isinstance(written, ast.BinOp):
        return all(_is_all_same(it, side, depth - 1) for side in (written.left, written.right))
    if not isinstance(written, ast.Call):
        return False
    with it.scratch(), it.quiet():
        function = it.eval(written.func)
    return isinstance(function, External) and function.name in _FILLING


def _numbers(it: Interpreter, written: ast.expr) -> list[int]:
    """The numbers of an index that is an array of a list of them; none for any other."""
    items = _items(it, written)
    numbers = [item.value for item in items if isinstance(item, Const) and type(item.value) is int]
    return numbers if len(numbers) == len(items) else []


def _items(it: Interpreter, written: ast.expr) -> list[Value]:
    """The rows of what is written as an array of a list of them; none for anything else."""
    if isinstance(written, ast.Name):
        made = only_value(it, written)
        return [] if made is None or isinstance(made, ast.Name) else _items(it, made)
    if not isinstance(written, ast.Call) or len(written.args) != 1:
        return []
    with it.scratch(), it.quiet():
        function, listed = it.eval(written.func), it.eval(written.args[0])
        items = known_items(it, listed, KNOWN_ITEMS.value)
    if not isinstance(function, External) or function.name not in _MAKING or items is None:
        return []
    return items
