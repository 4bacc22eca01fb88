"""Notebooks: from a file of nbformat 4 to the cells that are Python, and edits of cells back into the file.

Reading takes the JSON apart and forgets its form.  Writing finds the strings in the file's own text and changes only
what the edits are about, so that every other byte stays: indentation, order, escapes, outputs, the last line's end.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jaxlint.project.cells import Cell, join_cells
from jaxlint.project.kept_outputs import kept_outputs
from jaxlint.project.layout import CannotEditError, Layout, Splice, Splices, spliced

_LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\n"
"""How a file begins that git LFS has not fetched (its specification, "The pointer")."""


class NotANotebookError(ValueError):
    """The file cannot be read as a notebook; the message says why, in one line."""


def read_notebook(path: str, data: bytes) -> tuple[str, Layout]:
    """The Python in a notebook and how it lies there.  Raises NotANotebookError.

    A notebook that does not mention jax has no text: nothing in it would be looked at.  Nor has a file of which nothing
    has been written yet, which editors open as a new notebook.
    """
    if b"jax" not in data and data.lstrip()[:1] in (b"{", b"") and data.rstrip()[-1:] in (b"}", b""):
        return "", Layout(path, [], {}, lambda changes: data)
    if data.startswith(_LFS_POINTER):
        raise NotANotebookError("a pointer of Git LFS, not the notebook: `git lfs pull` fetches it")
    try:
        raw = data.decode("utf-8-sig")
        content = json.loads(raw)
    except UnicodeDecodeError as error:
        raise NotANotebookError(f"not a notebook: not UTF-8 (byte {error.start + 1})") from None
    except RecursionError:
        raise NotANotebookError("not a notebook: the JSON is nested too deeply") from None
    except ValueError as error:
        raise NotANotebookError(f"not a notebook: not JSON ({error})") from None
    cells = list(_python_cells(content))
    text, lines = join_cells(cells)
    marked = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""

    def write(changes: Splices) -> bytes:
        # JSON escapes a lone surrogate as Python's error handler does.
        return marked + _rewritten(raw, changes).encode("utf-8", "backslashreplace") if changes else data

    return text, Layout(
        path, lines, {cell.number: cell.source for cell in cells}, write, kept=kept_outputs(content["cells"])
    )


def layout_of_cells(path: str, cells: Sequence[Cell]) -> tuple[str, Layout]:
    """The same for cells that an editor holds; written, they are a notebook of these cells alone."""
    text, lines = join_cells(cells)
    parts = {cell.number: cell.source for cell in cells}

    def write(changes: Splices) -> bytes:
        return json.dumps(_notebook_of(parts, changes)).encode()

    return text, Layout(path, lines, parts, write)


def _notebook_of(parts: Mapping[int, str], changes: Splices) -> dict[str, Any]:
    count = max(parts, default=0)
    cells: list[dict[str, Any]] = [{"cell_type": "markdown", "metadata": {}, "source": ""} for _ in range(count)]
    for number, source in parts.items():
        cells[number - 1] |= {"cell_type": "code", "source": spliced(source, changes.get(number, ()))}
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}


# -- reading


def _python_cells(content: object) -> Iterator[Cell]:
    if not isinstance(content, dict):
        raise NotANotebookError("not a notebook: the JSON is no object")
    version = content.get("nbformat")
    if not isinstance(version, int) or isinstance(version, bool):
        raise NotANotebookError("not a notebook: it does not say its `nbformat`")
    if version != 4:
        raise NotANotebookError(
            f"a notebook of nbformat {version}, only nbformat 4 is read: save it with Jupyter again"
        )
    cells = content.get("cells")
    if not isinstance(cells, list):
        raise NotANotebookError("not a notebook: its `cells` are no list")
    if _language(content) not in ("python", "ipython", "python3"):
        return
    went_on = _last_run(cells)
    for number, cell in enumerate(cells, 1):
        kind = cell.get("cell_type") if isinstance(cell, dict) else None
        if not isinstance(kind, str):
            raise NotANotebookError(f"not a notebook: cell {number} has no `cell_type`")
        if kind == "code" and _cell_language(cell) == "python":
            is_left_out = number < went_on and not _has_run(cell)
            yield Cell(number, _source(cell.get("source"), number), "raises-exception" in _tags(cell), is_left_out)


def _last_run(cells: list[object]) -> int:
    """The number of the last cell that has run, as far as the notebook says; 0 if it says of none."""
    return max((number for number, cell in enumerate(cells, 1) if _has_run(cell)), default=0)


def _has_run(cell: object) -> bool:
    return isinstance(cell, dict) and (bool(cell.get("execution_count")) or bool(cell.get("outputs")))


def _source(source: object, number: int) -> str:
    if isinstance(source, str):
        return source
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    raise NotANotebookError(f"not a notebook: the `source` of cell {number} is neither text nor a list of texts")


def _language(content: dict[str, Any]) -> str:
    """The notebook's language in lower case; Python where it does not say."""
    for table, key in (("language_info", "name"), ("kernelspec", "language")):
        name = _at(content, "metadata", table, key)
        if isinstance(name, str) and name:
            return name.lower()
    return "python"


def _cell_language(cell: dict[str, Any]) -> str:
    """The language of a cell where an editor that mixes languages has noted it; else Python."""
    name = _at(cell, "metadata", "vscode", "languageId")
    return name if isinstance(name, str) else "python"


def _tags(cell: dict[str, Any]) -> list[object]:
    tags = _at(cell, "metadata", "tags")
    return tags if isinstance(tags, list) else []


def _at(value: Any, *keys: str) -> object:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


# -- writing


class _Literal(NamedTuple):
    """A JSON string in the file: where it starts and ends with its quotes, and where each of its characters does."""

    start: int
    end: int
    starts: list[int]
    ends: list[int]


