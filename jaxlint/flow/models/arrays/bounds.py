"""Calls that read or write at a constant place beyond the end of an axis."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.avals import Shape
from jaxlint.flow.domain.values import Const, Value
from jaxlint.flow.models.arrays.results import Call, aval_of
from jaxlint.flow.port import Interpreter

_Part = tuple[int | None, int | None, int | None]
"""Where something begins, how many elements it has, and how many the axis has."""


def check_call(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    if args.open_ended or args.unsure:
        return
    if name == "jax.numpy.take":
        _check_take(it, args, node)
        return
    parts = _SLICES.get(name)
    for start, count, size in parts(Call(it, args)) if parts is not None else ():
        if start is not None and count is not None and size is not None and 0 <= start <= size < start + count:
            if count <= size:  # else JAX refuses it
                it.emit(events.SliceMoved(node, name, start, count, size))
                return


def _check_take(it: Interpreter, args: Arguments, node: ast.AST) -> None:
    """jnp.take(x, 10, axis)"""
    index, shape = _number(args.get(1, "indices")), aval_of(args.get(0, "a")).shape
    axis = args.get(2, "axis")
    if index is None or shape is None or {"mode", "fill_value", "out"} & args.named.keys() or len(args.positional) > 3:
        return
    if axis is None or (isinstance(axis, Const) and axis.value is None):
        size = shape[0] if len(shape) == 1 else None
    else:
        place = _number(axis)
        size = shape[place] if place is not None and -len(shape) <= place < len(shape) else None
    if size is not None and not -size <= index < size:
        it.emit(events.IndexBeyond(node, index, size, False, fills=True))


def _number(value: Value | None) -> int | None:
    return value.value if isinstance(value, Const) and type(value.value) is int else None


def _numbers(call: Call, value: Value | None) -> Sequence[int | None]:
    return [_number(item) for item in call.items(value) or ()]


def _in_all(counts: Callable[[Call], Sequence[int | None]], starts: int) -> Callable[[Call], Iterator[_Part]]:
    def parts(call: Call) -> Iterator[_Part]:
        shape: Shape = aval_of(call.args.get(0, "operand")).shape or ()
        return zip(_numbers(call, call.args.get(starts, "start_indices")), counts(call), shape)

    return parts


def _in_one(counts: Callable[[Call, int], int | None], start: int) -> Callable[[Call], Iterator[_Part]]:
    def parts(call: Call) -> Iterator[_Part]:
        shape: Shape = aval_of(call.args.get(0, "operand")).shape or ()
        given = call.args.get(3, "axis")
        axis = 0 if given is None else _number(given)
        if axis is not None and -len(shape) <= axis < len(shape):
            yield _number(call.args.get(start, "start_index")), counts(call, axis), shape[axis]

    return parts


def _update_along(call: Call, axis: int) -> int | None:
    shape = aval_of(call.args.get(1, "update")).shape or ()
    return shape[axis] if -len(shape) <= axis < len(shape) else None


_SLICES: dict[str, Callable[[Call], Iterator[_Part]]] = {
    "jax.lax.dynamic_slice": _in_all(lambda call: _numbers(call, call.args.get(2, "slice_sizes")), 1),
    "jax.lax.dynamic_update_slice": _in_all(lambda call: aval_of(call.args.get(1, "update")).shape or (), 2),
    "jax.lax.dynamic_slice_in_dim": _in_one(lambda call, axis: _number(call.args.get(2, "slice_size")), 1),
    "jax.lax.dynamic_update_slice_in_dim": _in_one(_update_along, 2),
}
