"""`jnp.log(jax.nn.softmax(x))` becomes `jax.nn.log_softmax(x)`, and likewise for sigmoid, `1 + exp`, sums of `exp`."""

from __future__ import annotations

import ast

from jaxlint.fixes.imports import name_for
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Fix, Repair


def rewrite(source: Source, repair: Repair) -> Fix:
    """Safe: the same number, with all its digits.  Raises CannotFix where the parts are not all in one expression."""
    better, made = dict(repair.facts)["better"], dict(repair.places)["made"]
    call = source.node(repair.location, ast.Call)
    inner = source.node(made, ast.Call)
    if len(call.args) != 1 or call.keywords or inner not in ast.walk(call.args[0]):
        raise CannotFix
    arguments = [*inner.args, *inner.keywords]
    if better == "logsumexp":
        arguments += _of_sum(call.args[0], inner)
    of_rest = better == "log_sigmoid" and _is_rest(call.args[0], inner)
    if better in ("log_softmax", "log_sigmoid") and call.args[0] is not inner and not of_rest:
        raise CannotFix
    if any(isinstance(argument, ast.Starred) for argument in inner.args) or (
        better != "log_softmax" and len(inner.args) + len(inner.keywords) != 1
    ):
        raise CannotFix
    module, imports = name_for(source, "jax.nn", call)
    text = ", ".join(map(source.text, arguments))
    if of_rest:
        text = f"-({text})" if not isinstance(inner.args[0], (ast.Name, ast.Attribute, ast.Call)) else f"-{text}"
    return Fix(
        f"Use `{module}.{better}`", Applicability.SAFE, (*imports, source.replace(call, f"{module}.{better}({text})"))
    )


def _is_rest(argument: ast.expr, inner: ast.Call) -> bool:
    """Whether it is `1 - sigmoid(x)`, which is `sigmoid(-x)`, or what `log1p` takes for that."""
    if not inner.args:
        return False
    if isinstance(argument, ast.BinOp) and isinstance(argument.op, ast.Sub):
        return argument.right is inner and isinstance(argument.left, ast.Constant) and argument.left.value == 1
    return isinstance(argument, ast.UnaryOp) and isinstance(argument.op, ast.USub) and argument.operand is inner


def _of_sum(total: ast.expr, inner: ast.Call) -> list[ast.keyword]:
    """The axes of `jnp.sum(jnp.exp(x), axis=…)`, which the other function has as well."""
    if not isinstance(total, ast.Call) or total.args != [inner]:
        raise CannotFix
    if not {keyword.arg for keyword in total.keywords} <= {"axis", "keepdims"}:
        raise CannotFix
    return total.keywords
