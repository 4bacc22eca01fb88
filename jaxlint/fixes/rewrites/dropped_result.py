"""The result of `x.at[i].set(v)`, and of other functions that change nothing in place, is assigned."""

from __future__ import annotations

import ast

from jaxlint.fixes.places import rebinding
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Fix, Repair

_UPDATED = {
    "jax.random.permutation": 1,
    "optax.apply_updates": 0,
    "equinox.apply_updates": 0,
    "equinox.tree_at": 1,
    "dataclasses.replace": 0,
    "flax.core.freeze": 0,
    "flax.core.unfreeze": 0,
    "jax.numpy.sort": 0,
    "jax.numpy.clip": 0,
    "jax.numpy.nan_to_num": 0,
    "jax.numpy.flip": 0,
    "jax.numpy.roll": 0,
    "jax.numpy.fill_diagonal": 0,
}
"""Which argument of a function the result is a new version of."""


def rewrite(source: Source, repair: Repair) -> Fix:
    """Unsafe, since dropping the result did nothing.  Raises CannotFix where it is of no argument the new version."""
    call = source.node(repair.location, ast.Call)
    if not isinstance(source.parent(call), ast.Expr):
        raise CannotFix
    updated = _updated(call, repair.fact("function") or "")
    rebinding(source, updated)
    place = source.text(updated)
    edit = source.insert(source.offsets(call)[0], f"{place} = ")
    return Fix(f"Assign the result to `{place}`", Applicability.UNSAFE, (edit,))


def _updated(call: ast.Call, function: str) -> ast.expr:
    if not function.startswith("."):
        position = _UPDATED.get(function)
        if position is None or len(call.args) <= position:
            raise CannotFix
        return call.args[position]
    if not isinstance(call.func, ast.Attribute):
        raise CannotFix
    updated = call.func.value
    while isinstance(updated, ast.Subscript) and isinstance(updated.value, ast.Attribute):  # x.at[0].set(1).at[1]
        if updated.value.attr != "at":
            break
        updated = updated.value.value
        if isinstance(updated, ast.Call) and isinstance(updated.func, ast.Attribute):
            updated = updated.func.value
    return updated
