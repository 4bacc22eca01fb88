"""A read-only view that is written to is made a copy: `np.asarray(x)` becomes `np.array(x)`."""

from __future__ import annotations

import ast

from jaxlint.fixes.imports import name_for
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Fix, Repair

_VIEWS = ("asarray", "asanyarray")


def rewrite(source: Source, repair: Repair) -> Fix:
    """Safe: writing to the view raises.  Raises CannotFix where the view is not made in this function, once."""
    written = source.node(repair.location, ast.AST)
    function = source.function(written) or source.tree
    made = source.once(_assignments, function).get(_name(written), [])
    if len(made) != 1 or not isinstance(made[0].value, ast.Call):
        raise CannotFix
    call = made[0].value
    if isinstance(call.func, ast.Attribute) and call.func.attr in _VIEWS:
        start, end = source.offsets(call.func)
        edit = source.replace_range(start, end, f"{source.text(call.func.value)}.array")
        return Fix("Copy it with `np.array`", Applicability.SAFE, (edit,))
    if source.text(call.func).rpartition(".")[2] != "device_get":
        raise CannotFix
    np, imports = name_for(source, "numpy", call)
    edit = source.replace(call, f"{np}.array({source.text(call)})")
    return Fix("Copy it with `np.array`", Applicability.SAFE, (*imports, edit))


def _assignments(function: ast.AST) -> dict[str, list[ast.Assign]]:
    """The assignments to each name in a function or module."""
    found: dict[str, list[ast.Assign]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for name in {target.id for target in node.targets if isinstance(target, ast.Name)}:
                found.setdefault(name, []).append(node)
    return found


def _name(written: ast.AST) -> str:
    """The name of the view in what writes to it: `view[0] = 1`, `view += 1`, `view.sort()`."""
    node: ast.AST | None = written
    while node is not None:
        match node:
            case ast.Name():
                return node.id
            case ast.Assign(targets=[target]) | ast.AugAssign(target=target) | ast.Delete(targets=[target]):
                node = target
            case ast.Call(func=ast.Attribute(value=inner)) | ast.Subscript(value=inner) | ast.Expr(value=inner):
                node = inner
            case _:
                break
    raise CannotFix
