"""Waits in loops: a loop that asks for a value in each pass begins the next step only when this one is done."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.clocks import Work
from jaxlint.flow.domain.values import CONCRETE, Array, Value
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants

_LOOPS = (ast.For, ast.While)


def check(it: Interpreter, value: Value, work: Work | None, node: ast.AST, how: str) -> None:
    """float(loss), loss.item(), of what a compiled function has begun to compute in this pass."""
    own = it.loops[it.activation.around :]
    loop = own[-1][0] if own else None
    if work is None or work.light or not work.in_loop or it.ctx.tracing or not isinstance(loop, _LOOPS):
        return
    if not isinstance(value, Array) or value.declared or value.level != CONCRETE or _is_on_condition(loop, node):
        return
    if work.node in set(descendants(loop)):
        it.emit(events.WaitedInLoop(node, how, work.what, loop))


def _is_on_condition(loop: ast.AST, node: ast.AST) -> bool:
    """Whether some passes leave it out: `if step % 100 == 0`."""
    branches = (part for part in descendants(loop) if isinstance(part, (ast.If, ast.IfExp, ast.Try, ast.FunctionDef)))
    return any(node in set(descendants(branch)) for branch in branches)
