"""What a compiled function that an object keeps reads of that object, and a method of it goes on from: the weights that
are learnt, a key that is split.  Nobody is seen to call the two; they are there to be called in turn."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.contexts import Context, Provenance, Why
from jaxlint.flow.domain.values import Container, Instance, Opaque, Tree, Value
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.taken import is_read_anywhere
from jaxlint.flow.models.traces import kept_traces
from jaxlint.flow.port import Activation, Interpreter
from jaxlint.flow.source.goes_on import Step, kept_by, step_of
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.set_anew import is_looked_into


def check(it: Interpreter, owner: Instance, name: str, value: Value, node: ast.AST) -> None:
    """``value`` is read of an object while JAX traces."""
    compiled = _compiled(it.ctx) if owner.symbolic else None
    if compiled is None or compiled.provenance is None or not kept_traces.is_found_again(it, owner, value):
        return
    if compiled.encloses(owner.birth) or kept_traces.asks_for_form(it, node) or _is_looked_into(it, value, node):
        return
    for cls in classes.linearized(owner.cls):
        it.note_class(cls)
        kept = it.ask_text(compiled.provenance.scope, kept_by, cls.node, compiled.provenance.node)
        if kept is None:
            continue
        found = _step(it, owner, name, kept, _running(it))
        if found is not None:
            scope, step = found
            write = Provenance(Why.CHANGED, (name,), scope, step.write)
            unsure = not step.goes_on or _are_called(it, compiled, step, kept)
            it.emit(events.StaleRead(node, ast.unparse(node), write, unsure=unsure))
        return


def _compiled(ctx: Context) -> Context | None:
    """The outermost of the traces around, if it is kept: nobody is seen to make its calls."""
    found = None
    while ctx.parent is not None and not ctx.host:
        found, ctx = ctx, ctx.parent
    return found if found is not None and found.is_compiled and found.staging else None


def _are_called(it: Interpreter, compiled: Context, step: Step, kept: frozenset[str]) -> bool:
    """Whether the program calls both: what it does then is known better from there."""
    names = kept or {getattr(compiled.root, "name", "")}
    return it.ask_program(is_read_anywhere, step.method) and any(it.ask_program(is_read_anywhere, one) for one in names)


def _is_looked_into(it: Interpreter, value: Value, node: ast.AST) -> bool:
    """Whether what nobody knows is no number or array itself: what it has may be the same after each step, as the
    functions in a state of a training are."""
    function = it.activation.function
    is_unknown = isinstance(value, (Opaque, Tree, Container))
    return is_unknown and function is not None and is_looked_into(function.node, node)


def _running(it: Interpreter) -> frozenset[ast.AST]:
    """The functions that lead to what reads the attribute."""
    found = set[ast.AST]()
    running: Activation | None = it.activation
    while running is not None:
        if running.function is not None:
            found.add(running.function.node)
        running = running.caller
    return frozenset(found)


def _step(
    it: Interpreter, owner: Instance, name: str, kept: frozenset[str], running: frozenset[ast.AST]
) -> tuple[ModuleText, Step] | None:
    for cls in classes.linearized(owner.cls):
        step = it.ask_text(cls.scope, step_of, cls.node, name, kept, running)
        if step is not None:
            return cls.scope, step
    return None
