"""Strings: plain, formatted, and several beside each other, which are one.

Parts of a formatted string have the positions that CPython gives them since 3.12.  A template string (3.14)
evaluates its parts as a formatted one does, so it is lowered to that.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import libcst as cst

from jaxlint.syntax.lowering import Lowering, end_of, lowers

Formatted = cst.FormattedString | cst.TemplatedString
Text = cst.FormattedStringText | cst.TemplatedStringText
Replacement = cst.FormattedStringExpression | cst.TemplatedStringExpression

ESCAPE = re.compile(r"\\(?:N\{[^{}\\]*\}|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)


@lowers(cst.SimpleString)
def plain(low: Lowering, node: cst.SimpleString) -> ast.Constant:
    kind = "u" if node.value[0] in "uU" else None
    return low.make(ast.Constant, node, value=literal(node.value), kind=kind)


def literal(text: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape is other linters' business
        return ast.literal_eval(text)


@lowers(cst.ConcatenatedString)
def concatenated(low: Lowering, node: cst.ConcatenatedString) -> ast.expr:
    pieces = low.each(strings_of(node))
    if all(isinstance(piece, ast.Constant) for piece in pieces):
        value = pieces[0].value[:0].join(piece.value for piece in pieces)
        return low.make(ast.Constant, node, value=value, kind=pieces[0].kind)
    parts = [part for piece in pieces for part in (piece.values if isinstance(piece, ast.JoinedStr) else [piece])]
    return low.make(ast.JoinedStr, node, values=joined(parts))


def strings_of(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(node, cst.ConcatenatedString):
        return [*strings_of(node.left), *strings_of(node.right)]
    return [node]


def joined(parts: Iterable[ast.expr]) -> list[ast.expr]:
    """Merge the constants that touch, and drop the empty ones."""
    result: list[ast.expr] = []
    for part in parts:
        last = result[-1] if result else None
        if isinstance(part, ast.Constant) and isinstance(last, ast.Constant):
            last.value = str(last.value) + str(part.value)
            last.end_lineno, last.end_col_offset = end_of(part)
        else:
            result.append(part)
    return [part for part in result if not (isinstance(part, ast.Constant) and part.value == "")]


@lowers(cst.FormattedString, cst.TemplatedString)
def formatted(low: Lowering, node: Formatted) -> ast.JoinedStr:
    raw = "r" in node.prefix.lower()
    return low.make(ast.JoinedStr, node, values=contents(low, node.parts, raw))


def contents(low: Lowering, parts: Sequence[cst.CSTNode], raw: bool) -> list[ast.expr]:
    """The text and the replacement fields of a formatted string, or of the format inside such a field."""
    pieces: list[ast.expr] = []
    for part in parts:
        if isinstance(part, Text):
            pieces.append(text_piece(low, part, raw))
        elif isinstance(part, Replacement):
            pieces.extend(replacement(low, part, raw))
    return joined(pieces)


def text_piece(low: Lowering, node: Text, raw: bool) -> ast.Constant:
    text = re.sub(r"\r\n?", "\n", node.value).replace("{{", "{").replace("}}", "}")
    return low.make(ast.Constant, node, value=text if raw else unescaped(text))


def unescaped(text: str) -> str:
    return ESCAPE.sub(lambda escape: str(literal(f'"""{escape.group()}"""')), text)


def replacement(low: Lowering, node: Replacement, raw: bool) -> list[ast.expr]:
    """`{x!r:>{width}}`; for `{x=}` the text `x=` comes before the value."""
    value = low(node.expression)
    spec = None if node.format_spec is None else format_spec(low, node, raw)
    conversion = ord(node.conversion) if node.conversion else -1
    field = low.make(ast.FormattedValue, node, value=value, conversion=conversion, format_spec=spec)
    if node.equal is None:
        return [field]
    if node.conversion is None and spec is None:
        field.conversion = ord("r")
    return [self_documentation(low, node), field]


def self_documentation(low: Lowering, node: Replacement) -> ast.Constant:
    first, last = node.whitespace_before_expression, cst.ensure_type(node.equal, cst.AssignEqual).whitespace_after
    text = low.source(low.ranges[first].start, low.ranges[last].end)
    return low.make(ast.Constant, node, low.start(first), low.end(last), value=text)


def format_spec(low: Lowering, node: Replacement, raw: bool) -> ast.JoinedStr:
    """What follows the colon, the colon included in its position."""
    parts = node.format_spec or ()
    values = contents(low, parts, raw)
    end_line, end_column = low.end(node)
    end = (end_line, end_column - 1)
    if not parts:
        return low.make(ast.JoinedStr, node, (end_line, end_column - 2), end, values=[])
    line, column = low.start(parts[0])
    return low.make(ast.JoinedStr, node, (line, column - 1), end, values=values)
