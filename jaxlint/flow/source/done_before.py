"""Which calls a function has made wherever it comes to another one, by its text."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import FunctionNode

_APART = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.GeneratorExp)
"""What runs later, or as often as somebody else likes."""

Arms = tuple[tuple[ast.AST, str], ...]
"""The branching statements and expressions around a piece of code, with the part of each that it is in."""


def calls_before(_: ModuleText, function: FunctionNode, node: ast.AST) -> tuple[ast.Call, ...]:
    """The calls that are written before ``node``, and made on every path that leads there in one pass."""
    found: list[ast.Call] = []
    for call, arms in _calls(function, ()):
        if call is node:
            return tuple(one for one, around in _calls(function, ()) if one in found and around == arms[: len(around)])
        found.append(call)
    return ()


def _calls(node: ast.AST, arms: Arms) -> Iterator[tuple[ast.Call, Arms]]:
    """The calls of a function, each after those among its arguments, with what decides whether it is made."""
    for name, part in ast.iter_fields(node):
        is_arm = isinstance(node, _BRANCHING) and name not in ("test", "iter", "target", "subject", "items")
        inside = (*arms, (node, name)) if is_arm else arms
        for child in part if isinstance(part, list) else [part]:
            if isinstance(child, ast.AST) and not isinstance(child, _APART):
                below = (*inside, (child, "")) if isinstance(child, (ast.match_case, ast.ExceptHandler)) else inside
                yield from _calls(child, below)
    if isinstance(node, ast.Call):
        yield node, arms


_BRANCHING = (
    *(ast.If, ast.IfExp, ast.BoolOp, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.Match),
    *(ast.ListComp, ast.SetComp, ast.DictComp),
)
