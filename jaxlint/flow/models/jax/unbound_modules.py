"""Modules of flax linen that are called, and ones of haiku that are made, where nothing gives them parameters: both
work under `init` and `apply`, or in what `hk.transform` runs, alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.contexts import Context, OfTrace
from jaxlint.flow.domain.values import ClassValue, ExternalInstance, Function, Instance, Value
from jaxlint.flow.models.jax.module_calls import methods_around
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.making import is_compact
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import parameters
from jaxlint.flow.source.straight import comes_to
from jaxlint.flow.source.trees import FunctionNode, descendants
from jaxlint.semantics import libraries

_COMPACT = frozenset(
    f"flax.linen.{layer}"
    for layer in "BatchNorm Conv ConvLocal ConvTranspose Dense DenseGeneral Dropout Einsum GroupNorm LayerNorm".split()
)
"""Layers whose `__call__` is compact, so that it asks at once what the module is bound to."""


def check_called(it: Interpreter, module: Value, node: ast.AST) -> None:
    """model(x), where the model is the one that was made, and no `apply` has bound it."""
    if not is_alone(it):
        return
    if isinstance(module, ExternalInstance):
        if module.made_by in _COMPACT and "parent" not in module.kwargs:
            it.emit(events.UnboundModule(node, module.made_by.removeprefix("flax.linen."), "called"))
    elif isinstance(module, Instance) and not module.symbolic and "parent" not in it.state.read(module):
        method = classes.find_member(it, module.cls, "__call__")
        if isinstance(method, Function) and classes.external_bases(module.cls) == {"flax.linen.Module"}:
            if is_compact(it, method):
                it.emit(events.UnboundModule(node, module.cls.name, "called"))
            elif needs := _read_of_setup(it, module, method):
                it.emit(events.UnboundModule(node, module.cls.name, "called", needs))


def _read_of_setup(it: Interpreter, module: Instance, method: Function) -> str:
    """An attribute that only `setup` sets, and a method reads whatever it is given; empty if there is none."""
    setup = classes.find_member(it, module.cls, "setup")
    if not isinstance(setup, Function):
        return ""
    it.note_function(setup)
    it.note_function(method)
    made = {name for name in _of_object(setup, ast.Store) if classes.field_node(module.cls, name) is None}
    read = _of_object(method, ast.Load)
    facts = it.facts_of(method.node)
    return next((name for name in sorted(made & read.keys()) if comes_to(method.node, facts, read[name])), "")


def _of_object(method: Function, how: type[ast.expr_context]) -> dict[str, ast.Attribute]:
    """The attributes of its object that a method stores or reads, each where it does so first."""
    named = parameters(method.node)
    found: dict[str, ast.Attribute] = {}
    for part in sorted(_attributes(method.node), key=lambda part: (part.lineno, part.col_offset)):
        if isinstance(part.ctx, how) and named and isinstance(part.value, ast.Name) and part.value.id == named[0].arg:
            found.setdefault(part.attr, part)
    return found


def _attributes(node: FunctionNode) -> Iterator[ast.Attribute]:
    return (part for part in descendants(node) if isinstance(part, ast.Attribute))


def check_made(it: Interpreter, cls: ClassValue, node: ast.AST) -> None:
    """Model(), where the class is one of haiku's modules."""
    if classes.external_bases(cls) == {"haiku.Module"}:
        it.emit(events.UnboundModule(node, cls.name, "made"))


def check_layer(it: Interpreter, name: str, node: ast.AST) -> None:
    """hk.Linear(3), a module that haiku has itself."""
    if name.startswith("haiku.") and f"{name}.__call__" in libraries.ARRAY_RESULTS:
        it.emit(events.UnboundModule(node, name.replace("haiku.", "hk.", 1), "made"))


def is_alone(it: Interpreter) -> bool:
    """Whether nothing that is running, or that traces it, can have bound a module."""
    it.ask_of_trace(OfTrace.TRANSFORMS)
    ctx: Context | None = it.ctx
    while ctx is not None:
        if ctx.host or not (ctx.transform == "" or ctx.transform.startswith("jax.")):
            return False
        ctx = ctx.parent
    return next(methods_around(it), None) is None
