"""What takes time: JAX's calls return before their results are there, and the clock does not wait for them.

The interpreter keeps the last work that was begun and that nobody has waited for.  Whatever needs a value waits; so may
code that cannot be seen, if it is given anything that may hold an array.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.clocks import UNTOUCHED, Look, Work
from jaxlint.flow.domain.state import ORDER
from jaxlint.flow.domain.values import (
    ANY,
    ClassValue,
    Const,
    Container,
    External,
    Function,
    HostArray,
    ModuleValue,
    Opaque,
    Partial,
    Static,
    Transformed,
    Tuple,
    Value,
)
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.timed import is_only_compared

_WITHOUT_ARRAYS = (Const, Static, External, HostArray, Function, Partial, Transformed, ClassValue, ModuleValue)


def begin(it: Interpreter, what: str, node: ast.AST, light: bool = False) -> None:
    """JAX begins to compute something."""
    if not it.ctx.tracing:
        it.work_begun = Work(next(ORDER), it.frame.scope, node, what, light, bool(it.loops))


def wait(it: Interpreter) -> None:
    """Something needs a value."""
    if it.ctx.tracing:
        return
    if it.work_begun is not None:
        it.work_begun, it.waited = None, next(ORDER)
    if it.sends:
        it.settled = next(ORDER)


def settle(it: Interpreter) -> None:
    """Code runs, or goes on elsewhere, that may wait for anything."""
    if it.sends:
        it.settled = next(ORDER)


def _is_waited_for(it: Interpreter) -> bool:
    """Whether anybody wants to know who waits."""
    return it.work_begun is not None or it.sends


def leave(it: Interpreter, begun: Work | None, waits: bool) -> None:
    """A function has run that leaves this work behind, and may have waited before."""
    if waits:
        settle(it)
    if begun is None:
        wait(it)
    elif begun is not UNTOUCHED:
        it.work_begun = replace(begun, order=next(ORDER), in_loop=bool(it.loops))


def wait_for(it: Interpreter, values: Iterable[Value]) -> None:
    """Something needs the values of all arrays among these."""
    if _is_waited_for(it) and any(may_hold_arrays(it, value) for value in values):
        wait(it)


def wait_unseen(it: Interpreter, function: Value, values: Iterable[Value]) -> None:
    """Code that cannot be seen is called: a method may wait for its object, and any code for what it is given."""
    if _is_waited_for(it):
        is_method = isinstance(function, Opaque) and function.parent is not None
        if is_method or any(may_hold_arrays(it, value) for value in values):
            wait(it)


def may_hold_arrays(it: Interpreter, value: Value) -> bool:
    pending, seen = [value], set[Value]()
    while pending:
        part = pending.pop()
        if isinstance(part, (Tuple, Container)):
            if part in seen:
                continue
            seen.add(part)
            cell = it.state.read(part) if isinstance(part, Container) else {}
            if ANY in cell:
                return True
            pending += part.items if isinstance(part, Tuple) else cell.values()
        elif not isinstance(part, _WITHOUT_ARRAYS):
            return True
    return False


def look(it: Interpreter, node: ast.AST) -> Static:
    """time.perf_counter() and the like"""
    return Static("float", look=Look(next(ORDER), it.work_begun, it.waited, it.activation, node))


def check_difference(it: Interpreter, left: Value, right: Value, node: ast.AST) -> None:
    """later - earlier: the time between two looks at the clock."""
    if not isinstance(left, Static) or not isinstance(right, Static):
        return
    later, earlier = left.look, right.look
    if it.ctx.tracing or later is None or earlier is None or later.work is None:
        return
    if later.work.order < earlier.order:
        return
    function = it.activation.function
    body = it.frame.scope.tree if function is None else function.node
    statement = it.statement
    if body is not None and statement is not None and not is_only_compared(body, statement, node):
        small = later.work.light or (later.work.in_loop and later.waited > earlier.order)
        tell(it, later.work, later.node if later.by is it.activation else node, small)


def tell(it: Interpreter, work: Work, node: ast.AST, small: bool) -> None:
    it.emit(events.TimedWithoutWait(node, work.what, work.scope, work.node, small))


def time_calls(it: Interpreter, function: Value, node: ast.AST) -> None:
    """Something calls a function many times, to see how long that takes."""
    begun = None if it.ctx.tracing else _begun_by(it, function, node)
    if begun is not None:
        tell(it, begun, node, begun.light)


def _begun_by(it: Interpreter, function: Value, node: ast.AST) -> Work | None:
    """What is still going on when a call of the function ends."""
    with it.scratch(), it.supposing():
        wait(it)
        it.call(function, Arguments([]), node)
        return it.work_begun