_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_STRUCTURE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]')
_SCALAR = re.compile(r"[^\s,\]}]+")
_CHARACTER = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|.", re.DOTALL)
_TEXT_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def _rewritten(raw: str, changes: Splices) -> str:
    """The file's text, valid JSON, with changes of its cells' sources made."""
    cells = dict(enumerate(_items(raw, _member(raw, 0, "cells")), 1))
    made = [
        change
        for number, some in changes.items()
        for change in _in_file(raw, _member(raw, cells[number], "source"), some)
    ]
    return spliced(raw, sorted(made, key=lambda change: change.start))


def _in_file(raw: str, source: int, changes: Sequence[Splice]) -> Iterator[Splice]:
    """Changes of a cell's text as changes of the file, where the source starts there."""
    is_list = raw[source] == "["
    literals = [_literal(raw, start) for start in (_items(raw, source) if is_list else [source])]
    starts = [start for literal in literals for start in literal.starts]
    ends = [end for literal in literals for end in literal.ends]
    if not starts:
        raise CannotEditError("an empty cell has nothing to edit")
    separator = f'"{_separator(raw, source, literals)}"' if is_list else ""
    firsts = {literal.starts[0]: index for index, literal in enumerate(literals) if literal.starts}
    lasts = {literal.ends[-1]: index for index, literal in enumerate(literals) if literal.ends}
    for change in _joined(changes):
        start, end, content = _within_last_line(change, raw, starts, ends)
        begin = starts[start] if start < len(starts) else ends[-1]
        stop = ends[end - 1] if start < end else begin
        if is_list and not content and begin in firsts and stop in lasts:
            yield _without(literals, firsts[begin], lasts[stop])
            continue
        if start < end and not content.endswith("\n") and lasts.get(stop, len(literals)) + 1 < len(literals):
            stop = literals[lasts[stop] + 1].start + 1  # the next line is joined to this one, and so are the strings
        lines = _TEXT_LINE.findall(content) if is_list else [content]
        if lines and lines[-1].endswith("\n") and is_list and stop not in lasts:
            lines.append("")  # what follows starts a string of its own
        yield Splice(begin, stop, separator.join(_escaped(line, raw) for line in lines))


def _joined(changes: Iterable[Splice]) -> list[Splice]:
    """The same changes, those that touch made one."""
    joined: list[Splice] = []
    for change in changes:
        if joined and joined[-1].end == change.start:
            before = joined.pop()
            change = Splice(before.start, change.end, before.content + change.content)
        joined.append(change)
    return joined


def _within_last_line(change: Splice, raw: str, starts: list[int], ends: list[int]) -> Splice:
    """A change at the end of a cell whose last line has no line feed, as most have, so that it gets none."""
    start, end, content = change
    if end < len(ends) or raw[starts[-1] : ends[-1]] == "\\n":
        return change
    if start == end and content.endswith("\n"):
        return Splice(start, end, "\n" + content[:-1])
    if not content and 0 < start < end and raw[starts[start - 1] : ends[start - 1]] == "\\n":
        return Splice(start - 1, end, "")
    return Splice(start, end, content.removesuffix("\n"))


def _without(literals: list[_Literal], first: int, last: int) -> Splice:
    """The list without some of its strings, and without the commas that go with them."""
    if last + 1 < len(literals):
        return Splice(literals[first].start, literals[last + 1].start, "")
    if first > 0:
        return Splice(literals[first - 1].end, literals[last].end, "")
    return Splice(literals[first].start, literals[last].end, '""')


def _separator(raw: str, source: int, literals: list[_Literal]) -> str:
    """What stands between two strings of a list, or would."""
    if len(literals) > 1:
        return raw[literals[0].end : literals[1].start]
    space = raw[source + 1 : literals[0].start]
    return "," + (space if "\n" in space else " ")


def _escaped(text: str, raw: str) -> str:
    return json.dumps(text, ensure_ascii=raw.isascii())[1:-1]


def _literal(raw: str, start: int) -> _Literal:
    end = _end(raw, start)
    characters = list(_CHARACTER.finditer(raw, start + 1, end - 1))
    return _Literal(start, end, [found.start() for found in characters], [found.end() for found in characters])


def _member(raw: str, start: int, key: str) -> int:
    """Where the value of a key starts, in the object that starts there; the last one counts, as for `json`."""
    position = _over_space(raw, start) + 1
    found = -1
    while raw[position := _over_space(raw, position)] != "}":
        name_end = _end(raw, position)
        value = _over_space(raw, _over_space(raw, name_end) + 1)
        if json.loads(raw[position:name_end]) == key:
            found = value
        position = _over_space(raw, _end(raw, value))
        if raw[position] == ",":
            position += 1
    return found


def _items(raw: str, start: int) -> list[int]:
    """Where the items of the list start that starts there."""
    items = []
    position = start + 1
    while raw[position := _over_space(raw, position)] != "]":
        items.append(position)
        position = _over_space(raw, _end(raw, position))
        if raw[position] == ",":
            position += 1
    return items


def _end(raw: str, start: int) -> int:
    """Where the value ends that starts there."""
    if raw[start] == '"':
        return _STRING.match(raw, start).end()  # type: ignore[union-attr]  # the JSON is known to be valid
    if raw[start] not in "[{":
        return _SCALAR.match(raw, start).end()  # type: ignore[union-attr]
    depth = 0
    for found in _STRUCTURE.finditer(raw, start):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return found.end()
    raise AssertionError("valid JSON has an end")


def _over_space(raw: str, position: int) -> int:
    return _SPACE.match(raw, position).end()  # type: ignore[union-attr]  # no space is a match, too
