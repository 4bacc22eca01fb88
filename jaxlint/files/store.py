"""A folder of results that are kept between runs: sealed, bounded in size, and never needed.

Whoever reads gets what was written, or nothing: of a file that is cut off, changed or not there, and of a folder that
cannot be read.  Several runs may read and write at once.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Sequence

from jaxlint.files.reading import read_text

FOLDER = ".jaxlint_cache"
"""The folder at a program's root where results are kept, unless another one is named."""

MOST_BYTES = 256 * 1024 * 1024
"""What one kind of results may take: the oldest go first, until half of it is left."""


_KINDS = ("static", "units", "dynamic")


class Store:
    """Results of one ``kind`` below a folder, each under a key, as lines of text."""

    def __init__(self, folder: str, kind: str) -> None:
        self.folder = folder
        self.kind = kind

    def read(self, key: str) -> list[str] | None:
        """What was kept under the key, or None."""
        path = self._path(key)
        try:
            seal, *lines = read_text(path, MOST_BYTES).split("\n")[:-1]
        except (OSError, ValueError):
            return None
        if seal != _seal(lines):
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # it is in use
        return lines

    def keep(self, key: str, lines: Sequence[str]) -> None:
        """Keeps lines (without line feeds) under a key.  In a folder that cannot be written to nothing is kept."""
        from jaxlint.files.writing import replace_file

        path = self._path(key)
        with contextlib.suppress(OSError):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            self._ignore_by_git()
            text = "".join(f"{line}\n" for line in (_seal(lines), *lines))
            replace_file(path, text.encode("utf-8", "surrogatepass"))
            self._make_room()

    def _path(self, key: str) -> str:
        return os.path.join(self.folder, self.kind, f"{key}.jsonl")

    def _ignore_by_git(self) -> None:
        """The folder ignores itself, so that nobody commits it by accident."""
        marker = os.path.join(self.folder, ".gitignore")
        if not os.path.exists(marker):
            with open(marker, "w", encoding="utf-8") as file:
                file.write("*\n")

    def _make_room(self) -> None:
        with os.scandir(os.path.join(self.folder, self.kind)) as entries:
            kept = sorted((entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in entries)
        total = sum(size for _, size, _ in kept)
        if total <= MOST_BYTES:
            return
        for _, size, path in kept[:-1]:
            if total <= MOST_BYTES // 2:
                break
            with contextlib.suppress(OSError):  # another run may have been quicker
                os.unlink(path)
            total -= size


class Unwritten(Store):
    """Results that nobody else can have written: they are on no disk, and gone when their process ends."""

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}

    def read(self, key: str) -> list[str] | None:
        return self._lines.get(key)

    def keep(self, key: str, lines: Sequence[str]) -> None:
        self._lines[key] = [*lines]


def forget(folder: str) -> bool:
    """Removes what was kept below a folder, and the folder if there is nothing else in it.  Returns whether there was
    anything; raises OSError where it cannot be removed."""
    kinds = [path for kind in _KINDS if os.path.isdir(path := os.path.join(folder, kind))]
    for path in kinds:
        from shutil import rmtree

        rmtree(path)
    if kinds:
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(folder, ".gitignore"))
            os.rmdir(folder)
    return bool(kinds)


def _seal(lines: Sequence[str]) -> str:
    """The first line of a file with these lines after it."""
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()
