"""Numbers of Python that do not fit into the dtype of the array that they meet."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.avals import INEXACT, Aval
from jaxlint.flow.domain.values import Array, Const, Container, Tuple, Value
from jaxlint.flow.limits import KNOWN_ITEMS, LIFTED_DEPTH
from jaxlint.flow.models.arrays import dtypes, results
from jaxlint.flow.models.names.bound_once import only_value
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.port import Interpreter

_BITS = {"int8": 8, "int16": 16, "uint8": 8, "uint16": 16, "uint32": 32}
_AS_IT_IS = (ast.Pow, ast.LShift, ast.RShift, ast.MatMult)
"""Operators whose other operand is a count."""
_WRAPPING = (ast.Add, ast.Sub, ast.Mult)
_MAKING = frozenset(("jax.numpy.array", "jax.numpy.asarray"))
_MEETING = frozenset(f"jax.numpy.{name}" for name in "add subtract multiply maximum minimum mod where clip".split())


def _fits(number: int, bits: int, unsigned: bool = False) -> bool:
    lowest = 0 if unsigned else -(1 << (bits - 1))
    return lowest <= number < lowest + (1 << bits)


def check_operator(it: Interpreter, op: ast.AST, left: Value, right: Value, node: ast.AST) -> None:
    """x + 2**31, pixels * 300, (pixels - others) ** 2"""
    if isinstance(op, ast.Pow) and isinstance(node, ast.BinOp) and isinstance(right, Const) and right.value == 2:
        _check_difference(it, "** 2", left, node.left, node)
    if isinstance(op, _AS_IT_IS):
        return
    for array, other in ((left, right), (right, left)):
        number = _number(other)
        if number is None or not isinstance(array, Array) or array.declared:
            continue
        dtype = array.aval.dtype
        if not _fits(number, 32):
            it.emit(events.NumberBeyond(node, number, "", False))
        elif isinstance(op, _WRAPPING) and dtype in _BITS and array.aval.weak is False:
            if not _fits(number, _BITS[dtype], dtype.startswith("u")) and not dtypes.is_asked_for(it):
                it.emit(events.NumberBeyond(node, number, dtype, True))


def check_update(it: Interpreter, array: Value, name: str, args: Arguments, node: ast.AST) -> None:
    """counts.at[i].add(0.5), pixels.at[i].set(300)"""
    value = args.get(0, "values")
    if not isinstance(array, Array) or array.declared or value is None or name in _DIVIDING or dtypes.is_asked_for(it):
        return
    aval, number = array.aval, _number(value)
    is_declared = isinstance(value, Array) and value.declared
    given = Aval() if is_declared else results.aval_of(value)
    stored = "float" if given.dtype == INEXACT else given.kind
    if stored in _CUT_OFF.get(aval.kind, ()):
        it.emit(events.CutOff(node, aval.dtype if aval.kind == "int" else "floats", stored))
    elif aval.dtype in _BITS and number is not None:
        if not _fits(number, _BITS[aval.dtype], aval.dtype.startswith("u")):
            it.emit(events.NumberBeyond(node, number, aval.dtype, True))


_CUT_OFF = {"int": ("float", "complex"), "float": ("complex",)}
"""What arrays of a kind cut off of what they are given to store."""

_DIVIDING = ("divide", "get", "apply")
"""Methods of `x.at[i]` whose result has a dtype of its own, or that store nothing."""


def check_call(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """jnp.array(2**40), jnp.minimum(x, 2**32), jnp.abs(pixels - others)"""
    if name in _OF_DISTANCES and len(args.positional) == 1:
        _check_difference(it, _OF_DISTANCES[name], args.positional[0], args.expression(node, 0), node)
    if name in _MAKING:
        numbers = _listed(it, args.positional[0]) if len(args.positional) == 1 and not args.named else []
    elif name in _MEETING and any(isinstance(value, Array) and not value.declared for value in args.positional):
        numbers = args.positional
    else:
        return
    for number in filter(None, map(_number, numbers)):
        if not _fits(number, 32):
            it.emit(events.NumberBeyond(node, number, "", False))
            return


def _check_difference(it: Interpreter, how: str, value: Value, written: ast.expr | None, node: ast.AST) -> None:
    """A distance is made of a difference that is never below zero: an array of unsigned numbers wraps."""
    written = only_value(it, written) if isinstance(written, ast.Name) else written
    if isinstance(value, Array) and isinstance(written, ast.BinOp) and isinstance(written.op, ast.Sub):
        if value.aval.dtype in _UNSIGNED and value.aval.weak is False and not value.declared:
            it.emit(events.UnsignedDifference(node, value.aval.dtype, how))


_UNSIGNED = ("uint8", "uint16", "uint32")
_OF_DISTANCES = {"jax.numpy.abs": "abs", "jax.numpy.absolute": "abs", "jax.numpy.square": "square"}
"""What is used to make a distance of a difference, with what it is called."""


def _listed(it: Interpreter, value: Value, depth: int = 0) -> list[Value]:
    """A number, or those in a list, where whole numbers are all that is in it: they are 32 bits wide together."""
    items = known_items(it, value, KNOWN_ITEMS.value) if isinstance(value, (Tuple, Container)) else None
    if items is None or depth > LIFTED_DEPTH.value:
        return [value]
    found = [number for item in items for number in _listed(it, item, depth + 1)]
    return found if all(isinstance(number, Const) and isinstance(number.value, int) for number in found) else []


def _number(value: Value) -> int | None:
    return value.value if isinstance(value, Const) and type(value.value) is int else None
