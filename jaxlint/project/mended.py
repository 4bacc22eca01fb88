"""A text that does not parse, read as one that does: where it is broken stands what stood there before.

`Mending` compares it with the last text that was judged.  Changes that parse are taken one by one; instead of the
others the lines from before stand in.  The document that comes of it is laid out in the broken text, as a notebook's is
in its file: places and fixes are translated, and of what stands in nothing is shown.
"""

from __future__ import annotations

import ast
import difflib
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from jaxlint.project.documents import Document
from jaxlint.project.edits import changed_lines, lines_of
from jaxlint.project.layout import Layout, Line, Shows, Splices, spliced

MOST_CHANGES = 8
"""Each may have to be parsed by itself; of more all are one."""


@dataclass(frozen=True, slots=True)
class Change:
    """Lines of one text, from ``start`` (counted from 0) to before ``end``, and what is there in the other."""

    start: int
    end: int
    new_start: int
    new_end: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """A line of the mended text, and which line of the broken one it is, or stands where (counted from 1)."""

    text: str
    line: int
    kept: bool


class Mending:
    """What leads from a text that parses to one that does not."""

    def __init__(self, judged: Document, broken: Document) -> None:
        self._lines = judged.lines  # the tree may follow another text from here on
        self.broken = broken
        self.changes = _changes(self._lines, broken.lines)
        self.can_take = len(self.changes) > 1 and (judged.layout is None) == (broken.layout is None)
        self._taken: set[Change] = set()

    def with_change(self, change: Change) -> Document:
        """The text with a change, and those that were taken; it may parse or not."""
        pieces = list(self._pieces(self._taken | {change}))
        text = "\n".join(piece.text for piece in pieces)
        plain = self.broken.layout is None
        return Document(self.broken.path, text, layout=None if plain else _Mended(self.broken, pieces))

    def take(self, change: Change) -> None:
        self._taken.add(change)

    def mended(self, judged: Document) -> Document:
        """The document that is judged, with all changes that were taken, as it lies in the broken text."""
        tree = judged.tree
        assert tree is not None
        pieces = list(self._pieces(self._taken))
        layout = _Mended(self.broken, pieces, judged, frozenset(_broken_lines(tree, pieces)))
        return Document(self.broken.path, judged.text, encoding=self.broken.encoding, layout=layout).with_tree(tree)

    def _pieces(self, taken: set[Change]) -> Iterator[_Piece]:
        new, at, shown = self.broken.lines, 0, 0
        for change in self.changes:
            yield from (_Piece(new[shown + n], shown + n + 1, True) for n in range(change.start - at))
            if change in taken:
                yield from (_Piece(new[n], n + 1, True) for n in range(change.new_start, change.new_end))
            else:
                last = max(change.new_end, min(change.new_start + 1, len(new)))
                for n in range(change.start, change.end):
                    yield _Piece(self._lines[n], min(change.new_start + 1 + n - change.start, last), False)
            at, shown = change.end, change.new_end
        yield from (_Piece(line, shown + n + 1, True) for n, line in enumerate(new[shown:]))


class _Mended(Layout):
    """How a mended text lies in the broken one."""

    def __init__(
        self,
        broken: Document,
        pieces: Sequence[_Piece],
        judged: Document | None = None,
        broken_lines: frozenset[int] = frozenset(),
    ) -> None:
        lines = [_line(broken, piece) for piece in pieces]
        super().__init__(broken.path, lines, broken.parts, _writer(broken), _shows(judged, broken))
        self._kept = {(line.cell, line.line): n for n, (line, piece) in enumerate(zip(lines, pieces), 1) if piece.kept}
        self._judged = judged
        self._broken_lines = broken_lines

    def is_broken(self, line: int) -> bool:
        return line in self._broken_lines

    def in_one_cell(self, line: int, other: int) -> bool:
        return super().in_one_cell(line, other) if self._judged is None else self._judged.in_one_cell(line, other)

    def _line_of(self, cell: int, line: int) -> int | None:
        return self._kept.get((cell, line))


def _line(broken: Document, piece: _Piece) -> Line:
    if broken.layout is None or not broken.layout.lines:
        return Line(0, piece.line, verbatim=piece.kept)
    known = broken.layout.lines[min(piece.line, len(broken.layout.lines)) - 1]
    return known if piece.kept else known._replace(verbatim=False)


def _shows(judged: Document | None, broken: Document) -> Shows:
    if broken.layout is not None:
        return broken.layout.shows
    return "last" if judged is not None and judged.is_in_cells else "none"


def _writer(broken: Document) -> Callable[[Splices], bytes]:
    if broken.layout is not None:
        return broken.layout.write

    def write(changes: Splices) -> bytes:
        return spliced(broken.text, changes.get(0, ())).encode(broken.encoding, "surrogatepass")

    return write


def _changes(old: list[str], new: list[str]) -> list[Change]:
    """What differs between the lines of two texts, from the top on."""
    start, end, delta = changed_lines(old, new)
    whole = Change(start - 1, end - 1, start - 1, end - 1 + delta)
    ours, theirs = old[whole.start : whole.end], new[whole.new_start : whole.new_end]
    blocks = difflib.SequenceMatcher(None, ours, theirs).get_opcodes()  # what stands on many lines is no landmark
    found = [
        Change(whole.start + first, whole.start + last, whole.start + new_first, whole.start + new_last)
        for kind, first, last, new_first, new_last in blocks
        if kind != "equal"
    ]
    return found if 0 < len(found) <= MOST_CHANGES else [whole]


def _broken_lines(tree: ast.Module, pieces: Sequence[_Piece]) -> Iterator[int]:
    """The lines of the statements that are broken: of compound ones those up to their body."""
    marks = [n for n, piece in enumerate(pieces, 1) if not piece.kept]
    yield from marks
    gaps = [
        n + 0.5
        for n, (one, other) in enumerate(itertools.pairwise(pieces), 1)
        if one.kept and other.kept and other.line != one.line + 1
    ]
    for first, last in _extents(tree.body, [*marks, *gaps]):
        yield from range(first, last + 1)


def _extents(body: Sequence[ast.stmt], marks: Sequence[float]) -> Iterator[tuple[int, int]]:
    """The first and last lines of statements that have a mark in them."""
    for statement in body:
        first, last = lines_of(statement)
        inside = [mark for mark in marks if first <= mark <= last]
        if not inside:
            continue
        blocks = list(_blocks(statement))
        starts = [lines_of(block[0])[0] for block in blocks]
        head = max(min(starts) - 1, statement.lineno) if starts else last
        if any(mark <= head for mark in inside):
            yield first, head
        for block in blocks:
            yield from _extents(block, inside)


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The bodies of a compound statement."""
    for name in ("body", "orelse", "finalbody"):
        if block := getattr(statement, name, None):
            yield block
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body
