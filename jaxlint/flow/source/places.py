"""Attributes and items of globals, as they are written."""

from __future__ import annotations

import ast

from jaxlint.flow.source.trees import descendants


def place_of(node: ast.expr) -> tuple[str, str] | None:
    """The global that an attribute or an item of a known name belongs to, and how that is written: `Config.scale`,
    `WEIGHTS['a']`."""
    written = ""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Attribute):
            written = f".{node.attr}{written}"
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            written = f"[{node.slice.value!r}]{written}"
        else:
            return None
        node = node.value
    return node.id, node.id + written


def set_places(statement: ast.AST) -> frozenset[str]:
    """All that a statement, or a module, sets in this way."""
    found = (place_of(target) for node in descendants(statement) for target in targets(node))
    return frozenset(place[1] for place in found if place is not None)


def targets(node: ast.AST) -> list[ast.expr]:
    """The attributes and items that a statement sets."""
    if isinstance(node, ast.Assign):
        return [target for target in node.targets if isinstance(target, (ast.Attribute, ast.Subscript))]
    if isinstance(node, ast.AugAssign) and isinstance(node.target, (ast.Attribute, ast.Subscript)):
        return [node.target]
    return []
