"""Walking syntax trees fast: the generic ``ast.walk`` costs more than the analysis of what it visits."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def children(node: ast.AST) -> list[ast.AST]:
    """The child nodes, without the load/store markers and operators that have no children of their own."""
    found: list[ast.AST] = []
    for value in node.__dict__.values():
        if value.__class__ is list:
            found.extend(item for item in value if isinstance(item, ast.AST))
        elif isinstance(value, ast.AST) and value._fields:
            found.append(value)
    return found


def descendants(root: ast.AST) -> Iterator[ast.AST]:
    """``root`` and everything below it, in no particular order."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        for value in node.__dict__.values():
            if value.__class__ is list:
                stack.extend(item for item in value if isinstance(item, ast.AST))
            elif isinstance(value, ast.AST) and value._fields:
                stack.append(value)
