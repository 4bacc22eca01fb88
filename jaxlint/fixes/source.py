"""What a fixer works on: one document's text and tree, found by location, given to libcst piece by piece.

A fixer finds its `ast` node by the location in the finding, takes that piece of the text as a libcst tree (which
keeps every space and comment), changes it, and gives it back as the smallest edit that makes the difference.
Only the piece is parsed: libcst would need seconds for the positions of a whole long module.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from jaxlint.flow.source.trees import breadth_first, children, descendants
from jaxlint.project.depth import nesting_depth
from jaxlint.project.documents import MAX_LIBCST_DEPTH, Document
from jaxlint.vocabulary.findings import Edit, Location, Repair

if TYPE_CHECKING:
    import libcst as cst

Node = TypeVar("Node", bound=ast.AST)
Asked = TypeVar("Asked")
Answer = TypeVar("Answer")

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List, ast.Dict, ast.Set, ast.ListComp)

_ASSIGN = re.compile(r"\s*(?:[-+%@&|^]|\*\*?|//?|<<|>>)?=(?:\s|\\\n)*")


class CannotFix(Exception):
    """The code is not of a form that the fixer knows how to rewrite; the finding stays without a fix."""


class Source:
    """One document for fixers.  Its tree must exist (``document.problem is None``).

    What a fixer asks of a whole function or module it asks through `once`: a document can have findings by the hundred.
    """

    def __init__(self, document: Document, repairs: Sequence[Repair] = ()) -> None:
        """``repairs`` are all that are asked for in the document: some are made together."""
        tree = document.tree
        if tree is None:
            raise CannotFix
        self.document = document
        self.repairs = tuple(repairs)
        self.tree = tree
        self.newline = _newline(document.text)
        self._starts = _line_starts(document.text)
        self._answers: dict[tuple[Callable[[Any], Any], Any], Any] = {}

    def once(self, question: Callable[[Asked], Answer], node: Asked) -> Answer:
        """What a function says of a node, or of the source itself, which it is asked once for all fixes."""
        asked = (question, node)
        if asked not in self._answers:
            self._answers[asked] = question(node)
        answer: Answer = self._answers[asked]
        return answer

    # -- finding things

    def node(self, place: Location, kind: type[Node]) -> Node:
        """The outermost node of a kind that spans exactly this place.  Raises CannotFix when there is none."""
        first, last = self._byte(place.line, place.column), self._byte(place.end_line, place.end_column)
        for node in self.once(_by_span, self.tree).get((place.line, first, place.end_line, last), ()):
            if isinstance(node, kind) and self.document.location(node) == place:
                return node
        raise CannotFix

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node around a node."""
        return self.once(_parents, self.tree).get(node)

    def parents(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, innermost first."""
        current = self.parent(node)
        while current is not None:
            yield current
            current = self.parent(current)

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that a node belongs to (itself, when it is one)."""
        for candidate in (node, *self.parents(node)):
            if isinstance(candidate, ast.stmt):
                return candidate
        raise CannotFix

    def function(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None:
        """The innermost function around a node, or None at module or class level."""
        for candidate in self.parents(node):
            if isinstance(candidate, _DEFINITIONS):
                return candidate
        return None

    def cell(self, node: ast.AST) -> int:
        """The cell of a notebook that a node is in; 0 elsewhere."""
        return self.document.place(self.document.location(node)).cell

    # -- text

    def offsets(self, node: ast.AST) -> tuple[int, int]:
        """Where a node's text starts and ends, in characters from the beginning of the document."""
        place = self.document.location(node)
        return self.offset(place.line, place.column), self.offset(place.end_line, place.end_column)

    def offset(self, line: int, column: int) -> int:
        """Characters before a 1-based line and column."""
        return self._starts[line - 1] + column - 1

    def _byte(self, line: int, column: int) -> int:
        """A column as `ast` counts them."""
        before = self.document.lines[line - 1][: column - 1] if 1 <= line <= len(self.document.lines) else ""
        return column - 1 if before.isascii() else len(before.encode("utf-8", "surrogatepass"))

    def place(self, start: int, end: int) -> Location:
        """The location of a range of characters."""
        line, column = self._position(start)
        end_line, end_column = self._position(end)
        return Location(self.document.path, line, column, end_line, end_column)

    def text(self, node: ast.AST) -> str:
        """A node as it is written, without parentheses around it."""
        start, end = self.offsets(node)
        return self.document.text[start:end]

    def operand(self, node: ast.expr) -> str:
        """An expression as it is written, in parentheses where it could come apart beside an operator or a dot."""
        text = self.text(node)
        if isinstance(node, _ATOMS) and not _is_number(node):
            return text
        return f"({text})"

    def assigned(self, statement: ast.Assign | ast.AugAssign, target: ast.expr) -> str:
        """What is assigned, as it is written, fit to stand between the parentheses of a call."""
        operator = _ASSIGN.match(self.document.text, self.offsets(target)[1])
        if operator is None:
            raise CannotFix
        text = self.document.text[operator.end() : self.offsets(statement)[1]]
        bare = self.text(statement.value)
        if text != bare:
            return text[1:-1]  # parentheses that are no part of the expression, with the comments in them
        needs_them = isinstance(statement.value, (ast.Tuple, ast.Yield, ast.YieldFrom)) and not bare.startswith("(")
        return f"({bare})" if needs_them else bare

    def indent(self, statement: ast.stmt) -> str:
        """The white space that a statement's line begins with.  Raises CannotFix when something stands before it."""
        place = self.document.location(statement)
        before = self.document.lines[place.line - 1][: place.column - 1]
        if before.strip():
            raise CannotFix  # `if x: y` or `a; b`
        return before

    def has_comment(self, node: ast.AST) -> bool:
        """Whether there is a comment inside a node's text (which a rewrite of the whole of it would lose)."""
        return bool(self.comments(node))

    def comments(self, node: ast.AST) -> list[str]:
        """The comments inside a node's text."""
        if "#" not in self.text(node):
            return []
        import libcst as cst

        found = [
            part for part in _descendants(self.parse_statement_or_expression(node)) if isinstance(part, cst.Comment)
        ]
        end = self.document.location(node)
        behind = self.document.lines[end.end_line - 1][end.end_column - 1 :]
        is_followed = isinstance(node, ast.stmt) and behind.lstrip().startswith("#")
        return [comment.value for comment in (found[:-1] if is_followed else found)]

    # -- libcst

    def expression(self, node: ast.expr) -> cst.BaseExpression:
        """An expression as a libcst tree, without the parentheses around it."""
        import libcst as cst

        text = self.text(node)
        _check_depth(text)
        try:
            wrapped = cst.parse_expression(f"({text})")  # a line break inside is legal only in parentheses
        except (cst.ParserSyntaxError, ValueError):
            raise CannotFix from None
        return wrapped.with_changes(lpar=wrapped.lpar[1:], rpar=wrapped.rpar[:-1])

    def parsed_statement(self, node: ast.stmt) -> cst.SimpleStatementLine | cst.BaseCompoundStatement:
        """A whole statement, decorators included, as a libcst tree whose code is the text of its lines."""
        import libcst as cst

        first, last = self.lines_of(node)
        text = "".join(self._line(number) for number in range(first, last + 1))
        _check_depth(text)
        body: Sequence[cst.CSTNode]
        if self.indent_of_line(first):
            (block,) = self._parse(f"if 1:{self.newline}{text}").body
            assert isinstance(block, cst.If), "what was just written"
            body = block.body.body
        else:
            body = self._parse(text).body
        if len(body) != 1 or not isinstance(body[0], (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
            raise CannotFix
        return body[0]

    def parse_statement_or_expression(self, node: ast.AST) -> cst.CSTNode:
        if isinstance(node, ast.expr):
            return self.expression(node)
        if isinstance(node, ast.stmt):
            return self.parsed_statement(node)
        raise CannotFix

    def code(self, node: cst.CSTNode) -> str:
        """A libcst tree as text."""
        import libcst as cst

        return cst.Module([]).code_for_node(node)

    def _parse(self, text: str) -> cst.Module:
        import libcst as cst

        try:
            return cst.parse_module(text)
        except (cst.ParserSyntaxError, ValueError):  # several statements on a line, a form feed, newer syntax
            raise CannotFix from None

    def indent_of_line(self, number: int) -> str:
        """The white space that a line begins with."""
        line = self.document.lines[number - 1]
        return line[: len(line) - len(line.lstrip())]

    def lines_of(self, node: ast.stmt) -> tuple[int, int]:
        """The first and the last line of a statement, its decorators included."""
        decorators = getattr(node, "decorator_list", ())
        return min([node.lineno, *(decorator.lineno for decorator in decorators)]), node.end_lineno or node.lineno

    def _line(self, number: int) -> str:
        """A line with its line break."""
        end = self._starts[number] if number < len(self._starts) else len(self.document.text)
        return self.document.text[self._starts[number - 1] : end]

    # -- edits

    def replace(self, node: ast.AST, text: str) -> Edit:
        """Put other text in a node's place."""
        return self.replace_range(*self.offsets(node), text)

    def replace_range(self, start: int, end: int, text: str) -> Edit:
        """Put other text in the place of a range of characters; what stays the same at either end is left alone."""
        old = self.document.text[start:end]
        before = _common_prefix(old, text)
        after = _common_prefix(old[before:][::-1], text[before:][::-1])
        return Edit(self.place(start + before, end - after), text[before : len(text) - after])

    def insert_before(self, statement: ast.stmt, *lines: str) -> Edit:
        """Put whole lines, written without indentation, before a statement."""
        indent = self.indent(statement)
        start = self.offset(self.lines_of(statement)[0], 1)
        return self.insert(start, "".join(f"{indent}{line}{self.newline}" for line in lines))

    def insert(self, offset: int, text: str) -> Edit:
        """Put text in at one place."""
        return Edit(self.place(offset, offset), text)

    def _position(self, offset: int) -> tuple[int, int]:
        import bisect

        line = bisect.bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


_Span = tuple[int, int, int, int]


def _by_span(tree: ast.AST) -> dict[_Span, list[ast.AST]]:
    """The nodes by where they start and end, outer ones first."""
    found: dict[_Span, list[ast.AST]] = {}
    for node in breadth_first(tree):
        if (line := getattr(node, "lineno", None)) is not None:
            offset = getattr(node, "col_offset", 0)
            end_line, end = getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)
            found.setdefault((line, offset, end_line or line, offset if end is None else end), []).append(node)
    return found


def _parents(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    return {child: parent for parent in descendants(tree) for child in children(parent)}


def _is_number(node: ast.expr) -> bool:
    """`1.real` would be another number."""
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex))


def _descendants(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    for child in node.children:
        yield child
        yield from _descendants(child)


def _check_depth(text: str) -> None:
    if nesting_depth(text) > MAX_LIBCST_DEPTH // 10:
        raise CannotFix


def _newline(text: str) -> str:
    """The line break that a text uses first."""
    found = re.search(r"\r\n|\r|\n", text)
    return found[0] if found else "\n"


def _line_starts(text: str) -> list[int]:
    return [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", text))]


def _common_prefix(first: str, second: str) -> int:
    length = 0
    for left, right in zip(first, second):
        if left != right:
            break
        length += 1
    return length
