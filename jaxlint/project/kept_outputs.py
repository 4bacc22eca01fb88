"""What the outputs that a notebook keeps show of its code: exceptions where they were raised, and tracers in print.

Whoever has seen an exception and gone on with the cells below leaves it there for others to see.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple


class Kept(NamedTuple):
    """``raised`` has the exceptions by the cell and line that they came from, ``traced`` the cells that print tracers,
    and those of whose functions such a cell calls one."""

    raised: Mapping[tuple[int, int], frozenset[str]] = {}
    traced: frozenset[int] = frozenset()


NOTHING_KEPT = Kept()


class _Ran(NamedTuple):
    """A code cell as it ran: its number, its lines, which run of the kernel it was (0: nobody knows), its outputs."""

    number: int
    lines: list[str]
    run: int
    outputs: list[dict[str, Any]]


def kept_outputs(cells: Sequence[object]) -> Kept:
    """What the cells of a notebook show; their sources have been found to be texts."""
    ran = list(_code_cells(cells))
    lines = _Lines(ran)
    found: dict[tuple[int, int], set[str]] = {}
    last, shows = 0, False  # the latest run of the cells below, and whether one of them has an output
    for cell in reversed(ran):
        if last > cell.run or shows:
            for error, frames in _errors(cell):
                for place in lines.places(cell, frames):
                    found.setdefault(place, set()).add(error)
        last, shows = max(last, cell.run), shows or bool(cell.outputs)
    return Kept({place: frozenset(errors) for place, errors in found.items()}, frozenset(_showing_tracers(ran)))


def _showing_tracers(ran: list[_Ran]) -> Iterator[int]:
    """The cells that print tracers, and those before them that make a function which these name, or another one of."""
    for index, cell in enumerate(ran):
        if any(_TRACER.search(_text(output)) for output in cell.outputs):
            yield cell.number
            named = set(_WORD.findall("\n".join(cell.lines)))
            for earlier in reversed(ran[:index]):
                text = "\n".join(earlier.lines)
                named |= {function for name, function in _MADE_OF.findall(text) if name in named}
                if not named.isdisjoint(_MADE.findall(text)):
                    yield earlier.number


def _code_cells(cells: Sequence[object]) -> Iterator[_Ran]:
    for number, cell in enumerate(cells, 1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            outputs = cell.get("outputs")
            count = cell.get("execution_count")
            yield _Ran(
                number,
                _joined(cell.get("source")).splitlines(),
                count if type(count) is int else 0,
                [output for output in outputs if isinstance(output, dict)] if isinstance(outputs, list) else [],
            )


def _joined(text: object) -> str:
    return "".join(part for part in text if isinstance(part, str)) if isinstance(text, list) else str(text or "")


def _text(output: dict[str, Any]) -> str:
    return _joined(output.get("text"))


def _errors(cell: _Ran) -> Iterator[tuple[str, list[str]]]:
    """The exceptions that a cell ended with, each with the frames of its traceback."""
    for output in cell.outputs:
        name, traceback = output.get("ename"), output.get("traceback")
        if isinstance(name, str) and name and isinstance(traceback, list):
            yield name, [_MARKS.sub("", frame) for frame in traceback if isinstance(frame, str)]


class _Lines:
    """The lines of the cells that ran: by the run, and by what they read."""

    def __init__(self, ran: Iterable[_Ran]) -> None:
        self._of_run: dict[int, list[_Ran]] = {}
        self._reading: dict[tuple[int, str], list[int]] = {}
        for cell in ran:
            self._of_run.setdefault(cell.run, []).append(cell)
            for line, text in enumerate(cell.lines, 1):
                self._reading.setdefault((line, text.strip()), []).append(cell.number)

    def places(self, cell: _Ran, frames: list[str]) -> Iterator[tuple[int, int]]:
        """The cells and lines of a traceback: those of the run that it names, and those that read as it shows them.

        One editor numbers the cells instead, as they were then: the first that is named is the one with the traceback.
        """
        own: str | None = None
        for frame in "\n\n".join(frame.strip("\n") for frame in frames).split("\n\n"):
            arrow, numbered = _ARROW.search(frame), _CELL.match(frame)
            if arrow is None or (frame.startswith(("File ", "/")) and numbered is None):
                continue
            if numbered is not None:
                own = own or numbered[1]
                if numbered[1] == own:
                    yield cell.number, int(arrow[1])
            line, text = int(arrow[1]), arrow[2].strip()
            named = _RUN.search(frame)
            if text:
                yield from ((number, line) for number in self._reading.get((line, text), ()))
            for one in self._of_run.get(int(named[1] or named[2]), ()) if named is not None else ():
                if 0 < line <= len(one.lines) and one.lines[line - 1].strip():
                    yield one.number, line


_MARKS = re.compile(r"\x1b\[[\d;]*m|</?a\b[^<>]*>")
"""Colours, and the links that one editor makes of the numbers of lines."""
_CELL = re.compile(r".*\.ipynb Cell (\d+)")
_ARROW = re.compile(r"^-+> ?(\d{1,6}) (.*)$", re.MULTILINE)
_RUN = re.compile(r"In ?\[(\d{1,9})\]|<ipython-input-(\d{1,9})-")
_WORD = re.compile(r"\w+")
_MADE = re.compile(r"^(?:async )?def (\w+)", re.MULTILINE)
_MADE_OF = re.compile(r"^(\w+) *= *[\w.]+\((\w+)", re.MULTILINE)
_TRACER = re.compile(r"Tracer[\[(<]|Traced<")
