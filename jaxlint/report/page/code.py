"""Code on the page: highlighted lines, frames around a place, and whole files to look things up in."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from html import escape

from pygments.lexers.python import PythonLexer
from pygments.token import STANDARD_TYPES, _TokenType

from jaxlint.report.escaping import UNSEEN, plain
from jaxlint.report.source import Sources
from jaxlint.vocabulary.findings import Fix, Location

Piece = tuple[str, str]
"""A CSS class and the text that has it."""

_CONTEXT = 2
_LONGEST_RANGE = 12
_WIDEST = 400
"""Longer lines are cut: no editor shows them either."""

_MOST_LINES = 20_000
"""Of all files; what goes beyond is left out, its places are not links."""

_WHOLE_LINES = 2_000
"""Files of together so many lines are on the page as a whole; of more there is what stands around the places linked."""

_AROUND = 6

_STYLED = frozenset("k kn kd ow kc s s1 s2 sd sa si se sb c1 c ch cs mi mf mh mb mo nf fm nc nd".split())
"""The kinds of tokens that page.css gives a colour."""


class Code:
    """Pieces of the files of one report; each file is highlighted once."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self._pieces: dict[tuple[str, int], list[list[Piece]]] = {}
        self._numbers: dict[tuple[str, int], int] = {}
        self._linked: dict[int, set[int]] = {}

    def include(self, places: list[Location]) -> None:
        """The files of these places are to be on the page, as far as there is room: the first ones first."""
        room = _MOST_LINES
        for place in places:
            file = (place.path, place.cell)
            if file not in self._numbers and len(self.sources.lines(place)) <= room:
                room -= len(self.sources.lines(place))
                self._numbers[file] = len(self._numbers) + 1

    def link(self, place: Location, text: str | None = None, column: bool = False) -> str:
        """`path:line`, or the text, leading to that line on the page where it is there."""
        shown = self.sources.shown_place(place)
        label = plain(text if text is not None else shown if column else shown.rpartition(":")[0])
        target = self.target(place)
        return f'<a class="place" href="#{target}">{label}</a>' if target else f'<span class="place">{label}</span>'

    def target(self, place: Location) -> str | None:
        number = self._numbers.get((place.path, place.cell))
        if not number:
            return None
        self._linked.setdefault(number, set()).add(place.line)
        return f"s{number}-{place.line}"

    def frame(self, place: Location, context: int = _CONTEXT) -> str:
        """The lines of a place with the place marked, and some around them."""
        lines = self._lines(place)
        if not 1 <= place.line <= len(lines):
            return ""
        last = min(max(place.end_line, place.line), place.line + _LONGEST_RANGE)
        first, end = place.line - context, last + context
        first, end = max(first, 1), min(end, len(lines))
        while first < place.line and not any(text.strip() for _, text in lines[first - 1]):
            first += 1
        while end > last and not any(text.strip() for _, text in lines[end - 1]):
            end -= 1
        rows = (self._row(place, number, lines[number - 1]) for number in range(first, end + 1))
        return f'<pre class="code" tabindex="0"><code>{"".join(rows)}</code></pre>'

    def files(self) -> Iterator[str]:
        """Every file that was included, folded, its lines numbered: all of them, or those around what links there."""
        places = {number: Location(path, 1, cell=cell) for (path, cell), number in self._numbers.items()}
        is_whole = sum(len(self.sources.lines(place)) for place in places.values()) <= _WHOLE_LINES
        for (path, cell), number in self._numbers.items():
            linked = self._linked.get(number, set())
            if not linked and not is_whole:
                continue
            around = None if is_whole else {at for line in linked for at in range(line - _AROUND, line + _AROUND + 1)}
            rows = "".join(self._rows(number, places[number], linked, around))
            name = plain(self.sources.shown_path(path) + (f", cell {cell}" if cell else ""))
            yield (
                f'<details class="source"><summary>{name}</summary>'
                f'<pre class="code" tabindex="0"><code>{rows}</code></pre></details>'
            )

    def _rows(self, number: int, place: Location, linked: set[int], around: set[int] | None) -> Iterator[str]:
        left_out = False
        for line, pieces in enumerate(self._lines(place), 1):
            if around is not None and line not in around:
                left_out = True
                continue
            if left_out:
                yield '<span class="l gap"><i>⋮</i>\n</span>'
                left_out = False
            target = f' id="s{number}-{line}"' if line in linked else ""
            yield f'<span class="l"{target}><i>{line}</i>{_html(_cut(pieces, 0)[0])}\n</span>'

    def diff(self, fix: Fix) -> str:
        """What a fix changes, as a unified diff without its head."""
        edits = sorted(fix.edits, reverse=True)
        before = self.sources.lines(edits[0].location)
        text = "\n".join(before)
        starts = [0]
        for line in before:
            starts.append(starts[-1] + len(line) + 1)
        for edit in edits:
            place = edit.location
            start = starts[place.line - 1] + place.column - 1
            end = starts[place.end_line - 1] + place.end_column - 1
            text = text[:start] + edit.content + text[end:]
        after = text.split("\n")
        if before[-1:] == after[-1:] == [""]:  # what follows the last line break is no line
            before, after = before[:-1], after[:-1]
        lines = list(difflib.unified_diff(before, after, lineterm="", n=1))[2:]
        kinds = {"+": "added", "-": "removed", "@": "hunk"}
        column = edits[-1].location.column
        rows = (
            f'<span class="{kinds.get(line[:1], "same")}">{line[:1]}{_html(_cut([("", line[1:])], column)[0])}\n</span>'
            for line in lines
        )
        return f'<pre class="code diff" tabindex="0"><code>{"".join(rows)}</code></pre>'

    def _row(self, place: Location, number: int, pieces: list[Piece]) -> str:
        marked = place.line <= number <= max(place.end_line, place.line)
        length = sum(len(text) for _, text in pieces)
        start = place.column - 1 if number == place.line else _indent(pieces)
        end = length if number < place.end_line else max(place.end_column - 1, start + 1)
        shown, skipped = _cut(pieces, start if marked else 0)
        if marked:
            shown = _marked(shown, start - skipped, end - skipped)
        here = " here" if number == place.line else ""
        return f'<span class="l{here}"><i>{number}</i>{_html(shown)}\n</span>'

    def _lines(self, place: Location) -> list[list[Piece]]:
        file = (place.path, place.cell)
        if file not in self._pieces:
            self._pieces[file] = _highlighted(self.sources.lines(place))
        return self._pieces[file]


