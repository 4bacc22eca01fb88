"""The code in reStructuredText: the directives that show or run Python."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jaxlint.project.blocks import Block, indentation

_DIRECTIVE = re.compile(
    r"(?P<indent>[ \t]*)\.\.[ \t]+(?P<name>[\w-]+(?::[\w-]+)*)::[ \t]*(?:(?P<argument>\S+)[ \t]*)?$"
)
_OPTION = re.compile(r"\s+:[\w-]+:")
_PYTHON = frozenset({"python", "python3", "py", "py3", "ipython3"})
_WITH_LANGUAGE = frozenset({"code", "code-block", "sourcecode"})
_ALWAYS_PYTHON = frozenset({"testcode", "testsetup", "jupyter-execute", "plot"})


def find_blocks(lines: list[str]) -> Iterator[Block]:
    """The blocks of Python in the lines of a file, in order."""
    for number, line in enumerate(lines, 1):
        directive = _DIRECTIVE.match(line) if "::" in line else None
        if directive is None or not _is_python(directive["name"], directive["argument"] or ""):
            continue
        first, stop = _extent(lines, number + 1, _width(directive["indent"]))
        while first < stop and _OPTION.match(lines[first - 1]):
            first += 1
        margin = indentation(lines[first - 1 : stop - 1])
        if margin:
            yield Block(first, stop, margin, directive["name"] == "jupyter-execute")


def _is_python(name: str, argument: str) -> bool:
    if name in _WITH_LANGUAGE:
        return argument.lower() in _PYTHON
    return name in _ALWAYS_PYTHON


def _extent(lines: list[str], first: int, width: int) -> tuple[int, int]:
    """The lines below a directive that are indented more than it is, without blank ones at the end."""
    stop = first
    for number in range(first, len(lines) + 1):
        line = lines[number - 1]
        if not line.strip():
            continue
        if _width(line[: len(line) - len(line.lstrip())]) <= width:
            break
        stop = number + 1
    return first, stop


def _width(space: str) -> int:
    return len(space.expandtabs(8))
