"""The constant seeds that a module's text gives to whatever makes keys of them."""

from __future__ import annotations

import ast

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants

_MAKERS = frozenset(("key", "PRNGKey"))
_LOW = 2**32


def has_the_same_key(scope: ModuleText, seed: int) -> bool:
    """Whether a module makes a key of another seed whose lower 32 bits are the same."""
    calls = (part for part in descendants(scope.tree) if isinstance(part, ast.Call)) if scope.tree is not None else ()
    for call in calls:
        if dotted(call.func).rpartition(".")[2] in _MAKERS:
            given = [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "seed")]
            others = {_number(one) for one in given} - {None, seed}
            if any(other is not None and other % _LOW == seed % _LOW for other in others):
                return True
    return False


def _number(node: ast.expr) -> int | None:
    """The integer that a literal, or a sum, product or power of two of them, comes to."""
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else None
    if not isinstance(node, ast.BinOp):
        return None
    left, right = _number(node.left), _number(node.right)
    if left is None or right is None:
        return None
    if isinstance(node.op, ast.Add):
        return left + right
    if isinstance(node.op, ast.Mult):
        return left * right
    return left**right if isinstance(node.op, ast.Pow) and left == 2 and 0 <= right <= 64 else None