def highlighted_block(text: str) -> str:
    """Python code that is no file's: an example on a card."""
    return "\n".join(_html(pieces) for pieces in _highlighted(text.rstrip("\n").split("\n")))


def _highlighted(lines: list[str]) -> list[list[Piece]]:
    found: list[list[Piece]] = [[]]
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    for _, kind, text in lexer.get_tokens_unprocessed("\n".join(line.replace("\n", " ") for line in lines)):
        first, *rest = text.split("\n")
        css = _css(kind)
        _append(found[-1], css, first)
        found.extend([(css, part)] for part in rest)
    return found


def _append(pieces: list[Piece], css: str, text: str) -> None:
    """Adds a piece, to the last one where that looks alike."""
    if pieces and pieces[-1][0] == css:
        pieces[-1] = (css, pieces[-1][1] + text)
    else:
        pieces.append((css, text))


def _css(kind: _TokenType) -> str:
    css = str(STANDARD_TYPES.get(kind, ""))
    return css if css in _STYLED else ""


def _html(pieces: list[Piece]) -> str:
    texts = ((css, escape(text.translate(UNSEEN), quote=False)) for css, text in pieces if text)
    return "".join(f'<span class="{css}">{text}</span>' if css else text for css, text in texts)


def _marked(pieces: list[Piece], start: int, end: int) -> list[Piece]:
    """The pieces, those between two columns with the class of a mark too."""
    found: list[Piece] = []
    at = 0
    for css, text in pieces:
        for begin, stop, mark in ((0, start - at, False), (start - at, end - at, True), (end - at, len(text), False)):
            part = text[max(begin, 0) : max(stop, 0)]
            if part:
                found.append((f"{css} mark".strip() if mark else css, part))
        at += len(text)
    if start >= at:
        found.append(("mark", " "))
    return found


def _cut(pieces: list[Piece], column: int) -> tuple[list[Piece], int]:
    """Pieces of a bearable width around a column, and how many characters were left out before them."""
    if sum(len(text) for _, text in pieces) <= _WIDEST:
        return pieces, 0
    first = max(0, column - _WIDEST // 4)
    found: list[Piece] = []
    at = 0
    for css, text in pieces:
        part = text[max(0, first - at) : max(0, first + _WIDEST - at)]
        if part:
            found.append((css, part))
        at += len(text)
    return [*found, ("", "…")], first


def _indent(pieces: list[Piece]) -> int:
    text = "".join(text for _, text in pieces)
    return len(text) - len(text.lstrip())
