"""`RATES[i]` becomes `jnp.asarray(RATES)[i]`: an array can be indexed with a tracer, a list cannot."""

from __future__ import annotations

import ast

from jaxlint.fixes.arrays import is_number
from jaxlint.fixes.imports import bound_by, bound_in, name_for
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Fix, Repair


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix for slices, whose bounds must be static, and for lists that are not numbers through and through.

    Unsafe, because an array clamps an index that is out of range.
    """
    subscript = source.node(repair.location, ast.Subscript)
    if not isinstance(subscript.ctx, ast.Load) or any(
        isinstance(node, ast.Slice) for node in ast.walk(subscript.slice)
    ):
        raise CannotFix
    is_list = dict(repair.facts).get("what") != "NumPy array"
    if is_list and (isinstance(subscript.slice, ast.Tuple) or _shape(_display(source, subscript.value)) is None):
        raise CannotFix
    jnp, imports = name_for(source, "jax.numpy", subscript)
    edit = source.replace(subscript.value, f"{jnp}.asarray({source.text(subscript.value)})")
    return Fix("Index an array", Applicability.UNSAFE, (*imports, edit))


def _display(source: Source, node: ast.expr) -> ast.expr:
    """The list that an expression is: itself, or what its name was bound to, once and for all, in the same scope."""
    if not isinstance(node, ast.Name):
        return node
    function = source.function(node)
    while function is not None and node.id not in source.once(bound_in, function):
        function = source.function(function)
    body = source.tree.body if function is None else function.body
    if not isinstance(body, list):
        raise CannotFix
    binding = [statement for statement in body if node.id in bound_by(statement)]
    if len(binding) != 1 or not isinstance(binding[0], (ast.Assign, ast.AnnAssign)) or binding[0].value is None:
        raise CannotFix
    if node.id in source.once(_changed, source.tree):
        raise CannotFix
    return binding[0].value


def _changed(tree: ast.Module) -> set[str]:
    """The names that a `global` rebinds, or of which some method is named."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            names.update(node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            names.add(node.value.id)
    return names


def _shape(node: ast.expr) -> tuple[int, ...] | None:
    """The shape of the array that lists in lists of numbers make; None if they make none."""
    if is_number(node):
        return ()
    if not isinstance(node, (ast.List, ast.Tuple)) or not node.elts:
        return None
    shapes = {_shape(element) for element in node.elts}
    (first,) = shapes if len(shapes) == 1 else (None,)
    return None if first is None else (len(node.elts), *first)
