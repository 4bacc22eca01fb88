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
from jaxlint.flow.domain.asked import NeedsCaller
from jaxlint.flow.domain.clocks import BEFORE, EARLIER, UNTOUCHED, Look, Moment, Work
from jaxlint.flow.domain.state import ORDER
from jaxlint.flow.domain.values import (
    ANY,
    ClassValue,
    Const,
    Container,
    External,
    Frame,
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
from jaxlint.flow.models.names import only_made
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.carried_on import is_carried_on
from jaxlint.flow.source.looked_through import looks_through_results
from jaxlint.flow.source.timed import is_handed_back, is_only_compared, may_be_compared

_WITHOUT_ARRAYS = (Const, Static, External, HostArray, Function, Partial, Transformed, ClassValue, ModuleValue)


def now() -> Moment:
    return (next(ORDER),)


def begin(it: Interpreter, what: str, node: ast.AST, light: bool = False) -> None:
    """JAX begins to compute something."""
    if not it.ctx.tracing:
        it.work_begun = Work(now(), it.frame.scope, node, what, light, bool(it.loops))


def wait(it: Interpreter) -> None:
    """Something needs a value."""
    if it.ctx.tracing:
        return
    if it.work_begun is not None:
        it.work_begun, it.waited = None, now()
    if it.sends:
        it.settled = now()


def settle(it: Interpreter) -> None:
    """Code runs, or goes on elsewhere, that may wait for anything."""
    if it.sends:
        it.settled = now()


def _is_waited_for(it: Interpreter) -> bool:
    """Whether anybody wants to know who waits."""
    return it.work_begun is not None or it.sends


def leave(it: Interpreter, begun: Work | None, waited: Moment, settled: Moment, at: int) -> None:
    """A call ``at`` that moment has run, which leaves this work behind, has waited, and may have waited for more."""
    if settled != BEFORE and it.sends:
        it.settled = (at, *settled)
    if begun is None and waited == BEFORE:
        wait(it)
    elif begun is None:
        it.work_begun = None
    elif begun is not UNTOUCHED:
        it.work_begun = _of_call(it, begun, at)
    if waited != BEFORE:
        it.waited = (at, *waited)


def _of_call(it: Interpreter, work: Work, at: int) -> Work:
    """What a call ``at`` that moment has begun, for who calls."""
    return replace(work, order=(at, *work.order), in_loop=work.in_loop or bool(it.loops))


def look_of_call(
    it: Interpreter, look: Look, node: ast.AST, at: int, going_on: Work | None, waited: Moment
) -> Look | None:
    """A look in the call ``node``, ``at`` that moment, for who calls: what was ``going_on``, and ``waited`` for, is of
    before."""
    if look is EARLIER:
        return None
    work = going_on if look.work is UNTOUCHED else look.work and _of_call(it, look.work, at)
    waited = waited if look.waited == BEFORE else (at, *look.waited)
    return Look((at, *look.order), work, waited, it.activation.frame, node)


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
    return Static("float", look=Look(now(), it.work_begun, it.waited, it.activation.frame, node), sure=True)


def check_difference(it: Interpreter, left: Value, right: Value, node: ast.AST) -> None:
    """later - earlier: the time between two looks at the clock."""
    if not isinstance(left, Static) or not isinstance(right, Static):
        return
    later, earlier = left.look, right.look
    if it.ctx.tracing or later is None or earlier is None:
        return
    body, statement = _body(it.activation.frame), it.statement
    if body is None or statement is None or is_only_compared(body, statement, node):
        return
    is_for_caller = it.activation.function is not None and is_handed_back(body, node)
    if later is EARLIER or (earlier is EARLIER and (later.work is UNTOUCHED or is_for_caller)):
        raise NeedsCaller
    if later.work is None or later.work.order < earlier.order:
        if earlier is not EARLIER:
            only_made.check_between(it, body, earlier, later, later.node)
        return
    if is_for_caller and _is_compared_by_caller(it):
        return
    small = _is_small(it, later.work, later.waited > earlier.order, earlier.node)
    tell(it, later.work, later.node if later.by is it.activation.frame else node, small)


def _is_small(it: Interpreter, work: Work, is_waited_for: bool, since: ast.AST) -> bool:
    """Whether what is left of some work may not matter: somebody has waited for other passes of its loop."""
    if work.light or not work.in_loop:
        return work.light
    return is_waited_for or it.ask_text(work.scope, is_carried_on, work.node, since)


def check_block(it: Interpreter, since: Moment, node: ast.expr) -> None:
    """A block ends of which ``node`` measures the time."""
    work = it.work_begun
    if work is not None and work is not UNTOUCHED and work.order > since:
        tell(it, work, node, _is_small(it, work, it.waited > since, node))


def _is_compared_by_caller(it: Interpreter) -> bool:
    """Whether those who get what is handed back hold it against a limit."""
    for frame, call, *_ in reversed(it.calls):
        body = _body(frame)
        if body is None or may_be_compared(body, call):
            return body is not None
        if not is_handed_back(body, call):
            return False
    return False


def _body(frame: Frame) -> ast.AST | None:
    """What has the code in it that runs with these variables."""
    return frame.scope.tree if frame.function is None else frame.function.node


def tell(it: Interpreter, work: Work, node: ast.AST, small: bool) -> None:
    if not it.ask_text(it.frame.scope, looks_through_results):
        it.emit(events.TimedWithoutWait(node, work.what, work.scope, work.node, small))


def time_calls(it: Interpreter, function: Value, node: ast.AST) -> None:
    """Something calls a function many times, to see how long that takes."""
    if it.ctx.tracing:
        return
    begun, result = _begun_by(it, function, node)
    if begun is not None:
        tell(it, begun, node, begun.light)
    else:
        only_made.check_repeated(it, function, result, node)


def _begun_by(it: Interpreter, function: Value, node: ast.AST) -> tuple[Work | None, Value]:
    """What is still going on when a call of the function ends, and what that gives."""
    with it.scratch(), it.supposing():
        wait(it)
        result = it.call(function, Arguments([]), node)
        return it.work_begun, result
