"""Whether an attribute of objects is read by nobody, by the text of a module."""

from __future__ import annotations

import ast

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants

_ALL_ATTRIBUTES = frozenset(("__dict__", "vars", "asdict", "astuple", "globals", "locals", "exec", "eval"))


def reads_attribute(scope: ModuleText, attribute: str) -> bool:
    """Whether a module reads an attribute of that name, might by its name in a text, or reads all that objects have."""
    if scope.tree is None:
        return True
    for node in scope.walked().attributes.get(attribute, []):
        if isinstance(node.ctx, ast.Load):
            return True
    return any(
        (isinstance(node, ast.AugAssign) and getattr(node.target, "attr", "") == attribute)
        or (isinstance(node, ast.Constant) and node.value == attribute)
        or getattr(node, "attr", getattr(node, "id", "")) in _ALL_ATTRIBUTES
        for node in descendants(scope.tree)
    )
