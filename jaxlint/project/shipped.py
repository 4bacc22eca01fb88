"""Files with rows that installed packages ship, for the functions they have.

[project.entry-points."jaxlint.libraries"]
foolib = "foolib:jaxlint.toml"
"""

from __future__ import annotations

import functools
import os
import sys

from jaxlint.files.entry_points import EntryPoint, editable_folder, entry_points

GROUP = "jaxlint.libraries"


def shipped_files() -> tuple[tuple[str, str], ...]:
    """The packages that ship rows, with the path of each file: those that are installed beside jaxlint, in order.

    Nothing is imported.  A file that cannot be found has its path inside the package.
    """
    return _files(entry_points(GROUP), tuple(sys.path))


@functools.cache
def _files(points: tuple[EntryPoint, ...], folders: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    found: dict[tuple[str, str], None] = {}
    for point in points:
        module, _, file = point.value.partition(":")
        found[module.partition(".")[0], _place(module.split("."), file, folders)] = None
    return tuple(found)


def _place(module: list[str], file: str, folders: tuple[str, ...]) -> str:
    inside = os.path.join(*module[1:], file)
    for folder in folders:
        path = os.path.join(os.path.abspath(folder), module[0], inside)
        if os.path.isfile(path):
            return path
    return os.path.join(editable_folder(module[0]), inside)
