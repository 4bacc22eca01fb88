"""Source lines for people: fit to be shown in a terminal, with a way to find a column in them again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from jaxlint.project.documents import Document, read_document
from jaxlint.project.roots import repository_around
from jaxlint.vocabulary.findings import Location

MAX_WIDTH = 160
"""Longer lines are cut around the marked place."""

_TAB = "    "
_CONTROL = {code: chr(0x2400 + code) for code in range(0x20) if code != 9} | {0x7F: "\u2421"}


@dataclass
class Sources:
    """The lines of the files of a run, as they were when they were analysed."""

    documents: Mapping[str, Document]
    cwd: str

    def lines(self, place: Location) -> list[str]:
        """The lines of the file, or of the notebook's cell, that a place is in."""
        real = os.path.realpath(place.path)
        document = self.documents.get(real)
        return (document or read_document(place.path)).source_lines(place.cell)

    def shown_place(self, place: Location) -> str:
        """`path:line:column`, in a notebook `path:cell 3:line:column`."""
        cell = f"cell {place.cell}:" if place.cell else ""
        return f"{self.shown_path(place.path)}:{cell}{place.line}:{place.column}"

    @cached_property
    def repository(self) -> str:
        """The top of the git repository around the current folder, or the current folder."""
        return repository_around(self.cwd) or self.cwd

    def path_in_repository(self, path: str) -> str:
        """With slashes and relative to the repository, absolute when it lies outside."""
        inside = path.startswith(self.repository.rstrip(os.sep) + os.sep)
        return (os.path.relpath(path, self.repository) if inside else path).replace(os.sep, "/")

    def shown_path(self, path: str) -> str:
        """Relative to the current folder when it lies below, as given otherwise."""
        inside = path.startswith(self.cwd.rstrip(os.sep) + os.sep)
        return path[len(self.cwd.rstrip(os.sep)) + 1 :] if inside else path


def in_file(place: Location) -> Location:
    """The place for formats that know files and lines only: of a notebook they can name no more than the file."""
    return Location(place.path, 1) if place.cell else place


def printable(text: str) -> str:
    """One line without tabs and without characters that a terminal would obey."""
    return text.replace("\t", _TAB).translate(_CONTROL)


def marked(line: str, start: int, end: int) -> tuple[str, int, int]:
    """A printable line, with how many terminal cells lie before a range of characters and how many the range takes.

    ``start`` and ``end`` are 0-based; the range is at least one cell wide.
    """
    cut = ""
    if len(line) > MAX_WIDTH:
        first = max(0, min(start - MAX_WIDTH // 4, len(line) - MAX_WIDTH))
        line, start, end = line[first : first + MAX_WIDTH], start - first, end - first
        cut = "…" if first else ""
    before, inside = printable(line[:start]), printable(line[start:end])
    return cut + printable(line), width(cut + before), max(width(inside), 1)


def width(text: str) -> int:
    """How many terminal cells a printable text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)
