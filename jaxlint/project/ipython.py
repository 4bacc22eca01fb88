"""A cell as IPython takes it, turned into plain Python: magics, shell lines and help requests stand aside.

What such a line runs as Python stays Python: the statement of `%time`, the rest of a `%%capture` cell.  What is only
timed (`%timeit`) becomes a function that nobody calls, since nothing of it is seen afterwards.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import NamedTuple

from jaxlint.project.layout import LINE_BREAK, Line


class Piece(NamedTuple):
    """A line of Python and the line of the cell that it is; the rest is as in `layout.Line`."""

    text: str
    line: int
    shift: int = 0
    verbatim: bool = True
    expects_error: bool = False

    def at(self, cell: int) -> Line:
        """Where it comes from, in a cell or, with 0, in a file."""
        return Line(cell, self.line, self.shift, self.verbatim, self.expects_error)

    def instead(self, text: str) -> Piece:
        """A line that stands in for this one."""
        return self._replace(text=text, verbatim=False)


_RUNS_THE_REST = frozenset("capture debug ipytest mprun prun pytest run_pytest scalene snakeviz time wandb".split())
"""Cell magics that run the rest of their cell in the notebook's namespace."""

_REPEATS_THE_REST = frozenset({"timeit", "memit"})
"""Cell magics that run the rest of their cell in a function of its own."""

_OPTIONS_WITH_VALUE = {
    "time": "",
    "timeit": "nrpt",
    "memit": "rtoi",
    "prun": "lsTD",
    "lprun": "fmDTru",
    "mprun": "fT",
}
"""Line magics that run a statement, each with those of its options that take a value."""

TIMED = "_timed"
"""The name of a function that stands for what is only timed."""

_TIMED = f"def {TIMED}():"
_UNKNOWN = "get_ipython()"

_WITHOUT_SIGN = (
    r"(?:cat|cd|conda|cp|env|ls|mamba|mkdir|mv|pip3?|prun|rm|run|time|timeit)[ \t]+(?=[-\w.~/])(?!in\b|is\b)"
)
MAY_BE_SPECIAL = re.compile(rf"^[ \t]*(?:[%!?/,;]|{_WITHOUT_SIGN})|\?[ \t]*(?:;[ \t]*)?$|=[ \t]*[%!]", re.MULTILINE)
_SPECIAL = re.compile(rf"([ \t]*)(?:[%!?/,;]|{_WITHOUT_SIGN}|[^#\"'\s][^#\"']*\?[ \t]*(?:;[ \t]*)?$)")
_ASSIGNED = re.compile(r"((?:[^=#!%\"'()]|\[(?:\"[^\"]*\"|'[^']*')\])*=[ \t]*)(?:!|(%time[ \t]+)|%)(?!=)")
_LINE_MAGIC = re.compile(r"([ \t]*)%?(\w+)[ \t]*(.*)", re.DOTALL)
_CODE = re.compile(r"[ \t]*[^#\s]")
_CELL_MAGIC = re.compile(r"%%(\w+)")
_OPTION = re.compile(r"-(?:(\w)(\S*)|-[\w-]+)\s*")


def plain_python(source: str) -> list[Piece]:
    """The lines of a cell as Python; none where the cell is not Python at all."""
    pieces = [Piece(line, number) for number, line in enumerate(LINE_BREAK.split(source), 1)]
    while pieces and not pieces[-1].text.strip():
        pieces.pop()
    return _body(pieces)


def in_block(header: str, pieces: list[Piece], footer: str = "") -> list[Piece]:
    """The lines as the block of a compound statement, between its header and, perhaps, a last line."""
    if not any(piece.text.strip() and not piece.text.lstrip().startswith("#") for piece in pieces):
        return []
    block = [piece._replace(text=" " + piece.text, shift=piece.shift - 1) for piece in pieces]
    ending = [Piece(footer, pieces[-1].line + 1, 0, False)] if footer else []
    return [Piece(header, pieces[0].line - 1, 0, False), *block, *ending]


def expecting_error(pieces: list[Piece]) -> list[Piece]:
    """The lines where an exception in them is expected, and the program goes on behind them."""
    block = in_block("try:", pieces, "except Exception: pass")
    return [piece._replace(expects_error=True) for piece in block]


