"""What of a function's text runs at each call."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from jaxlint.flow.source.modules import FunctionFacts
from jaxlint.flow.source.trees import FunctionNode, descendants

_NO_ANSWERS: Mapping[str, bool] = MappingProxyType({})


def is_straight(node: FunctionNode, facts: FunctionFacts) -> bool:
    """Whether a function has no branch, no loop and no block that may end early or stand for something else; what the
    functions inside it have is theirs, and what a constant keeps from running is not there."""
    if facts.straight is None:
        facts.straight = _runs_through(node)
    return facts.straight


def comes_to(
    node: FunctionNode, facts: FunctionFacts, part: ast.AST, answered: Mapping[str, bool] = _NO_ANSWERS
) -> bool:
    """Whether a function does ``part`` at each call, where that is its own, or else all that is written in it: what is
    chosen or repeated in some other expression keeps nothing from running.  ``answered`` are parameters whose truth is
    known."""
    known = {name: answer for name, answer in answered.items() if name not in facts.stored}
    return is_straight(node, facts) or _runs_through(node, part if part in descendants(node) else None, known)


def _runs_through(
    node: FunctionNode, wanted: ast.AST | None = None, answered: Mapping[str, bool] = _NO_ANSWERS
) -> bool:
    waiting: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else [*node.body]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.If) and isinstance(part.test, ast.Constant):
            waiting += part.body if part.test.value else part.orelse
            continue
        if isinstance(part, ast.If) and isinstance(part.test, ast.Name) and part.test.id in answered:
            waiting += part.body if answered[part.test.id] else part.orelse
            continue
        if wanted is not None and isinstance(part, _EXPRESSIONS) and wanted not in descendants(part):
            continue
        if isinstance(part, _BRANCHING):
            return False
        if not isinstance(part, _FUNCTIONS):
            waiting += ast.iter_child_nodes(part)
    return True


def taken(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements, with those that a constant lets run in place of the branch that asks for it."""
    for statement in statements:
        if isinstance(statement, ast.If) and isinstance(statement.test, ast.Constant):
            yield from taken(statement.body if statement.test.value else statement.orelse)
        else:
            yield statement


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_EXPRESSIONS = (ast.IfExp, ast.BoolOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BRANCHING = (
    *(ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.Match, ast.Try, ast.With, ast.AsyncWith),
    *(ast.BoolOp, ast.Assert, ast.Raise, ast.comprehension, ast.Yield, ast.YieldFrom, ast.Await),
)
