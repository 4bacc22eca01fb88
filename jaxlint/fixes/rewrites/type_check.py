"""`type(x) is jnp.ndarray` becomes `isinstance(x, jax.Array)`, `x.dtype is jnp.float32` compares with `==`."""

from __future__ import annotations

import ast

from jaxlint.fixes.imports import dotted_name, name_for
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Fix, Repair

_ARRAYS = frozenset(("jax.numpy.ndarray", "jax.Array"))
_EQUAL: dict[type[ast.cmpop], str] = {ast.Is: "==", ast.IsNot: "!="}


def rewrite(source: Source, repair: Repair) -> Fix:
    """Never safe: a branch that was never taken will be.  Raises CannotFix where another type was asked for."""
    compare = source.node(repair.location, ast.Compare)
    if len(compare.ops) != 1 or source.has_comment(compare):
        raise CannotFix
    (operator,), (right,) = compare.ops, compare.comparators
    if _is_type_of(compare.left) and dotted_name(source, right) in _ARRAYS:
        return _isinstance(source, compare)
    if not isinstance(compare.left, ast.Attribute) or compare.left.attr != "dtype":
        raise CannotFix
    if type(operator) in _EQUAL:
        start, end = source.offsets(compare.left)[1], source.offsets(right)[0]
        if source.document.text[start:end].split() not in (["is"], ["is", "not"]):
            raise CannotFix  # parentheses
        edit = source.replace_range(start, end, f" {_EQUAL[type(operator)]} ")
        return Fix("Compare dtypes with `==`", Applicability.UNSAFE, (edit,))
    if isinstance(right, ast.Set) and len(right.elts) > 1:
        edit = source.replace(right, f"({source.text(right)[1:-1]})")
        return Fix("Look in a tuple, which compares with `==`", Applicability.UNSAFE, (edit,))
    raise CannotFix


def _is_type_of(node: ast.expr) -> bool:
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return is_call and node.func.id == "type" and len(node.args) == 1  # type: ignore[attr-defined]


def _isinstance(source: Source, compare: ast.Compare) -> Fix:
    (operator,) = compare.ops
    assert isinstance(compare.left, ast.Call), "as the caller has seen"
    jax, imports = name_for(source, "jax", compare)
    text = f"isinstance({source.text(compare.left.args[0])}, {jax}.Array)"
    if isinstance(operator, (ast.IsNot, ast.NotEq)):
        text = f"not {text}"
    elif not isinstance(operator, (ast.Is, ast.Eq)):
        raise CannotFix
    return Fix(f"Test for `{jax}.Array`", Applicability.UNSAFE, (*imports, source.replace(compare, text)))