def parses(text: str) -> bool:
    """Whether the text is Python that the running interpreter knows."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _body(pieces: list[Piece]) -> list[Piece]:
    """The lines of a cell, or of what remains of it below a cell magic; comments may precede that, in Colab."""
    start = next((index for index, piece in enumerate(pieces) if piece.text.strip()), len(pieces))
    first = next((n for n, piece in enumerate(pieces) if _CODE.match(piece.text)), len(pieces))
    magic = _CELL_MAGIC.match(pieces[first].text) if first < len(pieces) else None
    if magic is None:
        return _without_specials(_without_margin(pieces[start:]))
    rest = pieces[first + 1 :]
    if magic[1] in _RUNS_THE_REST:
        return _body(rest)
    return in_block(_TIMED, _body(rest)) if magic[1] in _REPEATS_THE_REST else []


def _without_margin(pieces: list[Piece]) -> list[Piece]:
    """A cell may be indented as a whole, as far as its first line is."""
    margin = _indent(pieces[0].text) if pieces else ""
    if not margin:
        return pieces
    return [
        piece._replace(text=piece.text[len(margin) :], shift=len(margin)) if piece.text.startswith(margin) else piece
        for piece in pieces
    ]


def _without_specials(pieces: list[Piece]) -> list[Piece]:
    if not MAY_BE_SPECIAL.search("\n".join(piece.text for piece in pieces)):
        return pieces
    nesting = Nesting()
    made: list[Piece] = []
    index = 0
    while index < len(pieces):
        stop = index + 1
        while stop < len(pieces) and pieces[stop - 1].text.endswith("\\"):
            stop += 1
        plain = _plain(pieces[index:stop]) if nesting.is_closed else None
        if plain is None:
            nesting.read(pieces[index].text)
            made.append(pieces[index])
            index += 1
        else:
            made += plain
            index = stop
    return made


def _plain(lines: list[Piece]) -> list[Piece] | None:
    """Python for a statement that only IPython understands, on one line or on several that backslashes join.

    None for a statement that is Python already.
    """
    first = lines[0]
    assigned = _ASSIGNED.match(first.text)
    if assigned is None and (not _SPECIAL.match(first.text) or parses(first.text.strip())):
        return None
    found = _timed_value(lines, assigned) if assigned is not None else _timed_statement(lines)
    if found is not None:
        return found
    aside = assigned[1] + _UNKNOWN if assigned is not None else _indent(first.text) + "pass"
    return [first.instead(aside), *(line.instead("") for line in lines[1:])]


def _timed_value(lines: list[Piece], assigned: re.Match[str]) -> list[Piece] | None:
    """`x = %time f(y)` without the magic: what follows stays in its columns."""
    before, magic = assigned[1], assigned[2]
    if magic is None:
        return None
    text = before + " " * len(magic) + lines[0].text[assigned.end() :]
    return _parsed([lines[0].instead(text), *(line.instead(line.text) for line in lines[1:])])


def _timed_statement(lines: list[Piece]) -> list[Piece] | None:
    """The statement that a line magic runs: as it is, or where it is run many times, in a function."""
    magic = _LINE_MAGIC.match(lines[0].text)
    if magic is None or magic[2] not in _OPTIONS_WITH_VALUE:
        return None
    indent, name, rest = magic.groups()
    while option := _OPTION.match(rest):
        rest = rest[option.end() :]
        if option[1] and option[1] in _OPTIONS_WITH_VALUE[name] and not option[2]:
            rest = rest.partition(" ")[2].lstrip()
    if not rest.strip():
        return None
    if _is_expression("\n".join([rest, *(line.text for line in lines[1:])])):  # its value is used: it is shown
        rest = f"{'_ =' if name == 'time' else 'return'} {rest}"
    text = indent + ("" if name == "time" else _TIMED + " ") + rest
    shift = lines[0].shift + len(lines[0].text) - len(text)
    return _parsed([lines[0]._replace(text=text, shift=shift), *lines[1:]])


def _parsed(lines: list[Piece]) -> list[Piece] | None:
    return lines if parses("\n".join(line.text for line in lines).strip()) else None


def _is_expression(text: str) -> bool:
    return parses("(" + text.rstrip(" \t;") + "\n)")


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


_TOKEN = re.compile(r"#|\"\"\"|'''|[\"'()\[\]{}]")
_STRING_END = {quote: re.compile(rf"(?:[^\\]|\\.)*?{quote}", re.DOTALL) for quote in ('"""', "'''", '"', "'")}


class Nesting:
    """Whether a line begins a statement, or goes on inside brackets, a string or after a backslash."""

    def __init__(self) -> None:
        self._depth = 0
        self._string_end: re.Pattern[str] | None = None
        self._continued = False

    @property
    def is_closed(self) -> bool:
        return self._depth == 0 and self._string_end is None and not self._continued

    def read(self, line: str) -> None:
        """Take in the next line."""
        position = 0
        if self._string_end is not None:
            end = self._string_end.match(line)
            if end is None:
                return
            position, self._string_end = end.end(), None
        self._continued = line.endswith("\\")
        while token := _TOKEN.search(line, position):
            position = token.end()
            if token[0] == "#":
                self._continued = False
                return
            if token[0] in "([{":
                self._depth += 1
            elif token[0] in ")]}":
                self._depth = max(self._depth - 1, 0)
            else:
                end = _STRING_END[token[0]].match(line, position)
                if end is None:
                    if len(token[0]) == 3 or self._continued:
                        self._string_end = _STRING_END[token[0]]
                    return
                position = end.end()
