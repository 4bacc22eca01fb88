"""Whether a function asks what kind of object it has been given: what it does on such an answer it does with others."""

from __future__ import annotations

import ast

from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import FunctionNode, descendants

_QUESTIONS = frozenset("isinstance issubclass hasattr getattr type callable is_dataclass is_namedtuple".split())


def asks_what(function: FunctionNode, written: ast.expr) -> bool:
    """Whether a function asks what ``written`` is: by its class, by an attribute that all objects of some kind have, or
    by a handler that sets its attributes where something else has failed."""
    text = dotted(written)
    return any(_asks(part, text) for part in descendants(function))


def _asks(node: ast.AST, text: str) -> bool:
    if isinstance(node, ast.Call):
        name = dotted(node.func).rpartition(".")[2]
        return name in _QUESTIONS and any(dotted(argument) == text for argument in node.args[:1])
    if isinstance(node, ast.Attribute):
        return node.attr.startswith("__") and dotted(node.value) == text
    return isinstance(node, ast.ExceptHandler) and any(
        isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and dotted(part.value) == text
        for part in descendants(node)
    )
