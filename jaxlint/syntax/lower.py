"""Python text to ``ast`` trees by way of libcst, which knows newer syntax than the running interpreter may."""

from __future__ import annotations

import ast

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

# Imported for what they add to the registry.
from jaxlint.syntax import expressions, operators, patterns, statements, strings
from jaxlint.syntax.lowering import Lowering

__all__ = ["expressions", "operators", "parse", "patterns", "statements", "strings"]


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
        line = text.splitlines()[error.raw_line - 1] if error.raw_line <= len(text.splitlines()) else ""
        raise SyntaxError(
            error.message, ("<unknown>", error.raw_line, error.raw_column + 1, line)
        ) from error
    except RecursionError as error:
        raise SyntaxError("too many nested parentheses or operators", ("<unknown>", 1, 1, "")) from error
