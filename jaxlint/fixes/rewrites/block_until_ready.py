"""`x.block_until_ready()` becomes `jax.block_until_ready(x)`, which waits for arrays and lets tracers pass."""

from __future__ import annotations

import ast

from jaxlint.fixes.imports import name_for
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Fix, Repair


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix for a method that is not called on the spot."""
    attribute = source.node(repair.location, ast.expr)
    call = attribute if isinstance(attribute, ast.Call) else source.parent(attribute)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.args or call.keywords:
        raise CannotFix
    if call.func.attr != "block_until_ready" or source.has_comment(call):
        raise CannotFix
    jax, imports = name_for(source, "jax", call)
    edit = source.replace(call, f"{jax}.block_until_ready({source.text(call.func.value)})")
    return Fix(f"Use `{jax}.block_until_ready`", Applicability.SAFE, (*imports, edit))
