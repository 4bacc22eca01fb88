"""Arrays of half precision that a number of NumPy, or of `jnp.float32`, makes arrays of 32 bits of."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.avals import FULL_FLOAT
from jaxlint.flow.domain.values import NUMPY_FLOAT, Array, Const, External, Static, Value
from jaxlint.flow.limits import SHOWN_PARTS_DEPTH
from jaxlint.flow.models.arrays import dtypes
from jaxlint.flow.models.names.bound_once import only_value
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.low_precision import COMBINING, HALVES, JNP_FLOATS, NUMPY_FLOATS

_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.Mod, ast.FloorDiv)


def check_operator(it: Interpreter, op: ast.operator, left: Value, right: Value, node: ast.AST) -> None:
    """x * np.sqrt(2)"""
    if isinstance(op, _OPERATORS) and (_half(left) or _half(right)):
        if isinstance(node, ast.BinOp):
            _check(it, (left, right), (node.left, node.right), node)
        elif isinstance(node, ast.AugAssign):
            _check(it, (left, right), (node.target, node.value), node)


def check_call(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """jnp.where(mask, x, np.float32(0))"""
    places = COMBINING.get(name)
    if places is None or not isinstance(node, ast.Call) or len(node.args) != len(args.positional) or args.named:
        return
    if places[-1] < len(node.args) and any(_half(args.positional[place]) for place in places):
        first, other = places
        _check(it, (args.positional[first], args.positional[other]), (node.args[first], node.args[other]), node)


def _half(value: Value) -> str:
    """The dtype of an array of half precision."""
    if not isinstance(value, Array) or value.declared or value.aval.weak is not False:
        return ""
    return value.aval.dtype if value.aval.dtype in HALVES else ""


def _check(it: Interpreter, values: tuple[Value, Value], written: tuple[ast.expr, ast.expr], node: ast.AST) -> None:
    for value, other, expression in zip(values, reversed(values), reversed(written)):
        half = _half(value)
        if not half:
            continue
        what = _half(other)
        if what == half:
            return
        if not what:
            with it.scratch(), it.quiet():
                what = _number_of(it, other, expression)
        if what and not dtypes.is_asked_for(it) and not _is_converted(it, node):
            it.emit(events.HalfPromoted(node, half, what))
            return


def _number_of(it: Interpreter, value: Value, written: ast.expr) -> str:
    """In words, the number that an operand is, if it is one of 32 bits or more."""
    if not isinstance(value, Array):
        if isinstance(value, Static) and value.kind == NUMPY_FLOAT:
            return "a number of NumPy"
        return "a number of NumPy" if _is_of_numpy(it, written, SHOWN_PARTS_DEPTH.value) else ""
    return "a number of `jnp`" if _is_constant(value) or _is_made(it, written, JNP_FLOATS) else ""


def _is_constant(value: Array) -> bool:
    """Whether an array is a single float that the program makes of numbers, and that is no weak one."""
    aval = value.aval
    return value.of_statics and aval.shape == () and aval.weak is False and aval.dtype in _OF_FULL_WIDTH


_OF_FULL_WIDTH = ("float", FULL_FLOAT, "float32")


def _is_of_numpy(it: Interpreter, written: ast.expr, depth: int) -> bool:
    """Whether an expression gives a number of NumPy, computed from numbers of Python."""
    if depth == 0:
        return False
    if isinstance(written, ast.Name):
        only = only_value(it, written)
        return only is not None and _is_of_numpy(it, only, depth - 1)
    if isinstance(written, ast.UnaryOp):
        return _is_of_numpy(it, written.operand, depth - 1)
    if isinstance(written, ast.BinOp):
        sides = (written.left, written.right)
        found = [_is_of_numpy(it, side, depth - 1) for side in sides]
        return any(found) and all(given or is_number_of_python(it.eval(side)) for given, side in zip(found, sides))
    if _is_made(it, written, NUMPY_FLOATS):
        return True
    if not isinstance(written, ast.Call) or len(written.args) != 1 or written.keywords:
        return False
    return _is_of(it, written.func, NUMPY_FLOATS) and _is_of_numpy(it, written.args[0], depth - 1)


def _is_made(it: Interpreter, written: ast.expr, makers: frozenset[str]) -> bool:
    """Whether an expression is a call of one of these functions with a number of Python."""
    if not isinstance(written, ast.Call) or len(written.args) != 1 or written.keywords:
        return False
    return _is_of(it, written.func, makers) and is_number_of_python(it.eval(written.args[0]))


def _is_of(it: Interpreter, written: ast.expr, makers: frozenset[str]) -> bool:
    function = it.eval(written)
    return isinstance(function, External) and function.name in makers


def is_number_of_python(value: Value) -> bool:
    if isinstance(value, Const):
        return type(value.value) in (int, float)
    return isinstance(value, Static) and value.kind in ("int", "float")


def _is_converted(it: Interpreter, node: ast.AST) -> bool:
    """Whether the result is given a dtype, at once or by the name that it gets: then the wider one is meant."""
    function, names = it.activation.function, frozenset(_names_of(it, node))
    if function is not None:
        return _gives_dtype(it.frame.scope, function.node, node, names)
    return it.ask_text(it.frame.scope, _gives_dtype, None, node, names)


def _gives_dtype(scope: ModuleText, function: ast.AST | None, node: ast.AST, names: frozenset[str]) -> bool:
    """Whether a function, or the module, asks for a dtype of an expression or of something with one of the names."""
    parts, given = scope.walked(function).given_dtypes
    return node in parts or not given.isdisjoint(names)


def _names_of(it: Interpreter, node: ast.AST) -> set[str]:
    """The variables that the statement which runs makes of what is computed at ``node``."""
    statement = it.statement
    if isinstance(statement, ast.AugAssign) and statement is node:
        return {statement.target.id} if isinstance(statement.target, ast.Name) else set()
    if not isinstance(statement, ast.Assign) or node not in descendants(statement.value):
        return set()
    return {target.id for target in statement.targets if isinstance(target, ast.Name)}
