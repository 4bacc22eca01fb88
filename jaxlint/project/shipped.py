"""Files with rows that installed packages ship, for the functions they have.

    [project.entry-points."jaxlint.libraries"]
    foolib = "foolib:jaxlint.toml"

`importlib.metadata` would find them as well, in ten times the time: it is imported for nothing else.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator

GROUP = "jaxlint.libraries"


def shipped_files() -> tuple[tuple[str, str], ...]:
    """The packages that ship rows, with the path of each file: those that are installed beside jaxlint, in order.

    Nothing is imported.  A file that cannot be found has its path inside the package.
    """
    return _files(tuple(sys.path))


@functools.cache
def _files(folders: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    found: dict[tuple[str, str], None] = {}
    known: set[str] = set()
    for folder in dict.fromkeys(map(os.path.abspath, folders)):
        for name in _distributions(folder):
            if name.lower() in known:
                continue  # Python finds the other one first
            known.add(name.lower())
            for value in _entry_points(os.path.join(folder, name, "entry_points.txt")):
                module, _, file = value.partition(":")
                found[module.partition(".")[0], _place(module.split("."), file, folders)] = None
    return tuple(found)


def _distributions(folder: str) -> Iterator[str]:
    """The folders with what was said of the distributions that are installed in this one."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    yield from (name for name in names if name.endswith((".dist-info", ".egg-info")))


def _entry_points(path: str) -> Iterator[str]:
    """The objects of our group in a file of entry points, as they are written."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return
    if GROUP.encode() not in data:
        return
    section = ""
    for line in data.decode("utf-8", "replace").splitlines():
        line = line.strip()
        if line.startswith("["):
            section = line.strip("[] ")
        elif section == GROUP and "=" in line and not line.startswith(("#", ";")):
            yield line.partition("=")[2].strip()


def _place(module: list[str], file: str, folders: tuple[str, ...]) -> str:
    inside = os.path.join(*module[1:], file)
    for folder in folders:
        path = os.path.join(os.path.abspath(folder), module[0], inside)
        if os.path.isfile(path):
            return path
    return os.path.join(_editable(module[0]), inside)


def _editable(package: str) -> str:
    """The folder of a package that Python finds in another way than by its path."""
    from importlib.util import find_spec

    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        spec = None
    places = spec.submodule_search_locations if spec is not None else None
    return next(iter(places or ()), package)
