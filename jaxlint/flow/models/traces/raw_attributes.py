"""Attributes that are set on a module of flax nnx under its transforms, and are no Variables.

Flax carries out of a trace what it has found to be data when the object was made: Variables, and plain arrays.  Another
attribute is part of the module's structure, where an array of the trace stays as a tracer.
"""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.slots import Slot
from jaxlint.flow.domain.values import ABSTRACT, Array, Const, Instance, Value
from jaxlint.flow.models.objects.plain_containers import is_structure, may_be_data
from jaxlint.flow.models.traces.held_writes import hold, undoes
from jaxlint.flow.port import Interpreter


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
