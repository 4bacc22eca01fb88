"""Arrays of NumPy that are written to while JAX reads them.

A compiled function returns before it has computed anything, and on the CPU it reads the memory of an array of NumPy
itself, if that has a dtype that JAX takes as it is.  Whoever waits for any result may wait for this one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.buffers import SENT, Sent
from jaxlint.flow.domain.state import ORDER, excluded
from jaxlint.flow.domain.values import Container, HostArray, Tuple, Value
from jaxlint.flow.limits import LEAF_DEPTH
from jaxlint.flow.port import Interpreter


def note_sent(it: Interpreter, callee: str, values: Iterable[Value], node: ast.AST, shared: bool = False) -> None:
    """JAX is given arrays, outside of traces, and may read them after the call has returned."""
    if it.ctx.tracing or it.unstaged or it.muted:
        return
    arrays = [leaf for value in values for leaf in _arrays(it, value) if leaf.narrow and not leaf.readonly]
    if arrays:
        it.sends = True
        sent = Sent((next(ORDER),), callee, node, it.frame.scope, it.state.guards, shared)
        it.state.cells[SENT] = {**it.state.cells.get(SENT, {}), **dict.fromkeys(arrays, sent)}


def _arrays(it: Interpreter, value: Value, depth: int = 0) -> Iterator[HostArray]:
    if isinstance(value, HostArray):
        yield value
    elif isinstance(value, (Tuple, Container)) and depth <= LEAF_DEPTH.value:
        parts = value.items if isinstance(value, Tuple) else it.state.read(value).values()
        for part in parts:
            yield from _arrays(it, part, depth + 1)


def check_written(it: Interpreter, written: Value | None, node: ast.AST) -> None:
    """Something is stored in an array of NumPy: whether JAX may be reading it."""
    if not it.sends or it.ctx.tracing or not isinstance(written, HostArray):
        return
    sent = it.state.cells.get(SENT, {}).get(written)
    if isinstance(sent, Sent) and sent.order > it.settled and not excluded(sent.guards, it.state.guards):
        it.emit(events.WrittenWhileRead(node, sent.callee, sent.scope, sent.node, sent.shared))
        left = it.state.cells[SENT]
        it.state.cells[SENT] = {one: told for one, told in left.items() if told is not sent}
