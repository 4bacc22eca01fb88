"""What every lowering function works with: the registry it is listed in, and the text's positions.

A lowering function takes the file's ``Lowering`` and one libcst node; it returns the ``ast`` node that
CPython's own parser would have made of that piece of text, with the same position.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import libcst as cst
from libcst.metadata import CodePosition, CodeRange

Rule = TypeVar("Rule", bound=Callable[..., Any])
Node = TypeVar("Node", bound=ast.AST)
Place = tuple[int, int]  # a line from 1, a column from 0 in bytes of UTF-8

# libcst counts these as the ends of lines, and a form feed not.
LINE_END = re.compile(r"\r\n?|\n")

REGISTRY: dict[type[cst.CSTNode], Callable[[Lowering, Any], Any]] = {}


def lowers(*nodes: type[cst.CSTNode]) -> Callable[[Rule], Rule]:
    """List a function as the one that lowers nodes of exactly these classes."""

    def register(rule: Rule) -> Rule:
        REGISTRY.update(dict.fromkeys(nodes, rule))
        return rule

    return register


class Lowering:
    """One file on its way from libcst to ``ast``: its lines, and where each libcst node begins and ends."""

    def __init__(self, text: str, ranges: Mapping[cst.CSTNode, CodeRange]) -> None:
        self.lines = LINE_END.split(text)
        self.ranges = ranges
        self.semicolons: dict[ast.stmt, Place] = {}  # where the semicolon ends that closes the line of a statement

    def __call__(self, node: cst.CSTNode) -> Any:
        """Lower one node by the function listed for its class."""
        return REGISTRY[type(node)](self, node)

    def each(self, nodes: Iterable[cst.CSTNode]) -> list[Any]:
        return [self(node) for node in nodes]

    def maybe(self, node: cst.CSTNode | None) -> Any:
        return None if node is None else self(node)

    def start(self, node: cst.CSTNode) -> Place:
        return self._place(self.ranges[node].start)

    def end(self, node: cst.CSTNode) -> Place:
        return self._place(self.ranges[node].end)

    def outer_start(self, node: Any) -> Place:
        """Where an expression begins, its parentheses included."""
        return self.start(node.lpar[0] if node.lpar else node)

    def outer_end(self, node: Any) -> Place:
        """Where an expression ends, its parentheses included."""
        return self.end(node.rpar[-1] if node.rpar else node)

    def make(
        self,
        kind: Callable[..., Node],
        node: cst.CSTNode,
        /,
        start: Place | None = None,
        end: Place | None = None,
        **fields: Any,
    ) -> Node:
        """Build an ``ast`` node that covers ``node``, or from ``start`` to ``end`` where these are given."""
        line, column = start or self.start(node)
        end_line, end_column = end or self.end(node)
        return kind(**fields, lineno=line, col_offset=column, end_lineno=end_line, end_col_offset=end_column)

    def source(self, start: CodePosition, end: CodePosition) -> str:
        """The text between two positions."""
        if start.line == end.line:
            return self.lines[start.line - 1][start.column : end.column]
        between = self.lines[start.line : end.line - 1]
        return "\n".join([self.lines[start.line - 1][start.column :], *between, self.lines[end.line - 1][: end.column]])

    def _place(self, position: CodePosition) -> Place:
        line = self.lines[position.line - 1]
        if line.isascii():
            return position.line, position.column
        return position.line, len(line[: position.column].encode("utf-8", "surrogatepass"))


def place_of(node: Any) -> Place:
    return node.lineno, node.col_offset


def end_of(node: Any) -> Place:
    return node.end_lineno, node.end_col_offset


def as_target(node: ast.expr, context: type[ast.expr_context] = ast.Store) -> ast.expr:
    """Mark an expression, and the elements it unpacks into, as assigned to (or deleted); returns it."""
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Starred, ast.Tuple, ast.List)):
        node.ctx = context()
    if isinstance(node, ast.Starred):
        as_target(node.value, context)
    if isinstance(node, (ast.Tuple, ast.List)):
        for element in node.elts:
            as_target(element, context)
    return node


def brackets_place(low: Lowering, node: Any, elements: Sequence[Any]) -> tuple[Place, Place]:
    """From where to where a tuple (or a sequence pattern) reaches.

    Parentheses belong to it, the innermost pair alone when there are more.  Without parentheses it reaches
    from its first element to its last, or to the comma after that.
    """
    if node.lpar:
        return low.start(node.lpar[-1]), low.end(node.rpar[0])
    comma = elements[-1].comma
    return low.start(node), low.end(comma) if isinstance(comma, cst.Comma) else low.end(node)
