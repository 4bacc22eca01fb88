"""Variables of flax nnx that are set: outside of the traces that carry them out, that is lost, leaks or is refused."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.contexts import Context, OfTrace
from jaxlint.flow.domain.slots import Slot
from jaxlint.flow.domain.values import ExternalInstance, Frame, Instance, Opaque, Tree, Value
from jaxlint.flow.models.arrays import changeable
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.traces.outer_writes import outlives
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants, parameter_names
from jaxlint.semantics import libraries

_REFUSING = ("jax.", "flax.nnx.")
"""Whose traces may not change what is no argument of theirs: TraceContextError."""


def note_set(
    it: Interpreter,
    variable: ExternalInstance | Instance,
    name: str,
    value: Value,
    what: str,
    target: ast.expr,
    node: ast.AST,
) -> None:
    """``variable.name = value`` or, where no ``name`` is given, ``variable[...] = value``: of one that is older than
    the trace, or that belongs to a module which a transform of JAX's own is given."""
    if not _is_variable(variable) or not it.ctx.tracing or changeable.may_be_given(it):
        return  # a Variable may be a reference, too
    it.ask_of_trace(OfTrace.TRANSFORMS)
    if it.ctx.encloses(variable.birth):
        _note_lost(it, variable, value, target, node)
    elif it.ctx.only_staged_since(variable.birth):
        outlives(it, variable, value, "attribute", what, node, Slot(variable, ("attribute", name or "value")))
    elif _is_closed_over(it, variable):
        it.emit(events.ChangedFromOutside(node, what))


def note_item_set(it: Interpreter, owner: ExternalInstance | Instance, value: Value, node: ast.AST) -> None:
    """``variable[...] = value``, or ``variable[...] += value`` where ``node`` is the whole statement."""
    target = node.target if isinstance(node, ast.AugAssign) else node
    if isinstance(target, ast.Subscript):
        note_set(it, owner, "", value, dotted(target.value), target, node)


def note_called(it: Interpreter, owner: ExternalInstance, name: str, node: ast.AST) -> None:
    """A method that sets the variables of its object, as an optimiser's `update` does."""
    if f"{owner.made_by}.{name}" not in libraries.CHANGING_METHODS or not it.ctx.tracing:
        return
    it.ask_of_trace(OfTrace.TRANSFORMS)
    if not it.ctx.encloses(owner.birth):
        if _is_closed_over(it, owner) and isinstance(node, ast.Call):
            it.emit(events.ChangedFromOutside(node, dotted(node.func).rpartition(".")[0]))
    elif owner.parameter and owner.birth is not None and owner.birth.transform.startswith("jax."):
        if not _is_handed_on(owner.birth.root, owner.parameter):
            change = events.Change("called", name=name)
            it.emit(_lost(node, owner.parameter, change, None, owner.birth))


def _is_variable(value: ExternalInstance | Instance) -> bool:
    if isinstance(value, Instance):
        return bool(classes.external_bases(value.cls) & libraries.VARIABLES)
    return value.made_by in libraries.VARIABLES


def _is_closed_over(it: Interpreter, value: ExternalInstance | Instance) -> bool:
    """Whether the function that is traced has it from outside, and it is part of no argument that is known: transforms
    of nnx pass objects on as they are.  Nobody closes over an object that is an argument as well."""
    if not it.ctx.only_staged_since(value.birth, _REFUSING):
        return False
    frame: Frame | None = it.frame
    while frame is not None and (frame.function is None or frame.function.node is not it.ctx.root):
        frame = frame.parent
    if frame is None or frame.function is None:
        return False
    held, names = it.state.read(frame), parameter_names(frame.function.node)
    known = [held[name] for name in names if name in held and not isinstance(held[name], (Opaque, Tree))]
    return not any(it.state.reaches(argument, value) for argument in known)


def _note_lost(
    it: Interpreter, variable: ExternalInstance | Instance, value: Value, target: ast.expr, node: ast.AST
) -> None:
    """JAX takes a module apart and makes another one of it, which is gone with the trace unless it is handed on."""
    place, begun = getattr(target, "value", None), variable.birth
    if not isinstance(place, ast.Attribute) or begun is None or not begun.transform.startswith("jax."):
        return
    with it.quiet():
        module = it.eval(place.value)
    if isinstance(module, Instance) and module.parameter and module.birth is begun:
        if not _is_handed_on(begun.root, module.parameter):
            change = events.Change("set", "attribute", repr(place.attr))
            it.emit(_lost(node, module.parameter, change, value, begun))


def _lost(
    node: ast.AST, parameter: str, change: events.Change, value: Value | None, begun: Context
) -> events.ArgumentMutated:
    """A change of what nnx's own transform of that name would carry out."""
    event = events.ArgumentMutated(node, parameter, change, value, missed=True)
    short = begun.transform.rpartition(".")[2]
    event.carried_by = f"nnx.{short}" if f"flax.nnx.{short}" in libraries.WRAPPERS else ""
    return event


def _is_handed_on(function: ast.AST | None, parameter: str) -> bool:
    """Whether a function does more with a module that it is given than to call it, and to ask for its attributes."""
    if function is None:
        return True
    nodes = list(descendants(function))
    asked = {part.value for part in nodes if isinstance(part, ast.Attribute)}
    asked |= {part.func for part in nodes if isinstance(part, ast.Call)}
    return any(isinstance(part, ast.Name) and part.id == parameter and part not in asked for part in nodes)
