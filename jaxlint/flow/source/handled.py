"""Which variables a function does more with than ask about them: what they hold may be changed by that."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.source.modules import FunctionFacts
from jaxlint.flow.source.trees import FunctionNode, descendants

_ASKING = frozenset(("len", "isinstance", "hasattr", "callable"))


def handled(node: FunctionNode, facts: FunctionFacts) -> frozenset[str]:
    """The names that a function, or one inside of it, reads elsewhere than in a condition, or puts something into."""
    if facts.handled is None:
        asked = {name for part in descendants(node) for test in _tests(part) for name in _asked(test)}
        names = (part for part in descendants(node) if isinstance(part, ast.Name) and part not in asked)
        added = {part.target for part in descendants(node) if isinstance(part, ast.AugAssign)}
        facts.handled = frozenset(name.id for name in names if isinstance(name.ctx, ast.Load) or name in added)
    return facts.handled


def _tests(node: ast.AST) -> tuple[ast.expr, ...]:
    if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        return (node.test,)
    return tuple(node.ifs) if isinstance(node, ast.comprehension) else ()


def _asked(test: ast.expr) -> Iterator[ast.Name]:
    """The names that a condition asks something of."""
    if isinstance(test, ast.Name):
        yield test
    elif isinstance(test, ast.UnaryOp):
        yield from _asked(test.operand)
    elif isinstance(test, (ast.BoolOp, ast.Compare)):
        for part in test.values if isinstance(test, ast.BoolOp) else (test.left, *test.comparators):
            yield from _asked(part)
    elif isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id in _ASKING:
        for part in test.args:
            yield from _asked(part)
