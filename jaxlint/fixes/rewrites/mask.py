"""`x[mask].sum()` becomes `x.sum(where=mask)`, `x.at[mask].set(0)` becomes `jnp.where(mask, 0, x)`."""

from __future__ import annotations

import ast

from jaxlint.fixes.arrays import is_always_traced, is_number
from jaxlint.fixes.imports import dotted_name, name_for
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Fix, Repair

_REDUCTIONS = frozenset(("all", "any", "mean", "prod", "std", "sum", "var"))
_UPDATES = {
    "set": "{value}",
    "add": "{array} + {value}",
    "subtract": "{array} - {value}",
    "multiply": "{array} * {value}",
    "mul": "{array} * {value}",
    "divide": "{array} / {value}",
}


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix where what is selected is used as such, and where an update brings more than a number.

    Safe where the mask compares the array with numbers, in a function that is only traced: a mask of fewer dimensions
    would select rows.
    """
    subscript = source.node(repair.location, ast.expr)
    if not isinstance(subscript, ast.Subscript) or isinstance(subscript.slice, (ast.Tuple, ast.Slice)):
        raise CannotFix
    method = source.parent(subscript)
    call = source.parent(method) if method is not None else None
    if isinstance(method, ast.Call) and method.args and method.args[0] is subscript:
        return _reduced_by_function(source, repair, subscript, method)
    if not isinstance(method, ast.Attribute) or not isinstance(call, ast.Call) or call.func is not method:
        raise CannotFix
    if source.has_comment(call):
        raise CannotFix
    owner = subscript.value
    if isinstance(owner, ast.Attribute) and owner.attr == "at":
        return _updated(source, repair, owner.value, subscript.slice, call)
    if method.attr not in _REDUCTIONS or call.args or any(keyword.arg != "dtype" for keyword in call.keywords):
        raise CannotFix
    options = "".join(f", {source.text(keyword)}" for keyword in call.keywords)
    text = f"{source.operand(owner)}.{method.attr}(where={source.text(subscript.slice)}{options})"
    return _fix(source, repair, call, text, owner, subscript.slice)


def _reduced_by_function(source: Source, repair: Repair, subscript: ast.Subscript, call: ast.Call) -> Fix:
    """`jnp.sum(x[mask])` becomes `jnp.sum(x, where=mask)`."""
    module, _, name = dotted_name(source, call.func).rpartition(".")
    if module != "jax.numpy" or name not in _REDUCTIONS or len(call.args) > 1 or call.keywords:
        raise CannotFix
    text = f"{source.text(subscript.value)}, where={source.text(subscript.slice)}"
    return _fix(source, repair, subscript, text, subscript.value, subscript.slice)


def _updated(source: Source, repair: Repair, array: ast.expr, mask: ast.expr, call: ast.Call) -> Fix:
    assert isinstance(call.func, ast.Attribute), "as the caller has seen"
    form = _UPDATES.get(call.func.attr)
    if form is None or len(call.args) != 1 or call.keywords or not is_number(call.args[0]):
        raise CannotFix
    if not isinstance(array, (ast.Name, ast.Attribute)):
        raise CannotFix  # it is written twice
    value = form.format(array=source.text(array), value=source.text(call.args[0]))
    jnp, imports = name_for(source, "jax.numpy", call)
    text = f"{jnp}.where({source.text(mask)}, {value}, {source.text(array)})"
    fix = _fix(source, repair, call, text, array, mask)
    return Fix(f"Use `{jnp}.where`", fix.applicability, (*imports, *fix.edits))


def _fix(source: Source, repair: Repair, node: ast.expr, text: str, array: ast.expr, mask: ast.expr) -> Fix:
    safe = is_always_traced(repair) and _is_of_same_shape(source, array, mask)
    applicability = Applicability.SAFE if safe else Applicability.UNSAFE
    return Fix("Use `where=`", applicability, (source.replace(node, text),))


def _is_of_same_shape(source: Source, array: ast.expr, mask: ast.expr) -> bool:
    if not isinstance(mask, ast.Compare) or len(mask.ops) != 1 or not is_number(mask.comparators[0]):
        return False
    return isinstance(array, ast.Name) and source.text(mask.left) == array.id
