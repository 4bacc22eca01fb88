"""Examples as doctest reads them: what stands behind `>>>` and `...`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jaxlint.project.ipython import Piece, expecting_error, parses

_PROMPT = re.compile(r"(?P<margin>[ \t]*)>>>(?: (?P<code>.*)|$)")
_RAISES = re.compile(r"[ \t]*Traceback \((?:most recent call last|innermost last)\):")


class Example(NamedTuple):
    """One example: its lines of Python, and whether its author expects an exception."""

    pieces: list[Piece]
    may_raise: bool


def examples_in(lines: list[str], first: int, stop: int) -> Iterator[Example]:
    """The examples in the lines from ``first``, counted from 1, to before ``stop``; not those that are no Python."""
    number = first
    while number < stop:
        prompt = _PROMPT.match(lines[number - 1])
        if prompt is None:
            number += 1
            continue
        again = re.compile(re.escape(prompt["margin"]) + r"\.\.\.(?: (?P<code>.*)|$)")
        pieces = [_piece(prompt, number)]
        number += 1
        while number < stop and (more := again.match(lines[number - 1])):
            pieces.append(_piece(more, number))
            number += 1
        if parses("\n".join(piece.text for piece in pieces)):
            yield Example(pieces, number < stop and _RAISES.match(lines[number - 1]) is not None)


def pieces_of(examples: Iterable[Example]) -> list[Piece]:
    """The lines of examples that run one after the other."""
    return [
        piece
        for example in examples
        for piece in (expecting_error(example.pieces) if example.may_raise else example.pieces)
    ]


def _piece(prompt: re.Match[str], number: int) -> Piece:
    code = prompt["code"] or ""
    return Piece(code, number, prompt.end() - len(code))
