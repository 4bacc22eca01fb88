"""equinox's layer of dropout, called without a key though it is on: RuntimeError."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Const, ExternalInstance
from jaxlint.flow.models.names.imports import some_module_says
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants

_LAYER = "equinox.nn.Dropout"
_SAID_OF_IT = frozenset(("key", "inference", "deterministic"))
_TURNING_OFF = _SAID_OF_IT - {"key"} | {"inference_mode", "tree_inference", "tree_at"}
"""Names by which code turns dropout off, after a layer has been made."""


def check_call(it: Interpreter, layer: ExternalInstance, args: Arguments, node: ast.AST) -> None:
    """self.dropout(x)"""
    if layer.made_by != _LAYER or args.open_ended or args.unsure or not _SAID_OF_IT.isdisjoint(args.named):
        return
    share = layer.args[0] if layer.args else layer.kwargs.get("p")
    if len(layer.args) > 1 or not layer.kwargs.keys() <= {"p"} or not _is_some(share):
        return
    if not it.ask_program(may_turn_dropout_off):
        it.emit(events.KeylessDropout(node))


def _is_some(share: object) -> bool:
    """Whether something is dropped; half is if nothing is said."""
    return share is None or (isinstance(share, Const) and isinstance(share.value, float) and share.value > 0)


def may_turn_dropout_off(it: Interpreter) -> bool:
    """Whether some module of the program may do so to what others have made."""
    return some_module_says(it, "inference", _turns_off)


def _turns_off(scope: ModuleText) -> bool:
    if scope.tree is None:
        return "inference" in scope.module.document.text
    return any(scope.parts(_turns_it_off))


def _turns_it_off(statement: ast.AST) -> bool:
    return any(
        (getattr(part, "attr", None) or getattr(part, "id", None) or getattr(part, "arg", None)) in _TURNING_OFF
        for part in descendants(statement)
    )
