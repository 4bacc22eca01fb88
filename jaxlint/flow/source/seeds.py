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
    return any(other != seed and other % _LOW == seed % _LOW for seeds in scope.parts(_seeds) for other in seeds)


def _seeds(statement: ast.AST) -> frozenset[int]:
    """The numbers of which keys are made."""
    given: list[ast.expr] = []
    for call in (part for part in descendants(statement) if isinstance(part, ast.Call)):
        if dotted(call.func).rpartition(".")[2] in _MAKERS:
            given += [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "seed")]
    return frozenset(number for number in map(_number, given) if number is not None)


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
