"""Seeds that are put together of several numbers: what counts in the upper bits alone is dropped."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Const, Static, Value
from jaxlint.flow.models.names.bound_once import only_value
from jaxlint.flow.port import Interpreter

_LOW = 2**32


def check(it: Interpreter, seed: Value, function: str, args: Arguments, node: ast.AST) -> None:
    """key(seed + (run << 32)): the run is nowhere in the key."""
    written = args.expression(node, 0)
    if written is None and isinstance(node, ast.Call):
        written = next((one.value for one in node.keywords if one.arg == "seed"), None)
    if isinstance(written, ast.Name):
        written = only_value(it, written)
    if written is None or (isinstance(seed, Static) and seed.kind == "str"):
        return
    dropped = next((part[0] for part in map(_moved, _parts(written)) if part and _leaves_nothing(it, *part[1:])), None)
    if dropped is None:
        return
    with it.scratch(), it.quiet():
        is_known = isinstance(it.eval(dropped), Const)
    if not is_known:
        it.emit(events.SeedCutOff(node, function, dropped=ast.unparse(dropped)))


def _parts(written: ast.expr) -> list[ast.expr]:
    """What is added up, or combined bit by bit."""
    if isinstance(written, ast.BinOp) and isinstance(written.op, (ast.Add, ast.BitOr, ast.BitXor)):
        return [*_parts(written.left), *_parts(written.right)]
    return [written]


def _moved(written: ast.expr) -> tuple[ast.expr, ast.expr, bool] | None:
    """What is moved up, by what, and whether that is a number of bits, and no factor."""
    if not isinstance(written, ast.BinOp) or not isinstance(written.op, (ast.LShift, ast.Mult)):
        return None
    if isinstance(written.op, ast.LShift):
        return written.left, written.right, True
    sides = (written.right, written.left) if isinstance(written.left, ast.Constant) else (written.left, written.right)
    return *sides, False


def _leaves_nothing(it: Interpreter, by: ast.expr, bits: bool) -> bool:
    """Whether the lower bits of what is moved up are 0."""
    with it.scratch(), it.quiet():
        value = it.eval(by)
    if not isinstance(value, Const) or type(value.value) is not int or value.value <= 0:
        return False
    return (2 ** min(value.value, 64) if bits else value.value) % _LOW == 0
