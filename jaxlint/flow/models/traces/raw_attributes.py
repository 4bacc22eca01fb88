"""Attributes that are set on a module of flax nnx under its transforms, and are no Variables.

Flax carries out of a trace what it has found to be data when the object was made: Variables, and plain arrays.  Another
attribute is part of the module's structure, where an array of the trace stays as a tracer.
"""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.slots import Slot
from jaxlint.flow.domain.values import ABSTRACT, Array, ClassValue, Const, Instance, Value
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.traces.held_writes import hold, undoes
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.text import mentions
from jaxlint.semantics import libraries


def note_set(it: Interpreter, owner: Instance, name: str, value: Value, what: str, node: ast.AST) -> None:
    """``owner.name = value``: it counts unless the same trace sets the attribute back."""
    if not it.ctx.staging:
        return
    before = it.state.read(owner).get(name)
    slot = Slot(owner, ("attribute", name), before)
    if undoes(it, slot, value, tuple(it.stack)) or (before is not None and not isinstance(before, Const)):
        return
    if isinstance(value, Array) and value.level == ABSTRACT and not it.ctx.encloses(owner.birth):
        event = events.RawAttribute(node, "attribute", what, value)
        if not may_be_data(owner.cls, name) and is_structure(it) and it.emit(event, deliver=False):
            hold(it, slot, event, tuple(it.stack))


def is_structure(it: Interpreter) -> bool:
    """Flax before 0.12 carried plain arrays out as well, whenever they were set."""
    newest = it.program.jax_of(it.frame.scope.module).maximum
    return newest is None or newest >= libraries.FIRST_JAX_OF_FLAX_0_12


def may_be_data(cls: ClassValue, name: str) -> bool:
    """Whether the class says that flax shall carry the attribute: by an annotation, or by being no pytree."""
    if any(part.node.keywords for part in classes.linearized(cls)):
        return True  # class Net(nnx.Module, pytree=False)
    field = classes.field_node(cls, name)
    written = [] if field is None else [field[1].annotation, *([field[1].value] if field[1].value else [])]
    return any(mentions(part, word) for part in written for word in ("Data", "data"))
