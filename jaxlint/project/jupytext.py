"""What Jupytext writes at the head of a notebook that it keeps as text."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BEFORE = ("!", "-*-")
"""What a script may begin with: the program to run it, and its encoding."""

_BEGIN = "---"
_END = ("---", "...")
_JUPYTEXT = re.compile(r"jupytext:")
_FORMAT = re.compile(r"format_name:\s*(\w+)")
_MAX_LINES = 200


def header(lines: Sequence[str]) -> str | None:
    """The name of the format that the first lines, between dashes, say the text is kept in by Jupytext; empty if they
    do not say which, None if they say nothing of Jupytext.  In Python these lines are comments."""
    head = [line.removeprefix("#").strip() for line in lines[:_MAX_LINES]]
    start = next((index for index, line in enumerate(head) if line and not line.startswith(_BEFORE)), len(head))
    if start == len(head) or head[start] != _BEGIN:
        return None
    name: str | None = None
    for line in head[start + 1 :]:
        if line in _END:
            return name
        if _JUPYTEXT.match(line):
            name = name or ""
        elif name is not None and (found := _FORMAT.match(line)):
            name = found[1]
    return None
