"""Draws from an `nnx.Rngs`, which counts them: where the trace that draws does not carry the count out; and `next` of
what the trace has from outside."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.contexts import Context
from jaxlint.flow.domain.values import Frame, Stream
from jaxlint.flow.port import Interpreter

_COUNTING = "flax.nnx."
_ITERATED = "haiku.PRNGSequence"
_COUNTS_NOTHING = frozenset(("items", "broadcast"))


def note_draw(it: Interpreter, stream: Stream, name: str, node: ast.AST) -> None:
    """``rngs()``, ``rngs.noise()``, ``rngs.normal(shape)``: one of the trace's own is advanced, whichever it is."""
    if not stream.name.startswith(_COUNTING) or name in _COUNTS_NOTHING or not it.ctx.tracing:
        return
    if stream.given is not None:
        _note_lost(it, stream, node)
    elif _is_closed_over(it, node):
        it.emit(events.ImplicitRng(node, stream.name, "closed over"))


def note_next(it: Interpreter, stream: Stream, node: ast.AST) -> None:
    """``next(sequence)``: haiku's is advanced by the trace, and keeps a tracer."""
    if stream.name != _ITERATED or not it.ctx.staging or it.ctx.host or not isinstance(node, ast.Call):
        return
    written = node.args[0] if len(node.args) == 1 else None
    while isinstance(written, ast.Attribute):
        written = written.value
    if isinstance(written, ast.Name) and _is_of_outside(it, written):
        it.emit(events.OuterIterator(node, "sequence of keys", "advanced"))


def note_next_of_unknown(it: Interpreter, node: ast.AST) -> None:
    """``next(batches)`` of a variable of which nothing is known but that it is older than the trace: whatever it is, it
    goes on once a trace."""
    written = node.args[0] if isinstance(node, ast.Call) and node.args else None
    if it.ctx.staging and not it.ctx.host and isinstance(written, ast.Name) and _is_of_outside(it, written):
        it.emit(events.OuterIterator(node, "iterator", "advanced", is_known=False))


def _note_lost(it: Interpreter, stream: Stream, node: ast.AST) -> None:
    """JAX takes an argument apart and makes another one of it, which is gone with the trace unless it is returned."""
    assert stream.given is not None
    parameter, begun = stream.given
    if any(name == parameter for name, _ in begun.looks):
        event = events.ImplicitRng(node, parameter, "lost")
        if it.emit(event, deliver=False):
            it.activation.mutated.append((stream, event))


def _is_closed_over(it: Interpreter, node: ast.AST) -> bool:
    """Whether a variable from outside of the trace has it: flax refuses to count there."""
    written = node.func if isinstance(node, ast.Call) else None
    if isinstance(written, ast.Attribute):
        written = written.value
    return isinstance(written, ast.Name) and _is_of_outside(it, written)


def _is_of_outside(it: Interpreter, written: ast.Name) -> bool:
    frame: Frame | None = it.frame
    while frame is not None and written.id not in it.state.read(frame):
        frame = frame.parent
    return frame is not it.frame and (frame is None or frame is it.frame.scope.frame or _has_begun(it, frame))


def _has_begun(it: Interpreter, frame: Frame) -> bool:
    """Whether a trace has begun since a function was called."""
    ctx: Context | None = it.ctx
    own = frame.ctx
    if own is None or not own.encloses(ctx):
        return False
    while ctx is not None and ctx is not own:
        if ctx.tracing and ctx.provenance is not None and ctx.provenance is not own.provenance:
            return True
        ctx = ctx.parent
    return False
