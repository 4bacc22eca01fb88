"""Source-like text of simple expressions, for messages: far cheaper than ast.unparse on the hot path."""

from __future__ import annotations

import ast


def dotted(node: ast.AST) -> str:
    """``a.b.c`` for a chain of names; calls and subscripts in it are shown as `(…)` and `[…]`."""
    parts: list[str] = []
    while True:
        if isinstance(node, ast.Attribute):
            parts.append(f".{node.attr}")
            node = node.value
        elif isinstance(node, ast.Call):
            parts.append("(…)")
            node = node.func
        elif isinstance(node, ast.Subscript):
            inner = node.slice
            parts.append(f"[{inner.value!r}]" if isinstance(inner, ast.Constant) else "[…]")
            node = node.value
        else:
            parts.append(node.id if isinstance(node, ast.Name) else "…")
            return "".join(reversed(parts))
