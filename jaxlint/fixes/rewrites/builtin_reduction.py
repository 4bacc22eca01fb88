"""`max(x, 0)` becomes `jnp.maximum(x, 0)`, `max(xs)` becomes `jnp.max(xs)`, `sorted(xs)` becomes `jnp.sort(xs)`."""

from __future__ import annotations

import ast

from jaxlint.fixes.arrays import is_always_traced
from jaxlint.fixes.imports import name_for
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Fix, Repair

_OF_ONE = {"max": "max", "min": "min", "sorted": "sort"}
_OF_TWO = {"max": "maximum", "min": "minimum"}
_DISPLAYS = (ast.List, ast.Tuple, ast.ListComp)


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix for `key=`, `default=`, `reverse=` and starred arguments.

    Safe for two values in a function that is only ever traced: a single one may also be a list of arrays.
    """
    call = source.node(repair.location, ast.Call)
    if not isinstance(call.func, ast.Name) or call.keywords or source.has_comment(call):
        raise CannotFix
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        raise CannotFix
    jnp, imports = name_for(source, "jax.numpy", call)
    name = call.func.id
    if len(call.args) == 1 and name in _OF_ONE:
        text = f"{jnp}.{_OF_ONE[name]}({_array(source, jnp, call.args[0])})"
    elif len(call.args) > 1 and name in _OF_TWO:
        text, *others = [source.text(argument) for argument in call.args]
        for other in others:
            text = f"{jnp}.{_OF_TWO[name]}({text}, {other})"
    else:
        raise CannotFix
    safe = len(call.args) > 1 and is_always_traced(repair)
    applicability = Applicability.SAFE if safe else Applicability.UNSAFE
    return Fix("Use jax.numpy", applicability, (*imports, source.replace(call, text)))


def _array(source: Source, jnp: str, values: ast.expr) -> str:
    """One array of what is reduced.  The items of a list were compared one by one, so that they are scalars."""
    text = source.text(values)
    if isinstance(values, ast.GeneratorExp):
        return f"{jnp}.array([{text[1:-1]}])"
    return f"{jnp}.array({text})" if isinstance(values, _DISPLAYS) else text
