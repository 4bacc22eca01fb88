"""How the text that is analysed lies in its file.

A notebook's cells, or the blocks of a Markdown file, are joined to one text of Python, with a line feed after each
line.  A `Layout` says for each line of that text where it comes from, and translates places both ways.  A file of plain
Python needs none: there the text is the file's.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from jaxlint.project.kept_outputs import NOTHING_KEPT, Kept
from jaxlint.vocabulary.findings import Edit, Location

LINE_BREAK = re.compile(r"\r\n|\r|\n")
"""Where Python ends a line; a form feed or one of Unicode's separators does not."""


class CannotEditError(ValueError):
    """An edit touches what is no Python of the file, such as a magic, or edits do not fit together."""


class Line(NamedTuple):
    """Where one line of the text comes from: a line of the file, or of a notebook's cell.

    ``shift`` is how many columns further right it stands there (negative: further left, where the text indents it).
    ``verbatim`` is false for a line that stands in for something that is not Python; ``expects_error`` says that its
    author expects an exception there, and shows one on purpose.
    """

    cell: int
    line: int
    shift: int = 0
    verbatim: bool = True
    expects_error: bool = False


class Splice(NamedTuple):
    """Put ``content`` in place of a range of offsets of a string."""

    start: int
    end: int
    content: str


Shows = Literal["all", "each", "last", "none"]
"""Whose values a reader sees: those of ``all`` expressions, as in examples, each of which stands for itself; of the
``last`` of each cell, as in a notebook, whose cells run together; of ``each`` expression of a script that is run by
selections, whose paragraphs are like cells; or of ``none``.
"""
Splices = Mapping[int, Sequence[Splice]]
"""For each part of a file that changes, what changes in it, in order and without overlaps."""


