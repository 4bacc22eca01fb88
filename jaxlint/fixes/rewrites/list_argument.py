"""`jnp.sum([a, b])` becomes `jnp.sum(jnp.array([a, b]))`."""

from __future__ import annotations

import ast

from jaxlint.fixes.imports import name_for
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Fix, Repair


def rewrite(source: Source, repair: Repair) -> Fix:
    """Safe: the call raises.  Raises CannotFix where a generator stands without parentheses of its own."""
    places = dict(repair.places)
    if "argument" not in places:
        raise CannotFix
    argument = source.node(places["argument"], ast.expr)
    if isinstance(argument, (ast.GeneratorExp, ast.Starred, ast.NamedExpr)):
        raise CannotFix
    module, imports = name_for(source, "jax.numpy", argument)
    text = source.text(argument)
    return Fix(
        "Make an array of it",
        Applicability.SAFE,
        (*imports, source.replace(argument, f"{module}.array({text})")),
    )
