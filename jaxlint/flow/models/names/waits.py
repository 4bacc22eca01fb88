"""Waits in loops: a loop that asks for a value in each pass begins the next step only when this one is done."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.clocks import Work
from jaxlint.flow.domain.values import CONCRETE, Array, Value
from jaxlint.flow.port import Activation, Interpreter
from jaxlint.flow.source.straight import comes_to
from jaxlint.flow.source.trees import descendants

_LOOPS = (ast.For, ast.While)


def check(it: Interpreter, value: Value, work: Work | None, node: ast.AST, how: str) -> None:
    """float(loss), loss.item(), of what a compiled function has begun to compute in this pass, or in this call of a
    function that each pass of a loop comes to."""
    if work is None or work.light or it.ctx.tracing:
        return
    if not isinstance(value, Array) or value.declared or value.level != CONCRETE:
        return
    own, function = it.loops[it.activation.around :], it.activation.function
    around = own[-1][0] if own else function.node if function is not None else None
    if around is None or (own and not work.in_loop) or work.node not in set(descendants(around)):
        return
    event = events.WaitedInLoop(node, how, work.what)
    if find_loop(it, event):
        it.emit(event)


def find_loop(it: Interpreter, event: events.WaitedInLoop, call: ast.AST | None = None) -> bool:
    """Looks for the loop around, in each pass of which a function waits that is called here, by ``call``.  Returns
    whether there is one, or may be one around those who call the function that runs."""
    node, calls, end = call or event.node, list(it.calls), len(it.loops)
    running: Activation | None = it.activation
    while running is not None and event.loop is None:
        if running.around < end:
            loop = it.loops[end - 1][0]
            if not isinstance(loop, _LOOPS) or _is_on_condition(loop, node):
                return False
            event.loop = loop
        elif running.function is None or not comes_to(running.function.node, it.facts_of(running.function.node), node):
            return False
        elif running.caller is not None:
            if not calls or calls[-1][0] is not running.caller.frame:
                return False
            node, end = calls.pop()[1], running.around
        running = running.caller
    return True


def _is_on_condition(loop: ast.AST, node: ast.AST) -> bool:
    """Whether some passes leave it out: `if step % 100 == 0`."""
    branches = (part for part in descendants(loop) if isinstance(part, (ast.If, ast.IfExp, ast.Try, ast.FunctionDef)))
    return any(node in set(descendants(branch)) for branch in branches)
