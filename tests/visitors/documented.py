"""The examples of docs/custom-rules.md as files."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "custom-rules.md"

_BLOCK = re.compile(r"^(`{3,4})(\w+)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"\A(?:# file: (\S+)|<!-- file: (\S+) -->)\n")


def blocks() -> list[tuple[str, str]]:
    """The language and the text of each block of the page."""
    return [(language, text) for _, language, text in _BLOCK.findall(PAGE.read_text(encoding="utf-8"))]


def files() -> dict[str, str]:
    """The blocks that say which file they are."""
    found = {}
    for _, text in blocks():
        if (name := _FILE.match(text)) is not None:
            found[name[1] or name[2]] = text[name.end() :]
    return found


def write(folder: Path, *names: str) -> list[str]:
    """Writes files of the page below a folder; gives all their lines."""
    lines = []
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files()[name], encoding="utf-8")
        lines += files()[name].splitlines()
    return lines
