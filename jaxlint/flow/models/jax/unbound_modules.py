"""Modules of flax linen that are called, and ones of haiku that are made, where nothing gives them parameters: both
work under `init` and `apply`, or in what `hk.transform` runs, alone."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.contexts import Context
from jaxlint.flow.domain.values import ClassValue, ExternalInstance, Function, Instance, Value
from jaxlint.flow.models.jax.module_calls import methods_around
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.making import is_compact
from jaxlint.flow.port import Interpreter

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
        name = module.made_by if module.made_by in _COMPACT and "parent" not in module.kwargs else ""
    elif isinstance(module, Instance) and not module.symbolic and "parent" not in it.state.read(module):
        method = classes.find_member(it, module.cls, "__call__")
        is_linen = classes.external_bases(module.cls) == {"flax.linen.Module"}
        name = module.cls.name if is_linen and isinstance(method, Function) and is_compact(it, method) else ""
    else:
        return
    if name:
        it.emit(events.UnboundModule(node, name.removeprefix("flax.linen."), "called"))


def check_made(it: Interpreter, cls: ClassValue, node: ast.AST) -> None:
    """Model(), where the class is one of haiku's modules."""
    if classes.external_bases(cls) == {"haiku.Module"}:
        it.emit(events.UnboundModule(node, cls.name, "made"))


def is_alone(it: Interpreter) -> bool:
    """Whether nothing that is running, or that traces it, can have bound a module."""
    ctx: Context | None = it.ctx
    while ctx is not None:
        if ctx.host or not (ctx.transform == "" or ctx.transform.startswith("jax.")):
            return False
        ctx = ctx.parent
    return next(methods_around(it), None) is None
