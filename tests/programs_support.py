"""Reads the programs in `tests/programs`: the format is described in docs/contributing.md."""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "programs"
MAIN = "program.py"
"""The file that runs, and that of a program which names none."""

_TITLE = re.compile(r"^# --- (.+)\n", re.MULTILINE)
_FILE = re.compile(r"^# file: (\S+)\n", re.MULTILINE)
_CELL = re.compile(r"^(?=# %%)", re.MULTILINE)
_MARK = re.compile(r"# (?P<code>JAX\d{3})(?: (?P<certainty>possible|likely|certain))?$")


@dataclass(frozen=True)
class Program:
    """One program of a theme.  ``files`` are its texts by their paths; a notebook's is that of its cells."""

    theme: str  # keys/loops
    title: str
    files: dict[str, str]

    def __str__(self) -> str:
        name = re.sub(r"\W+", "-", self.title).strip("-")
        return f"{self.theme}/{name}"

    @property
    def folder(self) -> str:
        """The folder of the theme, which says how its programs are judged."""
        return self.theme.partition("/")[0]

    @property
    def marks(self) -> set[tuple[str, int, str, str]]:
        """(file, line, code, certainty) of each mark; a mark without a certainty has an empty one."""
        return {
            (path, number, mark["code"], mark["certainty"] or "")
            for path, text in self.files.items()
            for number, line in enumerate(text.splitlines(), 1)
            if (mark := _MARK.search(line))
        }

    @property
    def expected(self) -> set[tuple[str, int, str]]:
        """(file, line, code) of each mark."""
        return {(path, line, code) for path, line, code, _ in self.marks}

    def line_of(self, path: str, line: int, cell: int) -> int:
        """A line of a file, or of a cell of it, as one of its text here."""
        return line + sum(each.count("\n") for each in _CELL.split(self.files[path])[:cell]) if cell else line

    def write(self, folder: Path) -> None:
        """Writes the files below ``folder``."""
        for path, text in self.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(_notebook(text) if path.endswith(".ipynb") else text, encoding="utf-8")


def _notebook(text: str) -> str:
    """The cells of a text as a notebook."""
    cells = _CELL.split(text)[1:]
    code = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": c} for c in cells]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": code})


def read_theme(path: Path) -> list[Program]:
    """The programs of one file.  Raises ValueError where it does not follow the format."""
    theme = path.relative_to(FOLDER).with_suffix("").as_posix()
    head, *parts = _TITLE.split(path.read_text(encoding="utf-8"))
    about, _, common = head.partition("\n")
    if not about.startswith("# ") or not parts:
        raise ValueError(f"{theme}: a line that says what the file is about, then programs, each below its title")
    common = f"{common.strip()}\n\n" if common.strip() else ""
    programs = [Program(theme, title, _files(common + body)) for title, body in zip(parts[::2], parts[1::2])]
    names = [str(program) for program in programs]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"{theme}: two programs of one title: {', '.join(sorted(twice))}")
    return programs


def _files(text: str) -> dict[str, str]:
    """The files of a program by their paths, each ended by one line feed, or empty."""
    before, *parts = _FILE.split(text)
    texts = dict(zip(parts[::2], parts[1::2])) if parts else {MAIN: before}
    if parts and before.strip():
        raise ValueError(f"what stands before `# file: {parts[0]}` belongs to no file")
    return {path: f"{content.rstrip()}\n" if content.strip() else "" for path, content in texts.items()}


@functools.cache
def programs() -> tuple[Program, ...]:
    """All programs of all themes, in order."""
    return tuple(program for path in sorted(FOLDER.rglob("*.py")) for program in read_theme(path))
