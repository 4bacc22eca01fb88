"""Source-like text of simple expressions, for messages.

``ast.unparse`` is too slow for the hot path, and takes exponential time on nested f-strings.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.leaving import AS_WRITTEN


def dotted(node: ast.AST) -> str:
    """``a.b.c`` for a chain of names; calls and subscripts in it are shown as `(…)` and `[…]`."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    parts: list[str] = []
    while True:
        if len(parts) > _LONGEST:
            node = _END
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


_LONGEST = 40
_END = ast.Constant(None)


def leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether a block ends by leaving the block it stands in, or the process."""
    last = body[-1] if body else None
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return dotted(last.value.func) in AS_WRITTEN
    return isinstance(last, (ast.Return, ast.Raise, ast.Continue, ast.Break))


def mentions(node: ast.AST, word: str) -> bool:
    """Whether a name or attribute below ``node`` contains ``word``."""
    return any(word in (getattr(part, "id", "") or getattr(part, "attr", "")) for part in descendants(node))


def source(lines: list[str], node: ast.AST) -> str:
    """The source lines of ``node``, cut at its ends where they lie on one line (ASCII text)."""
    first, last = getattr(node, "lineno", 1), getattr(node, "end_lineno", None) or 1
    text = lines[first - 1 : last]
    if len(text) == 1:
        return text[0][getattr(node, "col_offset", 0) : getattr(node, "end_col_offset", None)]
    return "\n".join(text)


def is_one_slip(written: str, meant: str) -> bool:
    """Whether a name is another one but for a letter that is missing, too much or another one, or two that are swapped;
    numbers, as those of versions, are not mistaken for each other."""
    start = next((place for place, (one, other) in enumerate(zip(written, meant)) if one != other), None)
    if start is None:
        start = min(len(written), len(meant))
    one, other = written[start:], meant[start:]
    slips = (one[1:] == other, one == other[1:], one[1:] == other[1:], one[:2] == other[1::-1] and one[2:] == other[2:])
    return one != other and any(slips) and not any(letter.isdigit() for letter in (one[:1] + other[:1]))
