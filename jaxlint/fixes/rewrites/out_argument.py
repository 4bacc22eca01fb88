"""What was to be written into an array is assigned to its name."""

from __future__ import annotations

import ast

import libcst as cst

from jaxlint.fixes.imports import name_for
from jaxlint.fixes.places import rebinding
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Edit, Fix, Repair

_AT = {"add": "add", "multiply": "multiply", "divide": "divide", "power": "power", "maximum": "max", "minimum": "min"}
"""The method of `x.at[i]` that does what `np.<ufunc>.at(x, i, v)` does."""


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix for functions other than those with `out=`, `inplace=` and the `at` of ufuncs."""
    call = source.node(repair.location, ast.Call)
    function = repair.fact("function") or ""
    is_statement = isinstance(source.parent(call), ast.Expr)
    out = next((keyword.value for keyword in call.keywords if keyword.arg == "out"), None)
    if out is not None:
        new, imports = _without_out(source, call, function)
        if not is_statement:  # whoever reads the array that was to be written to gets the old one
            return Fix("Remove `out`", Applicability.UNSAFE, (*imports, source.replace(call, new)))
        place = out
    elif function.endswith(".at") and is_statement and len(call.args) == 3 and not call.keywords:
        place, imports, new = call.args[0], (), _at(source, call, function)
    elif function.endswith("fill_diagonal"):
        new, imports = _not_in_place(source, call)
        place = call.args[0]
    else:
        raise CannotFix
    if not is_statement:
        return Fix("Write `inplace=False`", Applicability.SAFE, (*imports, source.replace(call, new)))
    text = source.text(place)
    edit = source.replace(call, f"{text} = {new}")
    return Fix(f"Assign the result to `{text}`", rebinding(source, place), (*imports, edit))


def _without_out(source: Source, call: ast.Call, function: str) -> tuple[str, tuple[Edit, ...]]:
    """The call without its argument `out`, by jax.numpy's function of the name."""
    tree = source.expression(call)
    assert isinstance(tree, cst.Call), "an ast.Call"
    kept = [argument for argument in tree.args if argument.keyword is None or argument.keyword.value != "out"]
    if kept and kept[-1] is not tree.args[-1]:
        kept[-1] = kept[-1].with_changes(comma=tree.args[-1].comma)
    called, imports = _in_jax(source, call, function)
    return source.code(tree.with_changes(args=kept, func=cst.parse_expression(called))), imports


def _not_in_place(source: Source, call: ast.Call) -> tuple[str, tuple[Edit, ...]]:
    """The call of jnp.fill_diagonal with `inplace=False`."""
    called, imports = _in_jax(source, call, "jax.numpy.fill_diagonal")
    if any(isinstance(argument, ast.Starred) for argument in call.args) or not call.args:
        raise CannotFix
    arguments = [source.text(argument) for argument in call.args]
    arguments += [source.text(keyword) for keyword in call.keywords if keyword.arg != "inplace"]
    return f"{called}({', '.join([*arguments, 'inplace=False'])})", imports


def _in_jax(source: Source, call: ast.Call, function: str) -> tuple[str, tuple[Edit, ...]]:
    if function.startswith("jax.") and source.text(call.func).endswith(function.rpartition(".")[2]):
        return source.text(call.func), ()
    jnp, imports = name_for(source, "jax.numpy", call)
    return f"{jnp}.{function.rpartition('.')[2]}", imports


def _at(source: Source, call: ast.Call, function: str) -> str:
    array, index, value = call.args
    ufunc = function.removesuffix(".at").rpartition(".")[2]
    if ufunc == "subtract":
        return f"{source.text(array)}.at[{source.text(index)}].add(-{source.operand(value)})"
    if ufunc not in _AT:
        raise CannotFix
    return f"{source.text(array)}.at[{source.text(index)}].{_AT[ufunc]}({source.text(value)})"
