"""Python in a file of prose: the blocks of code in it, joined to one module in the order of the file."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from jaxlint.project.ipython import Piece, expecting_error, parses, plain_python
from jaxlint.project.layout import LINE_BREAK, Layout, Splices, spliced
from jaxlint.project.prompts import examples_in, pieces_of


class Block(NamedTuple):
    """Lines of a file that are code: the first, counted from 1, the one after the last, and what stands before each.

    ``is_cell`` says that it is a cell of a notebook, which runs with the others; else it is an example, which a reader
    may run alone.  ``may_raise`` says that its author expects an exception.
    """

    first: int
    stop: int
    margin: str = ""
    is_cell: bool = False
    may_raise: bool = False


Find = Callable[[list[str]], Iterable[Block]]
"""From the lines of a file to the blocks of code in it, in order."""


def read_blocks(path: str, data: bytes, find: Find, doctest: bool) -> tuple[str, Layout]:
    """The Python in a file of text, in the blocks that ``find`` sees, and how it lies there.

    ``doctest`` takes in what stands behind prompts.  Raises UnicodeDecodeError.  A file that does not mention jax has
    no Python worth a look.
    """
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    text = data.removeprefix(mark).decode("utf-8")

    def write(changes: Splices) -> bytes:
        return mark + spliced(text, changes.get(0, ())).encode("utf-8")

    lines = LINE_BREAK.split(text)
    blocks = list(find(lines)) if "jax" in text else []
    is_notebook = any(block.is_cell for block in blocks)
    if is_notebook:  # what else it shows is not run with the cells
        blocks = [block for block in blocks if block.is_cell]
    pieces = [piece for block in blocks for piece in pieces_in(block, lines)]
    if doctest and "jax" in text:
        taken = {piece.line for piece in pieces}
        examples = (one for one in examples_in(lines, 1, len(lines) + 1) if one.pieces[0].line not in taken)
        pieces = sorted([*pieces, *pieces_of(examples)], key=lambda piece: piece.line)
    origins = [piece.at(0) for piece in pieces]
    layout = Layout(path, origins, {0: text}, write, "last" if is_notebook else "all")
    return "".join(piece.text + "\n" for piece in pieces), layout


def pieces_in(block: Block, lines: Sequence[str]) -> list[Piece]:
    """The lines of a block as Python; an example that is none, as many that only show a point, is left out."""
    own = lines[block.first - 1 : block.stop - 1]
    margins = [_margin(line, block.margin) for line in own]
    source = "\n".join(line[margin:] for line, margin in zip(own, margins))
    pieces = [
        piece._replace(line=block.first - 1 + piece.line, shift=margins[piece.line - 1] + piece.shift)
        for piece in plain_python(source)
    ]
    if (block.may_raise or not block.is_cell) and not parses("\n".join(piece.text for piece in pieces)):
        return []
    return expecting_error(pieces) if block.may_raise else pieces


def _margin(line: str, margin: str) -> int:
    """How much of a line is margin; a blank or carelessly indented one has less of it."""
    return len(_common_start([line, margin]))


def indentation(lines: Iterable[str]) -> str:
    """The white space that all lines begin with, but for blank ones."""
    return _common_start([line[: len(line) - len(line.lstrip())] for line in lines if line.strip()])


def _common_start(texts: list[str]) -> str:
    first, last = min(texts, default=""), max(texts, default="")  # whatever these share, those between share, too
    return next((first[:end] for end, (one, other) in enumerate(zip(first, last)) if one != other), first)
