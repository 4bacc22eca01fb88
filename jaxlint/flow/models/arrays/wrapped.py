"""Whole numbers of few bits that wrap, where no single number that is too large shows it."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Array, Const, External, Value
from jaxlint.flow.limits import LIFTED_DEPTH
from jaxlint.flow.models.arrays import dtypes
from jaxlint.flow.models.names.bound_once import only_value
from jaxlint.flow.port import Interpreter

_RANGES = {
    **{f"int{bits}": range(-(1 << (bits - 1)), 1 << (bits - 1)) for bits in (8, 16, 32)},
    **{f"uint{bits}": range(1 << bits) for bits in (8, 16, 32)},
}
_NARROW = ("int8", "int16", "uint8", "uint16")
_OF_NUMBERS = frozenset(f"jax.numpy.{name}" for name in ("array", "asarray", *_RANGES))
_WRAPPING = (ast.Add, ast.Sub, ast.Mult)
_MADE_SMALL = (ast.FloorDiv, ast.Mod, ast.RShift, ast.BitAnd)
"""What makes room before an operation."""


def check_operator(it: Interpreter, op: ast.AST, left: Value, right: Value, node: ast.AST) -> None:
    """jnp.int32(1_700_000_000) * 1000, cells * 32 * 32 of uint8"""
    if not isinstance(op, _WRAPPING) or not isinstance(node, ast.BinOp):
        return
    for array, other, written in ((left, right, node.left), (right, left, node.right)):
        number, dtype = _number(other), _dtype(array)
        if number is None or not isinstance(array, Array) or not dtype:
            continue
        if isinstance(op, ast.Mult) and dtype in _NARROW:
            factor = _factor(it, written)
            if factor != 1 and number in _RANGES[dtype] and factor * number not in _RANGES[dtype]:
                _tell(it, events.ResultBeyond(node, factor * number, dtype, True))
        elif array.aval.shape == () and not dtype.startswith("u"):  # hashes are of numbers without a sign
            constant = _constant(it, written)
            numbers = (constant, number) if array is left else (number, constant)
            if constant is not None and _result(op, *numbers) not in _RANGES[dtype]:
                _tell(it, events.ResultBeyond(node, _result(op, *numbers), dtype, False))


def check_call(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """jnp.clip(frame + noise, 0, 255), jnp.maximum(frame - dark, 0) of uint8"""
    if name == "jax.numpy.clip" and args.positional:
        bounds = [args.get(1, "min"), args.get(2, "max"), args.named.get("a_min"), args.named.get("a_max")]
        _check_limited(it, "clip", args.positional[0], args.expression(node, 0), bounds, node)
    elif name in ("jax.numpy.maximum", "jax.numpy.minimum") and len(args.positional) == 2:
        how = name.rpartition(".")[2]
        for place in (0, 1):
            bounds = [None, None]
            bounds[how == "minimum"] = args.positional[1 - place]
            _check_limited(it, how, args.positional[place], args.expression(node, place), bounds, node)


def check_clip(it: Interpreter, array: Value, args: Arguments, node: ast.AST) -> None:
    """(frame + noise).clip(0, 255)"""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        bounds = [args.get(0, "min"), args.get(1, "max")]
        _check_limited(it, "clip", array, node.func.value, bounds, node)


def _check_limited(
    it: Interpreter, how: str, value: Value, written: ast.expr | None, bounds: list[Value | None], node: ast.AST
) -> None:
    """A sum is limited to all that its dtype can hold: that was to keep what it has lost by then."""
    dtype = _dtype(value)
    if not dtype:
        return
    given = [bound for bound in bounds if bound is not None and not (isinstance(bound, Const) and bound.value is None)]
    lower, upper = (_number(bound) if bound in given else None for bound in bounds[:2])
    written = only_value(it, written) if isinstance(written, ast.Name) else written
    if not isinstance(written, ast.BinOp) or not isinstance(written.op, _WRAPPING) or _makes_room(written):
        return
    numbers, limits = list(map(_number, given)), _RANGES[dtype]
    if not numbers or None in numbers:
        return
    if (lower is not None and lower > limits[0]) or (upper is not None and upper < limits[-1]):
        return
    if isinstance(written.op, ast.Sub) or upper is not None:
        _tell(it, events.LimitedTooLate(node, dtype, how))


def _makes_room(written: ast.BinOp) -> bool:
    parts = (written.left, written.right)
    return any(isinstance(part, ast.BinOp) and isinstance(part.op, _MADE_SMALL) for part in parts)


def _dtype(value: Value) -> str:
    """The dtype of an array of whole numbers of so many bits; empty if it is none, or only said to be."""
    if not isinstance(value, Array) or value.declared or value.aval.weak is not False:
        return ""
    return value.aval.dtype if value.aval.dtype in _RANGES else ""


def _tell(it: Interpreter, event: events.Event) -> None:
    if not dtypes.is_asked_for(it):
        it.emit(event)


def _number(value: Value | None) -> int | None:
    return value.value if isinstance(value, Const) and type(value.value) is int else None


def _result(op: ast.AST, a: int, b: int) -> int:
    return a + b if isinstance(op, ast.Add) else a - b if isinstance(op, ast.Sub) else a * b


def _written_number(it: Interpreter, written: ast.expr) -> int | None:
    """A number that is written, by itself or by the name of what is one."""
    if isinstance(written, ast.Constant):
        return written.value if type(written.value) is int else None
    if not isinstance(written, (ast.Name, ast.Attribute)):
        return None
    with it.quiet():
        return _number(it.eval(written))


def _factor(it: Interpreter, written: ast.expr, depth: int = 0) -> int:
    """What an array has been multiplied by."""
    if isinstance(written, ast.Name):
        written = only_value(it, written) or written
    if not isinstance(written, ast.BinOp) or not isinstance(written.op, ast.Mult) or depth > LIFTED_DEPTH.value:
        return 1
    for number, other in ((written.left, written.right), (written.right, written.left)):
        found = _written_number(it, number)
        if found is not None:
            return found * _factor(it, other, depth + 1)
    return 1


def _constant(it: Interpreter, written: ast.expr) -> int | None:
    """The number of which `jnp.int32(number)` makes an array."""
    if isinstance(written, ast.Name):
        written = only_value(it, written) or written
    if not isinstance(written, ast.Call) or not written.args or isinstance(written.args[0], ast.Starred):
        return None
    with it.quiet():
        function = it.eval(written.func)
    is_made = isinstance(function, External) and function.name in _OF_NUMBERS
    return _written_number(it, written.args[0]) if is_made else None
