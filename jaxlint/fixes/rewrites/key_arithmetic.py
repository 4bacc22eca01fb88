"""`key + i` becomes `jax.random.fold_in(key, i)`."""

from __future__ import annotations

import ast

from jaxlint.fixes.imports import name_for
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Fix, Repair


def rewrite(source: Source, repair: Repair) -> Fix:
    """Unsafe: other numbers are drawn.  Raises CannotFix for arithmetic other than the sum of a name and a number."""
    node = source.node(repair.location, ast.BinOp)
    if not isinstance(node.op, ast.Add) or not isinstance(node.left, (ast.Name, ast.Attribute)):
        raise CannotFix
    fold_in, imports = name_for(source, "jax.random.fold_in", node)
    edit = source.replace(node, f"{fold_in}({source.text(node.left)}, {source.text(node.right)})")
    return Fix("Fold the number into the key", Applicability.UNSAFE, (*imports, edit))
