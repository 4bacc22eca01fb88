"""`x: jax.Array = jnp.zeros(3)` becomes `x: jax.Array = dataclasses.field(default_factory=lambda: jnp.zeros(3))`."""

from __future__ import annotations

import ast

from jaxlint.fixes.imports import name_for
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Fix, Repair


def rewrite(source: Source, repair: Repair) -> Fix:
    """Safe: the class as it is cannot be made.  Raises CannotFix for a default that depends on names of the class."""
    statement = source.node(repair.location, ast.AnnAssign)
    cls, default = source.parent(statement), statement.value
    if not isinstance(cls, ast.ClassDef) or default is None or source.has_comment(default):
        raise CannotFix
    if {node.id for node in ast.walk(default) if isinstance(node, ast.Name)} & source.once(_bound_in, cls):
        raise CannotFix  # a lambda in a class does not see them
    field, imports = name_for(source, "dataclasses.field", cls)
    edit = source.replace(default, f"{field}(default_factory=lambda: {source.text(default)})")
    return Fix("Make the default for each instance", Applicability.SAFE, (*imports, edit))


def _bound_in(cls: ast.ClassDef) -> set[str]:
    return {node.id for node in ast.walk(cls) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
