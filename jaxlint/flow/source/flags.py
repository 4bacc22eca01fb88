"""What a module asks for nothing but its truth: an item or an attribute that is a flag, as far as its text tells."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.source.trees import descendants


def handled_parts(tree: ast.Module) -> frozenset[str]:
    """The names of the attributes and of the items that a module reads elsewhere than in a condition: what they hold
    may be changed by that.  An item has its name in quotes."""
    parts = list(descendants(tree))
    asked = {part for one in parts for test in _tests(one) for part in _truths(test)}
    read = (part for part in parts if part not in asked and isinstance(getattr(part, "ctx", None), ast.Load))
    return frozenset(name for name in map(part_name, read) if name is not None)


def part_name(node: ast.AST) -> str | None:
    """How an attribute, or an item by a name, is called here."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        return repr(node.slice.value)
    return None


def _tests(node: ast.AST) -> tuple[ast.expr, ...]:
    if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        return (node.test,)
    return tuple(node.ifs) if isinstance(node, ast.comprehension) else ()


def _truths(test: ast.expr) -> Iterator[ast.expr]:
    """The parts of a condition whose truth decides it."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _truths(test.operand)
    elif isinstance(test, ast.BoolOp):
        for part in test.values:
            yield from _truths(part)
    else:
        yield test
