"""The cells of a notebook, joined to one module as they run from top to bottom."""

from __future__ import annotations

import io
import itertools
import keyword
import tokenize
from collections.abc import Iterable
from typing import NamedTuple

from jaxlint.project.ipython import Piece, expecting_error, parses, plain_python
from jaxlint.project.layout import Line


class Cell(NamedTuple):
    """A code cell: its number, counted from 1 over cells of all kinds, and its text.

    ``may_raise`` says that its author expects an exception (the tag ``raises-exception``), ``is_left_out`` that nobody
    has run it, unlike cells below.
    """

    number: int
    source: str
    may_raise: bool = False
    is_left_out: bool = False


def join_cells(cells: Iterable[Cell]) -> tuple[str, list[Line]]:
    """The text of all cells, and where each of its lines comes from."""
    texts: list[str] = []
    lines: list[Line] = []
    for cell in cells:
        for piece in _pieces(cell):
            texts.append(piece.text)
            lines.append(piece.at(cell.number))
    return "".join(text + "\n" for text in texts), lines


def _pieces(cell: Cell) -> list[Piece]:
    pieces = plain_python(cell.source)
    if not (cell.may_raise or cell.is_left_out):
        return [] if _shows_results(cell.source) else pieces
    if not parses("\n".join(piece.text for piece in pieces)):
        return []
    return expecting_error(pieces) if cell.may_raise else pieces


def _shows_results(source: str) -> bool:
    """Whether a cell holds what some code has printed, `error = 0.03, steps = 12`: it is no Python, and nothing but
    names and numbers.  People show results so that were computed elsewhere; nobody means to run them."""
    if "(" in source or parses(source):
        return False
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):
        return False
    if not any(token.type == tokenize.NUMBER for token in tokens):
        return False
    ends = [before.string for before, token in itertools.pairwise(tokens) if token.type == tokenize.NEWLINE]
    if not all(end[-1:].isalnum() or end in "]}" for end in ends):
        return False
    return all(token.string in _OF_RESULTS if token.type == tokenize.OP else _is_quiet(token) for token in tokens)


def _is_quiet(token: tokenize.TokenInfo) -> bool:
    return token.type in _QUIET and not keyword.iskeyword(token.string)


_OF_RESULTS = frozenset("= , . : ; - + [ ] { }".split())
_QUIET = frozenset(
    (
        tokenize.NAME,
        tokenize.NUMBER,
        tokenize.NEWLINE,
        tokenize.NL,
        tokenize.COMMENT,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    )
)
