"""Which parts of an expression count only where a condition holds: operands of a `where`, a `cond`, a mask."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import TypeAlias

from jaxlint.flow.limits import MOST_NAMES
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants

Condition: TypeAlias = "tuple[str, object]"
"""What decides, as it is written, and what it comes to: of two conditions that differ only in that one holds."""


class Masks:
    """What the names of a function's conditions stand for; ``root`` is the function or module."""

    def __init__(self, root: ast.AST) -> None:
        self._bound: Counter[str] = Counter()
        self._values: dict[str, ast.expr] = {}
        self._found: dict[ast.AST, list[tuple[Condition, ast.AST]]] = {}
        for part in descendants(root):
            if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
                self._bound[part.id] += 1
            elif isinstance(part, ast.arg):
                self._bound[part.arg] += 1
            elif isinstance(part, ast.Assign) and len(part.targets) == 1 and isinstance(part.targets[0], ast.Name):
                self._values[part.targets[0].id] = part.value

    def conditions(self, node: ast.AST) -> list[tuple[Condition, ast.AST]]:
        """The operands of an expression that count only where a condition holds, each with that condition."""
        if not isinstance(node, (ast.BinOp, ast.IfExp, ast.Call)):
            return []
        if node not in self._found:
            self._found[node] = list(self._conditions(node))
        return self._found[node]

    def _conditions(self, node: ast.AST) -> Iterator[tuple[Condition, ast.AST]]:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            for mask, operand in ((node.left, node.right), (node.right, node.left)):
                if self._is_boolean(mask):
                    yield from ((condition, operand) for condition in self._meaning(mask, True))
        elif isinstance(node, ast.IfExp):
            yield from self._ways(node.test, [node.body, node.orelse])
        elif isinstance(node, ast.Call):
            yield from self._of_call(node)

    def _of_call(self, node: ast.Call) -> Iterator[tuple[Condition, ast.AST]]:
        function, operands = _last(node.func), node.args
        if function in ("map", "tree_map") and operands and isinstance(operands[0], ast.Lambda):
            names = [parameter.arg for parameter in operands[0].args.args]
            leaves = dict(zip(names, operands[1:]))
            for condition, part in self.conditions(operands[0].body):
                if isinstance(part, ast.Name) and part.id in leaves:
                    yield condition, leaves[part.id]
        elif function == "select" and len(operands) > 1 and isinstance(operands[1], (ast.List, ast.Tuple)):
            yield from self._one_of(operands[0], operands[1].elts)
        elif function in ("where", "select") and len(operands) == 3:
            yield from self._ways(operands[0], operands[1:])
        elif function == "cond" and len(operands) > 2 and all(isinstance(part, ast.Lambda) for part in operands[1:3]):
            yield from self._ways(operands[0], operands[1:3])
        elif function == "switch" and len(operands) > 1 and isinstance(operands[1], (ast.List, ast.Tuple)):
            yield from self._one_of(operands[0], [part for part in operands[1].elts if isinstance(part, ast.Lambda)])

    def _ways(self, test: ast.expr, operands: list[ast.expr]) -> Iterator[tuple[Condition, ast.AST]]:
        for holds, operand in zip((True, False), operands):
            yield from ((condition, operand) for condition in self._meaning(test, holds))

    def _one_of(self, chooser: ast.expr, operands: list[ast.expr]) -> Iterator[tuple[Condition, ast.AST]]:
        if self._is_settled(chooser):
            yield from (((ast.dump(chooser), f"number {number}"), part) for number, part in enumerate(operands))

    def _meaning(self, test: ast.expr, holds: bool, depth: int = 0) -> Iterator[Condition]:
        """What is known where a test holds, or where it does not."""
        test = _plain(test)
        if not self._is_settled(test):
            return
        yield ast.dump(test), holds
        if isinstance(test, ast.Name) and test.id in self._values and depth < MOST_NAMES.value:
            if self._is_boolean(self._values[test.id]):
                yield from self._meaning(self._values[test.id], holds, depth + 1)
        negated = _negated(test)
        if negated is not None:
            yield from self._meaning(negated, not holds, depth)
        elif isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.comparators[0], ast.Constant):
            is_equal = isinstance(test.ops[0], ast.Eq)
            if isinstance(test.ops[0], ast.NotEq):
                equal = ast.Compare(test.left, [ast.Eq()], test.comparators)
                yield ast.dump(equal), not holds
                is_equal, holds = True, not holds
            if is_equal and holds:
                yield f"the value of {ast.dump(test.left)}", test.comparators[0].value

    def _is_settled(self, test: ast.expr) -> bool:
        """Whether the names in it are given one value: else two places with this text may mean two."""
        return all(self._bound[part.id] < 2 for part in _with(test) if isinstance(part, ast.Name))

    def _is_boolean(self, node: ast.expr, depth: int = 0) -> bool:
        node = _plain(node)
        if isinstance(node, ast.Name):
            value = self._values.get(node.id) if self._bound[node.id] == 1 and depth < MOST_NAMES.value else None
            return value is not None and self._is_boolean(value, depth + 1)
        negated = _negated(node)
        if negated is not None:
            return isinstance(node, ast.UnaryOp) or self._is_boolean(negated, depth)
        if isinstance(node, ast.Call):
            return _last(node.func) in _BOOLEAN
        return isinstance(node, (ast.Compare, ast.BoolOp))


def _with(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    yield from descendants(node)


def _plain(node: ast.expr) -> ast.expr:
    """A mask without the conversion of its truth values to numbers."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "astype":
        node = node.func.value
    return node


def _negated(node: ast.expr) -> ast.expr | None:
    """What a test is the negation of: `~a`, `not a`, `logical_not(a)`, and `1 - a` of a mask."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Invert, ast.Not)):
        return _plain(node.operand)
    if isinstance(node, ast.Call) and _last(node.func) == "logical_not" and len(node.args) == 1:
        return _plain(node.args[0])
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and isinstance(node.left, ast.Constant):
        return _plain(node.right) if node.left.value == 1 else None
    return None


def _last(node: ast.AST) -> str:
    return dotted(node).rpartition(".")[2] if isinstance(node, (ast.Name, ast.Attribute)) else ""


_BOOLEAN = frozenset(
    "bernoulli logical_and logical_or logical_not logical_xor isnan isfinite isinf isclose equal not_equal "
    "less greater less_equal greater_equal any all".split()
)
