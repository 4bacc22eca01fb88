"""`x[i] = v` becomes `x = x.at[i].set(v)`, `x[i] += v` becomes `x = x.at[i].add(v)`."""

from __future__ import annotations

import ast

from jaxlint.findings import Applicability, Fix, Repair
from jaxlint.fixes.imports import bound_in, name_for
from jaxlint.fixes.source import CannotFix, Source

_METHODS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.Pow: "power",
}
"""What `x.at[i]` has a method for; of the others the new value is computed first."""


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix for `del`, for several targets and where assigning to the array's name would make another one.

    Safe where the function goes on to use the array under its name; a function that only changes what it was given
    has to be made to return it, too.
    """
    statement = source.statement(source.node(repair.location, ast.AST))
    if isinstance(statement, ast.Delete):
        return _delete(source, statement)
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, method, value = statement.targets[0], "set", source.assigned(statement, statement.targets[0])
    elif isinstance(statement, ast.AugAssign):
        target = statement.target
        method, value = _update(source, statement)
    else:
        raise CannotFix
    if not isinstance(target, ast.Subscript) or not _is_place(target.value):
        raise CannotFix
    array = source.text(target.value)
    index = source.document.text[source.offsets(target.value)[1] : source.offsets(target)[1]]
    if not index.lstrip().startswith("["):
        raise CannotFix
    applicability = _applicability(source, target.value)
    edit = source.replace(statement, f"{array} = {array}.at{index}.{method}({value})")
    return Fix(f"Write `{array} = {array}.at[…].{method}(…)`", applicability, (edit,))


def _delete(source: Source, statement: ast.Delete) -> Fix:
    """`del x[0]` becomes `x = jnp.delete(x, 0, axis=0)`; the index of a deletion must be known to the compiler."""
    (target,) = statement.targets if len(statement.targets) == 1 else (None,)
    if not isinstance(target, ast.Subscript) or not isinstance(target.slice, ast.Constant):
        raise CannotFix
    if not _is_place(target.value):
        raise CannotFix
    jnp, imports = name_for(source, "jax.numpy", statement)
    array = source.text(target.value)
    edit = source.replace(statement, f"{array} = {jnp}.delete({array}, {source.text(target.slice)}, axis=0)")
    return Fix(f"Use `{jnp}.delete`", _applicability(source, target.value), (*imports, edit))


def _update(source: Source, statement: ast.AugAssign) -> tuple[str, str]:
    """The method and its argument; `x.at[i].subtract` is younger than the oldest jax that is supported."""
    value = source.assigned(statement, statement.target)
    if isinstance(statement.op, ast.Sub):
        return "add", f"-{source.operand(statement.value)}"
    if type(statement.op) in _METHODS:
        return _METHODS[type(statement.op)], value
    start, end = source.offsets(statement.target)[1], source.offsets(statement.value)[0]
    operator = source.document.text[start:end].strip(" (").removesuffix("=")
    return "set", f"{source.text(statement.target)} {operator} {source.operand(statement.value)}"


def _is_place(node: ast.expr) -> bool:
    """Whether evaluating an expression twice does no more than once, so that it can be read and assigned to."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, (ast.Constant, ast.Name)) and _is_place(node.value)
    if isinstance(node, ast.Attribute):
        return _is_place(node.value)
    return isinstance(node, ast.Name)


def _applicability(source: Source, array: ast.expr) -> Applicability:
    """Whether the new array is seen where the old one was.  Raises CannotFix for a name of an outer function."""
    if not isinstance(array, ast.Name):
        return Applicability.SAFE
    function = source.function(array)
    if function is None:
        return Applicability.SAFE
    if array.id not in bound_in(function):
        raise CannotFix  # assigning to it would make it a local name
    is_used = any(
        isinstance(node, ast.Name)
        and node.id == array.id
        and isinstance(node.ctx, ast.Load)
        and not isinstance(source.parent(node), ast.Subscript)
        for node in ast.walk(function)
    )
    return Applicability.SAFE if is_used else Applicability.UNSAFE
