"""Generators that look at something before they hand over and once more afterwards, as those that time a block do."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import children, descendants

Nodes = tuple[ast.AST, ...]


class Around(NamedTuple):
    """What is called before a generator yields and after that, where the second is taken off the first."""

    before: ast.expr
    after: ast.expr


def looks_around(scope: ModuleText, generator: ast.FunctionDef) -> Around | None:
    """What a generator calls before it yields once and again behind that, to see the difference, if nothing else is
    called in between that might wait for somebody."""
    parts = _parts(generator.body)
    if parts is None or sum(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in descendants(generator)) != 1:
        return None
    first = dict(filter(None, map(_looked, parts[0])))
    later: dict[str, ast.expr] = {}
    for statement in parts[1]:
        found = _looked(statement)
        if found is not None:
            later.update([found])
            continue
        for difference, around in _differences(statement):
            if not isinstance(difference.right, ast.Name) or difference.right.id not in first:
                continue
            after = difference.left.func if isinstance(difference.left, ast.Call) else later.get(_name(difference.left))
            is_plain = all(part in around for part in descendants(statement) if isinstance(part, ast.Call))
            if after is not None and is_plain and not any(isinstance(part, ast.Compare) for part in around):
                return Around(first[difference.right.id], after)
        return None
    return None


def _parts(body: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]] | None:
    """The statements before the one that yields, and those behind it."""
    for number, statement in enumerate(body):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Yield):
            return body[:number], body[number + 1 :]
        if isinstance(statement, ast.Try) and not statement.handlers:
            inside = _parts(statement.body)
            if inside is not None:
                before, after = inside
                return [*body[:number], *before], [*after, *statement.finalbody, *body[number + 1 :]]
    return None


def _looked(statement: ast.stmt) -> tuple[str, ast.expr] | None:
    """The name that is given to what a call without arguments gives, and what is called."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target, value = statement.targets[0], statement.value
    if not isinstance(target, ast.Name) or not isinstance(value, ast.Call) or value.args or value.keywords:
        return None
    return target.id, value.func


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _differences(statement: ast.AST, around: Nodes = ()) -> Iterator[tuple[ast.BinOp, Nodes]]:
    """The differences that a statement computes, with what is around each and the look that is in it."""
    for part in children(statement):
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub):
            yield part, (*around, part.left)
        yield from _differences(part, (*around, part))
