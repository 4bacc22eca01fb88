"""Optimisers whose `update` is called, and what it gives is not what the function goes on with."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.unused_updates import unused

_APPLYING = frozenset(("optax.apply_updates", "equinox.apply_updates"))


def check_applied(it: Interpreter, name: str, node: ast.AST) -> None:
    """updates, new_state = tx.update(grads, state); apply_updates(params, updates), state"""
    function = it.activation.function
    if name not in _APPLYING or function is None or not isinstance(node, ast.Call):
        return
    for found in it.ask_text(it.frame.scope, unused, function.node, node):
        it.emit(events.UpdatesUnused(found.update, found.name, found.instead, found.update is node))
