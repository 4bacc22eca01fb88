"""The code in Markdown: fenced blocks of Python, and the cells of MyST and Jupytext notebooks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from jaxlint.project.blocks import Block
from jaxlint.project.jupytext import header

_FENCE = re.compile(r"(?P<margin>[ \t]*(?:>[ \t]*)*)(?P<fence>`{3,}|~{3,}|:{3,})(?P<info>.*)")
_DIRECTIVE = re.compile(r"\{(?P<name>[\w:+.-]+)\}[ \t]*(?P<argument>[\w+-]*)")
_LANGUAGE = re.compile(r"\{?\.?(?P<name>[\w+-]+)")
_PYTHON = frozenset("python python3 py py3 ipython ipython3 jupyter-python".split())
_CELLS = frozenset({"code-cell", "jupyter-execute", "python"})
"""Directives whose content runs; `{python}` is Quarto's and R Markdown's."""
_CODE = frozenset({"code", "code-block", "sourcecode", "testcode"})
"""Directives whose content is code that is shown."""


class _Fence(NamedTuple):
    line: int
    margin: str
    sign: str
    info: str

    def is_closed_by(self, other: _Fence) -> bool:
        return not other.info and other.sign.startswith(self.sign)


def find_blocks(lines: list[str]) -> Iterator[Block]:
    """The blocks of Python in the lines of a Markdown file, in order."""
    is_notebook = header(lines) is not None and not any("{code-cell}" in line for line in lines)
    around: list[_Fence] = []  # directives whose content is Markdown again
    inside: _Fence | None = None  # the block of code that the line is in
    for number, line in enumerate(lines, 1):
        fence = _fence(line, number)
        if fence is None:
            continue
        if inside is not None:
            if inside.is_closed_by(fence):
                yield from _block(inside, lines, number, is_notebook)
                inside = None
        elif around and around[-1].is_closed_by(fence):
            around.pop()
        elif _holds_markdown(fence):
            around.append(fence)
        elif fence.sign[0] != ":":
            inside = fence
    if inside is not None:  # it has no end, so it goes on to the end of the file
        yield from _block(inside, lines, len(lines) + 1, is_notebook)


def _fence(line: str, number: int) -> _Fence | None:
    found = _FENCE.match(line) if "```" in line or "~~~" in line or ":::" in line else None
    if found is None or (found["fence"][0] == "`" and "`" in found["info"]):
        return None
    return _Fence(number, found["margin"], found["fence"], found["info"].strip(" \t"))


def _holds_markdown(fence: _Fence) -> bool:
    directive = _DIRECTIVE.match(fence.info)
    if directive is None:
        return fence.sign[0] == ":" and bool(fence.info)
    return directive["name"] not in _CELLS | _CODE | {"raw", "math", "eval-rst", "mermaid", "doctest"}


def _block(fence: _Fence, lines: list[str], stop: int, is_notebook: bool) -> Iterator[Block]:
    """The block between a fence and the line ``stop``, if it is Python."""
    directive = _DIRECTIVE.match(fence.info)
    language = _LANGUAGE.match(fence.info)
    name = directive["name"] if directive else ""
    if name in _CELLS | _CODE:
        is_python = (directive["argument"].lower() if directive and directive["argument"] else "python") in _PYTHON
    else:
        is_python = directive is None and language is not None and language["name"].lower() in _PYTHON
    if is_python:
        first, options = _after_options(lines, fence.line + 1, stop) if directive else (fence.line + 1, "")
        may_raise = "raises-exception" in options or "raises-exception" in fence.info
        yield Block(first, stop, fence.margin, name in _CELLS or (is_notebook and directive is None), may_raise)


def _after_options(lines: list[str], first: int, stop: int) -> tuple[int, str]:
    """Where the code of a directive begins, below its options: `:key: value`, or YAML between dashes."""
    start = first
    if start < stop and lines[start - 1].strip() == "---":
        start += 1
        while start < stop and lines[start - 1].strip() != "---":
            start += 1
        start += start < stop
    else:
        while start < stop and re.match(r"\s*:[\w-]+:", lines[start - 1]):
            start += 1
    return start, "\n".join(lines[first - 1 : start - 1])
