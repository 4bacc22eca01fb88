"""Optimisers whose `update` is called, and what it gives is not what the function goes on with."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Value
from jaxlint.flow.models.arrays import handed_back
from jaxlint.flow.models.arrays.arrays import tracer_in
from jaxlint.flow.models.arrays.pytrees import computed_with
from jaxlint.flow.models.jax import optimiser_calls
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.unused_updates import unused

_APPLYING = {"optax.apply_updates": "params", "equinox.apply_updates": "model"}


def check_applied(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """updates, new_state = tx.update(grads, state); apply_updates(params, updates), state"""
    if name in _APPLYING and not args.open_ended:
        handed_back.check_alike(it, args.get(1, "updates"), args.get(0, _APPLYING[name]), node)
        if optimiser_calls.is_state(args.get(1, "updates")):
            it.emit(events.StateApplied(node, name))
    function = it.activation.function
    if name not in _APPLYING or function is None or not isinstance(node, ast.Call):
        return
    for found in it.ask_text(it.frame.scope, unused, function.node, node):
        if not found.name.strip("_") and not _keeps_something(it, found.update):
            continue
        it.emit(events.UpdatesUnused(found.update, found.name, found.instead, found.update is node))


def applied(it: Interpreter, name: str, args: Arguments) -> Value | None:
    """What `apply_updates` gives under a trace: parameters like those that it is given."""
    params, updates = args.get(0, _APPLYING.get(name, "")), args.get(1, "updates")
    if name not in _APPLYING or args.open_ended or params is None or updates is None or not it.ctx.staging:
        return None
    known = tracer_in(it, params) is not None or tracer_in(it, updates) is not None
    return computed_with(it, params, updates) if known else None


def _keeps_something(it: Interpreter, update: ast.Call) -> bool:
    """Whether the optimiser whose `update` is called is known to go by what it has seen before."""
    if not isinstance(update.func, ast.Attribute):
        return False
    with it.quiet(), it.scratch():
        optimiser = it.eval(update.func.value)
    return optimiser_calls.keeps_state(it, optimiser)
