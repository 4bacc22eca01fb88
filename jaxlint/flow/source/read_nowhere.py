"""Whether an attribute of objects, or a name of a module, is read by nobody, by the text of a module."""

from __future__ import annotations

import ast

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants

_ALL_NAMES = frozenset(("__dict__", "vars"))
_ALL_ATTRIBUTES = _ALL_NAMES | frozenset(("asdict", "astuple", "globals", "locals", "exec", "eval"))


def reads_attribute(scope: ModuleText, attribute: str) -> bool:
    """Whether a module reads an attribute of that name, might by its name in a text, or reads all that objects have."""
    return _may_read(scope, attribute, _ALL_ATTRIBUTES)


def reads_of_module(scope: ModuleText, name: str) -> bool:
    """Whether a module may read what another one calls so."""
    imports = descendants(scope.tree) if scope.tree is not None else ()
    imported = {alias.name for node in imports if isinstance(node, ast.ImportFrom) for alias in node.names}
    return not imported.isdisjoint((name, "*")) or _may_read(scope, name, _ALL_NAMES)


def _may_read(scope: ModuleText, attribute: str, reading_all: frozenset[str]) -> bool:
    if scope.tree is None:
        return True
    for node in scope.walked().attributes.get(attribute, []):
        if isinstance(node.ctx, ast.Load):
            return True
    return any(
        (isinstance(node, ast.AugAssign) and getattr(node.target, "attr", "") == attribute)
        or (isinstance(node, ast.Constant) and node.value == attribute)
        or getattr(node, "attr", getattr(node, "id", "")) in reading_all
        for node in descendants(scope.tree)
    )
