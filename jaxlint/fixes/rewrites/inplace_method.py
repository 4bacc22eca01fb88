"""`x.fill(v)`, `x.itemset(i, v)`, `x.partition(k)` and `x.shape = s` become assignments of a new array."""

from __future__ import annotations

import ast

from jaxlint.fixes.imports import name_for
from jaxlint.fixes.places import rebinding
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Edit, Fix, Repair


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix for other methods, and where the method's result is used."""
    statement = source.statement(source.node(repair.location, ast.AST))
    edits: tuple[Edit, ...] = ()
    match statement:
        case ast.Assign(targets=[ast.Attribute(attr="shape") as target]):
            array = target.value
            new = f"{source.text(array)}.reshape({source.assigned(statement, target)})"
        case ast.Expr(value=ast.Call(func=ast.Attribute() as method, keywords=[]) as call):
            array = method.value
            new, edits = _method(source, method.attr, source.text(array), call)
        case _:
            raise CannotFix
    place = source.text(array)
    edit = source.replace(statement, f"{place} = {new}")
    return Fix(f"Assign a new array to `{place}`", rebinding(source, array), (*edits, edit))


def _method(source: Source, method: str, array: str, call: ast.Call) -> tuple[str, tuple[Edit, ...]]:
    """What the method would have made of the array, and the imports it needs."""
    arguments = [source.text(argument) for argument in call.args]
    if method == "itemset" and len(arguments) == 2:
        return f"{array}.at[{arguments[0]}].set({arguments[1]})", ()
    functions = {"fill": "full_like", "partition": "partition"}
    if method not in functions or len(arguments) != 1:
        raise CannotFix
    jnp, imports = name_for(source, "jax.numpy", call)
    return f"{jnp}.{functions[method]}({array}, {arguments[0]})", imports
