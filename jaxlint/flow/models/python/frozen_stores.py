"""Attributes that are set on objects that refuse it."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import NONE, Const, External, Function, Instance, Opaque, Tree, Value
from jaxlint.flow.models.objects import frozen, making
from jaxlint.flow.models.objects.declared import declared_class
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.asked_what import asks_what
from jaxlint.flow.source.text import dotted


def check_store(
    it: Interpreter, owner: Value, written: ast.expr, name: str, node: ast.AST, deleted: bool = False
) -> bool:
    """Whether an object that ``written`` stands for refuses that its attribute is set, or ``deleted``."""
    found = frozen.refusal(it, owner, name, deleted)
    seen = not isinstance(owner, Instance) or not owner.symbolic or making.is_receiver(it, owner)
    if found is None and isinstance(owner, (Tree, Opaque)):
        named = declared_class(it, written)
        found = frozen.refusal_of_declared(it, named, name, deleted) if named is not None else None
        seen = False
    function = it.activation.function
    if found is None or (function is not None and (asks_what(function.node, written) or _is_replaced(it, function))):
        return False
    it.emit(events.FrozenSet(node, f"{dotted(written)}.{name}", found.kind, found.cls, found.made, deleted, seen))
    return True


def _is_replaced(it: Interpreter, function: Function) -> bool:
    """Whether something that is not known to leave a method's object as it is stands between a method and its callers:
    a decorator may hand it a copy that can be changed."""
    decorators = [] if function.owner is None else getattr(function.node, "decorator_list", [])
    for node in decorators:
        applied = it.eval_annotation(node.func if isinstance(node, ast.Call) else node, function)
        if not isinstance(applied, External) or applied.name.partition(".")[0] not in _LEAVING_OBJECTS:
            return True
    return False


_LEAVING_OBJECTS = frozenset(
    "jax equinox flax chex functools builtins typing typing_extensions abc jaxtyping beartype contextlib".split()
)


def call_delattr(it: Interpreter, args: Arguments, node: ast.AST) -> Value:
    """delattr(state, "step")"""
    name = args.get(1, "")
    if isinstance(node, ast.Call) and node.args and isinstance(name, Const) and isinstance(name.value, str):
        check_store(it, args.positional[0], node.args[0], name.value, node, deleted=True)
    return NONE
