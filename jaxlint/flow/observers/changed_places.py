"""Numbers in what modules keep, such as a class or a dict of settings, that a compiled function reads and that are set
between two of its calls."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.contexts import OfTrace, Provenance, Why
from jaxlint.flow.domain.values import Array, Const, External, ExternalInstance, HostArray, Static, Value
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.places import place_of
from jaxlint.flow.source.set_between import is_set, set_between

_RECORDS = frozenset(("types.SimpleNamespace", "argparse.Namespace"))


def check(it: Interpreter, node: ast.Attribute | ast.Subscript, owner: Value, value: Value) -> None:
    """``value`` is read while JAX traces."""
    if it.ctx.host or isinstance(owner, External):
        return
    is_record = isinstance(owner, ExternalInstance) and owner.made_by in _RECORDS
    if not is_record and not _is_number(value):
        return
    place, scope = place_of(node), it.frame.scope
    if place is None or not it.ask_text(scope, is_set, place[1]) or not _is_global(it, place[0]):
        return
    it.ask_of_trace(OfTrace.ROOTS)
    root = it.ctx.root
    write = it.ask_text(scope, set_between, root.name, place[1]) if isinstance(root, ast.FunctionDef) else None
    if write is not None:
        it.emit(events.StaleRead(node, place[1], Provenance(Why.CHANGED, (place[1],), scope, write)))


def _is_number(value: Value) -> bool:
    if isinstance(value, Const):
        return isinstance(value.value, (int, float)) and not isinstance(value.value, bool)
    return isinstance(value, (Array, HostArray)) or (isinstance(value, Static) and value.kind in ("int", "float"))


def _is_global(it: Interpreter, name: str) -> bool:
    """Whether a name is the module's where the code runs."""
    frame, module = it.frame, it.frame.scope.frame
    while frame is not module:
        if name in it.state.read(frame):
            return False
        if frame.parent is None:
            break
        frame = frame.parent
    return name in it.state.read(module)
