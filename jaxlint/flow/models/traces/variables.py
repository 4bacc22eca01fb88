"""Variables of flax nnx, which are set: outside of the traces that carry them out, that is lost or leaks."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.slots import Slot
from jaxlint.flow.domain.values import ExternalInstance, Instance, Value
from jaxlint.flow.models.arrays import changeable
from jaxlint.flow.models.traces.outer_writes import outlives
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics import libraries


def note_set(
    it: Interpreter, variable: ExternalInstance, name: str, value: Value, what: str, target: ast.expr, node: ast.AST
) -> None:
    """``variable.name = value`` or, where no ``name`` is given, ``variable[...] = value``: of one that is older than
    the trace, or that belongs to a module which a transform of JAX's own is given."""
    if variable.made_by not in libraries.VARIABLES or not it.ctx.tracing or changeable.may_be_given(it):
        return  # a Variable may be a reference, too
    if it.ctx.encloses(variable.birth):
        _note_lost(it, variable, value, target, node)
    elif it.ctx.only_staged_since(variable.birth):
        outlives(it, variable, value, "attribute", what, node, Slot(variable, ("attribute", name or "value")))


def _note_lost(it: Interpreter, variable: ExternalInstance, value: Value, target: ast.expr, node: ast.AST) -> None:
    """JAX takes a module apart and makes another one of it, which is gone with the trace unless it is handed on."""
    place, begun = getattr(target, "value", None), variable.birth
    if not isinstance(place, ast.Attribute) or begun is None or not begun.transform.startswith("jax."):
        return
    with it.quiet():
        module = it.eval(place.value)
    if isinstance(module, Instance) and module.parameter and module.birth is begun:
        if not _is_handed_on(begun.root, module.parameter):
            change = events.Change("set", "attribute", repr(place.attr))
            it.emit(events.ArgumentMutated(node, module.parameter, change, value, missed=True))


def _is_handed_on(function: ast.AST | None, parameter: str) -> bool:
    """Whether a function does more with a module that it is given than to call it, and to ask for its attributes."""
    if function is None:
        return True
    nodes = list(descendants(function))
    asked = {part.value for part in nodes if isinstance(part, ast.Attribute)}
    asked |= {part.func for part in nodes if isinstance(part, ast.Call)}
    return any(isinstance(part, ast.Name) and part.id == parameter and part not in asked for part in nodes)
