"""Axes that `transpose` is given: each of the array's, once.  (In torch it swaps two.)"""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Array, Const, Static, Tuple, Value
from jaxlint.flow.limits import KNOWN_ITEMS
from jaxlint.flow.models.arrays import results
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.port import Interpreter

FUNCTIONS = {"jax.numpy.transpose": "axes", "jax.numpy.permute_dims": "axes", "jax.lax.transpose": "permutation"}


def check_call(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """jnp.transpose(x, (1, 2))"""
    if name in FUNCTIONS and args.positional and not (args.open_ended or args.unsure):
        axes = args.get(1, FUNCTIONS[name])
        _check(it, args.positional[0], name, [] if axes is None else [axes], node)


def check_method(it: Interpreter, owner: Array, args: Arguments, node: ast.AST) -> None:
    """x.transpose(1, 2)"""
    if not args.named and not (args.open_ended or args.unsure):
        _check(it, owner, "transpose", args.positional, node)


def _check(it: Interpreter, value: Value, operation: str, given: list[Value], node: ast.AST) -> None:
    if not isinstance(value, Array) or value.declared:
        return
    ndim, axes = results.aval_of(value).ndim, _axes(it, given)
    if ndim is None or axes is None:
        return
    numbers = [axis.value + ndim * (axis.value < 0) for axis in axes if isinstance(axis, Const)]
    if len(axes) != ndim or (len(numbers) == ndim and sorted(numbers) != list(range(ndim))):
        it.emit(events.AxesRefused(node, operation, len(axes), ndim))


def _axes(it: Interpreter, given: list[Value]) -> list[Value] | None:
    """The axes, where it is known how many there are; None stands for all in reverse."""
    axes: list[Value] | None = given
    if len(given) == 1 and not _is_axis(given[0]):
        axes = known_items(it, given[0], KNOWN_ITEMS.value) if isinstance(given[0], Tuple) else None
    return axes if axes and all(map(_is_axis, axes)) else None


def _is_axis(value: Value) -> bool:
    if isinstance(value, Const):
        return type(value.value) is int
    return isinstance(value, Static) and value.kind == "int"
