"""How many arguments a function takes, where its definition says so."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.taken import Taken
from jaxlint.flow.domain.values import Function, Partial, Transformed, Value, innermost
from jaxlint.flow.models.jax.replaced import is_replaced
from jaxlint.flow.port import Interpreter

_SAME_ARGUMENTS = frozenset(
    """
    jax.jit jax.vmap jax.grad jax.value_and_grad jax.jacfwd jax.jacrev jax.hessian
    jax.checkpoint jax.remat jax.custom_jvp jax.custom_vjp jax.named_call
    """.split()
)
"""Transforms that hand on the arguments that they are called with."""


def taken_by(it: Interpreter, function: Value) -> Taken | None:
    """What a function of the program takes; None where that is not known, as of one that some decorator has changed."""
    inner, bound, named = innermost(function)
    if inner is None or not _is_itself(function, inner) or is_replaced(it, function):
        return None
    spec = inner.node.args
    names = [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)]
    required = names[bound : len(names) - len(inner.defaults)]
    only = {parameter.arg for parameter in spec.posonlyargs}
    asked = [one.arg for one, default in zip(spec.kwonlyargs, inner.kw_defaults) if default is None]
    known = frozenset({*names[bound:], *(parameter.arg for parameter in spec.kwonlyargs)} - only)
    filled = next((name for name in names[bound:] if name in named), "")
    most = None if spec.vararg is not None else max(len(names) - bound, 0)
    return Taken(
        "" if isinstance(inner.node, ast.Lambda) else inner.name,
        len([name for name in required if name not in named]),
        names[bound:].index(filled) if filled else most,
        None if spec.kwarg is not None else known,
        tuple(name for name in asked if name not in named),
        filled,
    )


def _is_itself(function: Value, inner: Function) -> bool:
    """Whether nothing is around a function but partials and transforms that hand on what they are given.  One that a
    class has from elsewhere may be the default of a field, which Python does not make a method."""
    if inner.receiver is not None and inner.owner is None:
        return False
    decorators = getattr(inner.node, "decorator_list", ())
    known = int(inner.kind in ("static", "class"))
    while isinstance(function, (Partial, Transformed)):
        if isinstance(function, Transformed):
            if function.name not in _SAME_ARGUMENTS:
                return False
            known += function.node in decorators
        function = function.function
    return len(decorators) <= known
