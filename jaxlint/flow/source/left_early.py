"""Loops that may end before their last element."""

from __future__ import annotations

import ast

from jaxlint.flow.source.trees import FunctionNode, children


def is_left_early(loop: ast.For | ast.AsyncFor) -> bool:
    """Whether a `break` leaves this loop, and not one that is inside of it."""
    pending: list[ast.AST] = list(loop.body)
    while pending:
        part = pending.pop()
        if isinstance(part, ast.Break):
            return True
        if isinstance(part, (ast.For, ast.AsyncFor, ast.While)):
            pending += part.orelse
        elif not isinstance(part, (FunctionNode, ast.ClassDef)):
            pending += children(part)
    return False
