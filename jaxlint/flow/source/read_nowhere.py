"""Whether what is stored outside of a trace is read by nobody, by the text of a module.

A tracer that nobody reads raises nothing: an attribute for debugging, a list of a notebook's cell that shows how it is
filled.
"""

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


def reads_variable(scope: ModuleText, name: str) -> bool:
    """Whether anything but calls for their effect reads a variable of a notebook; of a module that may others."""
    document = scope.module.document
    if scope.tree is None or document.layout is None or document.layout.goes_on or not document.is_in_cells:
        return True
    parts = list(descendants(scope.tree))
    changed = {
        node.value.func.value
        for node in parts
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
    }
    return any(
        (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load) and node not in changed)
        or getattr(node, "id", "") in _ALL_ATTRIBUTES
        for node in parts
    )
