"""`x[i] = v` and `x.at[i] = v` become `x = x.at[i].set(v)`, `x[i] += v` becomes `x = x.at[i].add(v)`."""

from __future__ import annotations

import ast

from jaxlint.fixes.imports import name_for
from jaxlint.fixes.places import rebinding
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Fix, Repair

_METHODS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.Pow: "power",
}
"""What `x.at[i]` has a method for; of the others the new value is computed first."""


def rewrite(source: Source, repair: Repair) -> Fix:
    """Unsafe where the index could be a dict's.

    Raises CannotFix for several targets, and where assigning to the array's name would make another one.
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
    if not isinstance(target, ast.Subscript) or _is_text(target.slice):
        raise CannotFix
    place = target.value
    if isinstance(place, ast.Attribute) and place.attr == "at":
        place = place.value
    index = source.document.text[source.offsets(target.value)[1] : source.offsets(target)[1]]
    if not index.lstrip().startswith("["):
        raise CannotFix
    array = source.text(place)
    edit = source.replace(statement, f"{array} = {array}.at{index}.{method}({value})")
    applicability = rebinding(source, place) if repair.fact("index") == "known" else Applicability.UNSAFE
    return Fix(f"Write `{array} = {array}.at[…].{method}(…)`", applicability, (edit,))


def _is_text(index: ast.expr) -> bool:
    """Whether an index is a string: what it is an item of is no array, whatever else is known of it."""
    return isinstance(index, ast.JoinedStr) or (
        isinstance(index, ast.Constant) and isinstance(index.value, (str, bytes))
    )


def _delete(source: Source, statement: ast.Delete) -> Fix:
    """`del x[0]` becomes `x = jnp.delete(x, 0, axis=0)`; the index of a deletion must be known to the compiler."""
    target = statement.targets[0]
    if len(statement.targets) > 1 or not isinstance(target, ast.Subscript):
        raise CannotFix
    if not isinstance(target.slice, ast.Constant):
        raise CannotFix
    applicability = rebinding(source, target.value)
    jnp, imports = name_for(source, "jax.numpy", statement)
    array = source.text(target.value)
    edit = source.replace(statement, f"{array} = {jnp}.delete({array}, {source.text(target.slice)}, axis=0)")
    return Fix(f"Use `{jnp}.delete`", applicability, (*imports, edit))


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