class Layout:
    """The lines of a text by where they come from.

    ``parts`` are the file's own texts that the lines are of: a notebook's cells by their number, or the only one under
    0.  ``write`` makes the file's bytes of what is to be changed in them.  ``kept`` is what a notebook's outputs show,
    ``goes_on`` that this is not the whole text yet: what comes next may read any name of it.
    """

    def __init__(
        self,
        path: str,
        lines: Sequence[Line],
        parts: Mapping[int, str],
        write: Callable[[Splices], bytes],
        shows: Shows = "last",
        kept: Kept = NOTHING_KEPT,
    ) -> None:
        self.path = path
        self.lines = lines
        self.parts = parts
        self.write = write
        self.shows = shows
        self.kept = kept
        self.goes_on = False
        self._index: dict[tuple[int, int], int] | None = None

    def place(self, location: Location) -> Location:
        """The place in the file of a place in the text; one that goes on in the next cell or block ends before it."""
        first = self._at(location.line)
        start = Location(self.path, first.line, max(location.column + first.shift, 1), cell=first.cell)
        if not location.end_line:
            return start
        last = self._last_together(location.line, location.end_line)
        if last == location.end_line:
            end, end_column = self._at(last).line, max(location.end_column + self._at(last).shift, 1)
        else:
            end, end_column = self._at(last).line + 1, 1
        return Location(self.path, start.line, start.column, end, end_column, start.cell)

    def virtual(self, location: Location) -> Location | None:
        """The place in the text of a place in the file, or None where the text has nothing of it."""
        start = self._line_of(location.cell, location.line)
        if start is None:
            return None
        column = max(location.column - self._at(start).shift, 1)
        end = self._line_of(location.cell, location.end_line) if location.end_line else None
        if end is None:
            return Location(location.path, start, column)
        return Location(location.path, start, column, end, max(location.end_column - self._at(end).shift, 1))

    def place_edit(self, edit: Edit) -> Edit:
        """The edit of the file that an edit of the text comes to.

        Raises CannotEditError where it touches what the text only has in place of something else.
        """
        first, last = edit.location.line, max(edit.location.end_line, edit.location.line)
        touched = range(first, last + 1 if edit.location.end_column > 1 or last == first else last)
        if not all(self._at(line).verbatim and 1 <= line <= len(self.lines) for line in touched):
            raise CannotEditError("this line is not plain Python in its file")
        if self._last_together(first, touched[-1]) != touched[-1]:
            raise CannotEditError("the edit goes over the end of a cell or block")
        place = self.place(edit.location)
        shift = self._at(first).shift
        newline = _newline(self.parts.get(place.cell, ""))
        begun = LINE_BREAK.split(edit.content)
        begun[0] = _without_indent(begun[0], 1 - edit.location.column - shift)
        if shift < 0:
            return Edit(place, newline.join([begun[0], *(_without_indent(line, -shift) for line in begun[1:])]))
        margin = self.source_lines(place.cell)[place.line - 1][:shift]
        if len(begun) > 1 and any(prompt in margin for prompt in (">>>", "...")):
            raise CannotEditError("each line of an example has a prompt")
        for index in range(1, len(begun)):
            is_last = index == len(begun) - 1  # what follows it is a line of the text, or what comes after the block
            blank = not begun[index].strip() and not is_last
            begun[index] = margin.rstrip() if blank else margin + begun[index]
        if not begun[-1].strip() and place.end_line == self._at(touched[-1]).line + 1 and place.end_column == 1:
            begun[-1] = ""
        return Edit(place, newline.join(begun))

    def expects_error(self, line: int) -> bool:
        """Whether what goes wrong on a line of the text is there to be shown."""
        return self._at(line).expects_error

    def errors_kept(self, line: int, last: int) -> frozenset[str]:
        """The exceptions that the outputs of a notebook show to have come from one of these lines of the text."""
        places = [self._at(number)[:2] for number in range(line, max(line, last) + 1)]
        return frozenset().union(*(self.kept.raised.get(place, frozenset()) for place in places))

    def prints_tracers(self, line: int) -> bool:
        """Whether the outputs of a notebook show that the cell of a line of the text prints tracers."""
        return self._at(line).cell in self.kept.traced

    def is_verbatim(self, line: int) -> bool:
        """Whether a line of the text is Python of the file, and stands in for nothing else."""
        return self._at(line).verbatim

    def is_broken(self, line: int) -> bool:
        """Whether a line of the text is of a statement that does not parse as it stands in the file now."""
        return False

    def in_one_cell(self, line: int, other: int) -> bool:
        """Whether lines of the text are of one cell of a notebook, or of one block."""
        first, second = self._at(line), self._at(other)
        return first.cell == second.cell if first.cell else self.are_together(min(line, other), max(line, other))

    def are_together(self, line: int, last: int) -> bool:
        """Whether lines of the text are of one cell or block."""
        return self._last_together(line, last) == last

    def source_lines(self, cell: int) -> list[str]:
        """The lines of the file, or of a notebook's cell, as they stand there."""
        return LINE_BREAK.split(self.parts.get(cell, ""))

    def _at(self, line: int) -> Line:
        return self.lines[min(max(line, 1), len(self.lines)) - 1] if self.lines else Line(0, 1, 0, False)

    def _last_together(self, line: int, last: int) -> int:
        """The last line, up to ``last``, that follows without a gap in the same part of the file."""
        while line < min(last, len(self.lines)) and self._at(line + 1)[:2] == (
            self._at(line).cell,
            self._at(line).line + 1,
        ):
            line += 1
        return line

    def _line_of(self, cell: int, line: int) -> int | None:
        if self._index is None:
            # The examples of a docstring come after their module, and are what is meant by their lines.
            ordered = sorted(enumerate(self.lines, 1), key=lambda numbered: numbered[1].verbatim)
            self._index = {known[:2]: number for number, known in ordered}
        return self._index.get((cell, line))


def splices(text: str, edits: Iterable[Edit]) -> list[Splice]:
    """Edits as offsets of the text that their locations are in, in order.

    Raises CannotEditError for edits that overlap; of several that put text in at one place the first stays first.
    """
    starts = [0, *(match.end() for match in LINE_BREAK.finditer(text))]

    def offset(line: int, column: int) -> int:
        return min(starts[line - 1] + column - 1, len(text)) if line <= len(starts) else len(text)

    made = []
    for edit in edits:
        place = edit.location
        start = offset(place.line, place.column)
        end = offset(place.end_line, place.end_column) if place.end_line else start
        made.append(Splice(start, end, edit.content))
    made.sort(key=lambda splice: splice[:2])
    if any(after.start < before.end for before, after in itertools.pairwise(made)):
        raise CannotEditError("edits overlap")
    return made


def spliced(text: str, changes: Iterable[Splice]) -> str:
    """The text with changes made, which are in order."""
    return "".join(_pieces(text, changes))


def _pieces(text: str, changes: Iterable[Splice]) -> Iterator[str]:
    done = 0
    for change in changes:
        yield text[done : change.start]
        yield change.content
        done = change.end
    yield text[done:]


def _newline(text: str) -> str:
    found = LINE_BREAK.search(text)
    return found[0] if found else "\n"


def _without_indent(line: str, columns: int) -> str:
    """The line without so many of the spaces it begins with, as far as it has them."""
    return line[max(min(columns, len(line) - len(line.lstrip())), 0) :]
