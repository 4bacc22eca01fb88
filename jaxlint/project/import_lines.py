"""The import statements of a text, read without parsing it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_IMPORT = re.compile(r"\bimport\b")
_FROM = re.compile(r"\bfrom\b")
_ORIGIN = re.compile(r"from((?:[ \t\f.]|\\\r?\n)*)(?:(\w[\w.]*)(?:[ \t\f]|\\\r?\n)*)?\Z")
_LONGEST_FROM = 400
_LISTED = re.compile(r"[\w.]+|[,*]|[ \t\f]+|[\r\n]+|#[^\r\n]*|\\\r?\n|[()]")
"""What a list of imported names is made of, none of which any other alternative can begin with."""

_ENDS_LIST = frozenset(("import", "from", "def", "class"))
"""Words that show that the list before them was never finished."""


class Import(NamedTuple):
    """One import statement: `from <level dots><module> import <names>`, or `import <names>` without a module."""

    level: int
    module: str | None
    names: tuple[str, ...]


def imports_in(text: str) -> Iterator[Import]:
    """Every import statement in a text, and some things that only look like one (in strings, after code).

    The text is gone through once, forwards: what was read for one statement is not read for another, so that no
    text, however broken, takes longer than its length.
    """
    position = line = 0
    commented = False
    while (found := _IMPORT.search(text, position)) is not None:
        start = found.start()
        broken = 1 + max(text.rfind("\n", position, start), text.rfind("\r", position, start))
        if broken or not position:
            line = broken
            commented = _is_comment(text, line, start)
        if commented:
            position = found.end()
            continue
        names, end = _listed_names(text, found.end())
        origin = _origin(text, max(position, start - _LONGEST_FROM), start)
        position = end
        yield Import(*origin, names) if origin is not None else Import(0, None, names)


def _is_comment(text: str, line: int, end: int) -> bool:
    """Whether the line that starts at ``line`` is a comment; no more than what comes before ``end`` is looked at."""
    return text[line:end].lstrip().startswith("#")


def _origin(text: str, begin: int, end: int) -> tuple[int, str] | None:
    """The dots and the module between a `from` and the `import` at ``end``, or None without a `from`."""
    start = text.rfind("from", begin, end)
    while start >= 0 and _FROM.match(text, start) is None:
        start = text.rfind("from", begin, start)
    match = _ORIGIN.match(text, start, end) if start >= 0 else None
    return None if match is None else (match[1].count("."), match[2] or "")


def _listed_names(text: str, position: int) -> tuple[tuple[str, ...], int]:
    """The first word between each two commas after an `import`, and where that list ends."""
    names: list[str] = []
    wanted, inside = True, False
    while (found := _LISTED.match(text, position)) is not None:
        token = found.group()
        if token in _ENDS_LIST or (token == "(" and (inside or names)) or (token[0] in "\r\n" and not inside):
            break
        position = found.end()
        if token == ")":
            break
        if token == "(":
            inside = True
        elif token == ",":
            wanted = True
        elif wanted and (token == "*" or token[0] == "." or token[0].isalnum() or token[0] == "_"):
            names.append(token)
            wanted = False
    return tuple(names), position
