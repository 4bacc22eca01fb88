"""The cells of a notebook, joined to one module as they run from top to bottom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from jaxlint.project.ipython import Piece, expecting_error, parses, plain_python
from jaxlint.project.layout import Line


class Cell(NamedTuple):
    """A code cell: its number, counted from 1 over cells of all kinds, and its text.

    ``may_raise`` says that its author expects an exception (the tag ``raises-exception``).
    """

    number: int
    source: str
    may_raise: bool = False


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
    if not cell.may_raise:
        return pieces
    if not parses("\n".join(piece.text for piece in pieces)):
        return []
    return expecting_error(pieces)
