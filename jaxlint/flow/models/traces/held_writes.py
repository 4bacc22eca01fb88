"""Writes that the rest of the same trace may undo, and the events held back until it ends.

A scope stack is pushed and popped, a list is cleared after use, an attribute is set back: what counts is what the trace
leaves behind.  A write to an outer object is kept here, by the object and the place in it, until the trace ends that it
happens in; whatever undoes it takes it away.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from jaxlint.flow.domain import events
from jaxlint.flow.domain.contexts import Context
from jaxlint.flow.domain.slots import CLEAR, POP, PUSH, Held, Ran, Slot, Write, Writes
from jaxlint.flow.domain.values import Array, Const, Container, HostArray, Instance, Key, Static, Tree, Value
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.scratch import only_passes_on
from jaxlint.flow.source.set_anew import callers, is_set_before, readers, setters
from jaxlint.flow.source.trees import FunctionNode
from jaxlint.vocabulary.findings import Certainty


def hold(it: Interpreter, slot: Slot, event: events.OuterWrite, running: tuple[FunctionNode, ...]) -> None:
    """Keeps the event of a write that undoes nothing: it counts unless something undoes it before the trace ends."""
    writes = it.writes
    if writes is not None and writes.found and writes.found[-1].slot is slot:
        writes.found[-1] = replace(writes.found[-1], event=event)
    elif writes is None and not it.held:
        it.ran_since.clear()
    it.held = (*it.held, Held(slot, event, trace_of(it.ctx), running, len(it.ran_since)))


@contextmanager
def writing(it: Interpreter) -> Iterator[Writes]:
    """Notes what is written while a summary is made, which knows nothing of what was written before."""
    saved = it.held, it.writes, it.ran_since
    it.writes = writes = Writes(trace_of(it.ctx), len(it.stack))
    it.held, it.ran_since = (), writes.ran
    try:
        yield writes
    finally:
        it.held, it.writes, it.ran_since = saved


def release(it: Interpreter, ctx: Context | None = None) -> None:
    """The trace of ``ctx`` has ended (None: every trace): what it has left behind is reported."""
    if not it.held:
        return
    ended = [held for held in it.held if ctx is None or held.trace is ctx]
    it.held = tuple(held for held in it.held if held not in ended)
    for held in ended:
        if _is_for_the_trace(it, held):
            held.event.certainty = Certainty.POSSIBLE
        it.deliver(held.event)


def _is_for_the_trace(it: Interpreter, held: Held) -> bool:
    """Whether an attribute is only there to hand a value on within the trace."""
    if isinstance(held.event, events.RawAttribute):
        return False  # the next call of what is compiled compares what this one has left
    target, stored = held.event.node, held.event.stored
    target = target.target if isinstance(target, ast.AugAssign) else target
    if not isinstance(target, ast.Attribute) or not held.running:
        return False
    if stored is not None and stored.level:
        ran = tuple(dict.fromkeys(_functions(it.ran_since[held.before :])))
        if it.ask_text(held.event.scope, only_passes_on, target, held.running, ran):
            return True
    return _is_set_anew(it, target.attr, held)


def _is_set_anew(it: Interpreter, attribute: str, held: Held) -> bool:
    """Whether each trace sets the attribute before it reads it, and code outside, if it reads it, calls what sets it,
    too: an episode that begins with a reset."""
    inside = {*held.running, *_functions(it.ran_since)}
    scopes = [scope for scope in it.scopes.values() if scope.tree is not None]
    reading = {one for scope in scopes for one in it.ask_text(scope, readers, attribute)}
    if reading.isdisjoint(inside):
        return False
    names = frozenset(name for scope in scopes for name in it.ask_text(scope, setters, attribute))
    names -= {getattr(held.running[0], "name", "")}
    begins = held.running[-1] not in reading and reading.isdisjoint(held.running)
    if not names or not (begins or is_set_before(held.running, names)):
        return False
    setting = {one for scope in scopes for one in it.ask_text(scope, callers, names)}
    return reading <= inside or not setting <= inside


def _functions(ran: Iterable[FunctionNode | Ran]) -> Iterator[FunctionNode]:
    for one in ran:
        if isinstance(one, tuple):
            yield from _functions(one)
        else:
            yield one


def undoes(it: Interpreter, slot: Slot, value: Value | None, running: tuple[FunctionNode, ...]) -> bool:
    """Whether a write of ``value`` takes back earlier ones of the same trace and leaves nothing behind itself."""
    writes = it.writes
    trace = trace_of(it.ctx)  # what another one does, inside of it, is over by then, but for what it gives up
    if writes is not None and (trace is writes.trace or (_gives_up(slot, value) and writes.trace.encloses(trace))):
        writes.found.append(Write(slot, value, None, running[writes.depth :], len(it.ran_since)))
    return _undoes(it, slot, value)


def _undoes(it: Interpreter, slot: Slot, value: Value | None) -> bool:
    _give_up(it, slot, value)
    same = [held for held in it.held if held.slot.owner is slot.owner and held.trace is trace_of(it.ctx)]
    if not same:
        return False
    if slot.place == CLEAR:
        return _drop(it, same)
    if slot.place == POP:
        return _drop(it, [held for held in same if held.slot.place == PUSH][-1:])
    if isinstance(slot.place, tuple) and slot.place[0] == "deleted":
        return _drop(it, [held for held in same if held.slot.place == ("item", slot.place[1])])
    same = [held for held in same if held.slot.place == slot.place and slot.place != PUSH]
    if not same:
        return False
    since = next((number for number, held in enumerate(same) if _restores(held.slot.before, value)), None)
    if since is not None:
        return _drop(it, same[since:])  # one before them may have left the same behind
    if slot.step is not None:
        return _drop(it, [held for held in same if _is_opposite(held.slot.step, slot.step)][-1:])
    if _is_untraced(value):
        _drop(it, [held for held in same if held.event.stored is not None and held.event.stored.level])
    return False


def _give_up(it: Interpreter, slot: Slot, value: Value | None) -> None:
    """A list or dict that an object held is replaced by another one: nobody sees what the trace has stored in it,
    unless a name outside of the trace has it, too."""
    if _gives_up(slot, value):
        written = [held for held in it.held if held.slot.owner is slot.before and held.trace.encloses(it.ctx)]
        if written and not _is_named(it, written[0].slot.owner, written[0].trace):
            _drop(it, written)


def _gives_up(slot: Slot, value: Value | None) -> bool:
    return isinstance(slot.owner, Instance) and isinstance(slot.before, Container) and value is not slot.before


def _is_named(it: Interpreter, value: Value, trace: Context) -> bool:
    """Whether a variable of a module, or of a function that was running before the trace, has the value."""
    frames = [it.frame, *(site[0] for site in it.calls)]
    around = {*frames, *(frame.scope.frame for frame in frames)}
    for frame in frames:
        outer = frame.parent
        while outer is not None:
            around.add(outer)
            outer = outer.parent
    return any(
        value in it.state.read(frame).values() for frame in around if frame.ctx is None or not trace.encloses(frame.ctx)
    )


def _drop(it: Interpreter, undone: list[Held]) -> bool:
    it.held = tuple(held for held in it.held if held not in undone)
    return bool(undone)


def _restores(before: Value | None, value: Value | None) -> bool:
    if isinstance(before, Const) and isinstance(value, Const):
        return type(before.value) is type(value.value) and before.value == value.value
    return before is not None and before is value


def _is_opposite(step: ast.AugAssign | None, other: ast.AugAssign) -> bool:
    """``x += n`` and ``x -= n``."""
    if step is None or {type(step.op), type(other.op)} != {ast.Add, ast.Sub}:
        return False
    return ast.dump(step.value) == ast.dump(other.value)


def _is_untraced(value: Value | None) -> bool:
    if isinstance(value, (Array, Tree, Key)):
        return value.level == 0
    return isinstance(value, (Const, Static, HostArray)) and not (isinstance(value, Static) and value.tainted)


def trace_of(ctx: Context) -> Context:
    """The trace that code runs in: a part that is computed at compile time belongs to the one around."""
    while ctx.concrete and ctx.parent is not None:
        ctx = ctx.parent
    return ctx
