"""What `jax.lax.map` and `associative_scan` are given that they do not take: another order, more arrays, functions of
another number of parameters."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.contexts import Provenance, Why
from jaxlint.flow.domain.values import (
    ABSTRACT,
    Array,
    Container,
    External,
    Function,
    HostArray,
    Partial,
    Transformed,
    Tree,
    Tuple,
    Value,
)
from jaxlint.flow.models.jax.arity import taken_by
from jaxlint.flow.port import Interpreter

_GIVEN = {"jax.lax.map": 1, "jax.lax.associative_scan": 2, "jax.lax.reduce": 2}
"""How many arguments the function gets that each of these is given."""


def is_no_function(value: Value) -> str:
    """What kind of thing it is, if it is an array or a tree, which nobody can call."""
    if isinstance(value, Array):
        return "" if value.declared else "array"
    if isinstance(value, HostArray):
        return "array"
    if isinstance(value, Container) or (isinstance(value, Tuple) and value.cls is None):
        return value.kind if isinstance(value, Container) else "tuple"
    return ""


def is_refused(it: Interpreter, name: str, args: Arguments, function: Value, node: ast.AST) -> bool:
    """Whether JAX raises before the function has run, or because it cannot be run with what it is given."""
    count = _GIVEN.get(name)
    if count is None or args.open_ended:
        return False
    if name == "jax.lax.map" and len(args.positional) > 2:
        return it.emit(events.MapMisused(node, name, "many", f"{len(args.positional) - 1}"))
    what = is_no_function(function)
    if what and any(map(is_function, args.positional[1:])):
        return it.emit(events.MapMisused(node, name, "order", what))
    taken = taken_by(it, function)
    if taken is None or not taken.refuses(count):
        return False
    return it.emit(events.MapMisused(node, name, "parameters", "", count, taken))


def is_function(value: Value) -> bool:
    """Whether it is certainly one."""
    return isinstance(value, (Function, Partial, Transformed, External))


def check_combines_batches(it: Interpreter, name: str, function: Value, node: ast.AST) -> None:
    """`associative_scan` gives its function batches of elements: no two that Python can ask which is larger."""
    if name != "jax.lax.associative_scan" or it.ctx.staging or not is_function(function):
        return
    reason = Provenance(Why.RUN, (name,), it.frame.scope, node, it.ctx.provenance)
    with it.scratch(), it.keeping() as told:
        it.call(function, Arguments([Tree(ABSTRACT, reason), Tree(ABSTRACT, reason)]), node)
    for event, _ in told.events.values():
        if isinstance(event, events.TruthTest):
            it.emit(events.BatchTested(event.node, name, event.how), event.scope)
