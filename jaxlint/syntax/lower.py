"""Python text to ``ast`` trees by way of libcst, which knows newer syntax than the running interpreter may."""

from __future__ import annotations

import ast
import re

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

# Imported for what they add to the registry.
from jaxlint.syntax import expressions, operator_classes, patterns, statements, strings
from jaxlint.syntax.lowering import LINE_END, Lowering

__all__ = ["expressions", "operator_classes", "parse", "patterns", "statements", "strings"]

LOCATED = re.compile(r"parser error: error at (?P<line>\d+):(?P<column>\d+): ")


def parse(text: str) -> ast.Module:
    """Return the tree that ``ast.parse`` would, with the same positions.

    Raises ``SyntaxError`` with line, column and text where the text is not Python, or nests too deeply.
    """
    try:
        module = cst.parse_module(text)
        # A module fresh from the parser has no node twice, so the copy that guards against that is left out.
        ranges = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
        return ast.Module(body=Lowering(text, ranges)(module), type_ignores=[])
    except cst.ParserSyntaxError as error:
        raise syntax_error(error, text) from error
    except RecursionError as error:
        raise SyntaxError("too many nested parentheses or operators", ("<unknown>", 1, 1, "")) from error


def syntax_error(error: cst.ParserSyntaxError, text: str) -> SyntaxError:
    """The error CPython would raise; libcst says the right line and column in its message only."""
    found = LOCATED.match(error.message)
    line, column = (int(found["line"]), int(found["column"])) if found else (error.raw_line, error.raw_column + 1)
    lines = LINE_END.split(text)
    reason = error.message[found.end() :] if found else error.message
    return SyntaxError(reason, ("<unknown>", line, max(column, 1), lines[line - 1] if line <= len(lines) else ""))
