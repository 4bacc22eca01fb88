"""What is folded into a key: JAX makes a number of 32 bits of it, or refuses it."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Array, Const, Container, External, Static, Tuple, Value
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants

_LAST = 2**32 - 1


def check(it: Interpreter, data: Value, args: Arguments, node: ast.AST) -> None:
    written = _written(args, node)
    found = (_of_hash(it, written) or _of_negative(it, written) if written is not None else None) or _of_value(data)
    if found is not None:
        it.emit(events.BadFoldData(node, *found))


def _of_value(data: Value) -> tuple[str, str] | None:
    """What is wrong with it, and the exception, which is empty where JAX raises none."""
    if isinstance(data, Const):
        return _of_constant(data.value)
    if isinstance(data, Static) and data.kind == "str":
        return "a string", "ValueError"
    if isinstance(data, Tuple) or (isinstance(data, Container) and data.kind in ("list", "tuple")):
        return "a sequence", "TypeError"
    if isinstance(data, Array) and not data.declared and data.aval.ends:
        return "an array with axes", "TypeError"
    return None


def _of_constant(value: object) -> tuple[str, str] | None:
    if isinstance(value, (str, bytes)):
        return "a string", "ValueError"
    if isinstance(value, int) and not 0 <= value <= _LAST:
        return f"the number {value}", "OverflowError"
    if isinstance(value, float) and not value.is_integer():
        return f"{value}, cut off to {int(value)},", ""
    return None


def _written(args: Arguments, node: ast.AST) -> ast.expr | None:
    written = args.expression(node, 1)
    if written is None and isinstance(node, ast.Call):
        written = next((one.value for one in node.keywords if one.arg == "data"), None)
    return written


def _of_negative(it: Interpreter, written: ast.expr) -> tuple[str, str] | None:
    """-len(name), -step - 1: a number of Python that is not below zero is taken the negative of."""
    below = written
    while isinstance(below, ast.BinOp) and isinstance(below.op, ast.Sub):
        with it.scratch(), it.quiet():
            taken = it.eval(below.right)
        if not _is_not_below_zero(taken):
            return None
        below = below.left
    if not isinstance(below, ast.UnaryOp) or not isinstance(below.op, ast.USub):
        return None
    with it.scratch(), it.quiet():
        value = it.eval(below.operand)
    if isinstance(value, Const) or not _is_not_below_zero(value):
        return None
    return f"`{ast.unparse(written)}`, which is negative,", "OverflowError"


def _is_not_below_zero(value: Value) -> bool:
    """Whether it is a number of Python that counts something."""
    if isinstance(value, Const):
        return type(value.value) is int and value.value >= 0
    if not isinstance(value, Static) or value.kind != "int":
        return False
    return value.of_shape or value.length_of is not None or (value.least is not None and value.least >= 0)


def _of_hash(it: Interpreter, written: ast.expr) -> tuple[str, str] | None:
    """hash(name) is another number in each process, and mostly none of 32 bits."""
    for part in (written, *descendants(written)):
        if isinstance(part, ast.Call) and len(part.args) == 1 and _is_hash_of_text(it, part):
            return "the hash of a string, which is another one in each process,", "OverflowError" * (part is written)
    return None


def _is_hash_of_text(it: Interpreter, call: ast.Call) -> bool:
    with it.scratch(), it.quiet():
        function = it.eval(call.func)
        if not isinstance(function, External) or function.name != "builtins.hash":
            return False
        value = it.eval(call.args[0])
    if isinstance(value, Const):
        return isinstance(value.value, (str, bytes))
    return isinstance(value, Static) and value.kind == "str"
