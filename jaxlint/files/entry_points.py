"""What installed packages offer under a name, read from `entry_points.txt` beside each distribution.

`importlib.metadata` would find it as well, in ten times the time: it is imported for nothing else.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator
from typing import NamedTuple


class EntryPoint(NamedTuple):
    """One line of a distribution: `name = value`; ``folder`` is where the distribution is installed."""

    distribution: str
    name: str
    value: str
    folder: str


def entry_points(group: str, without: str | None = None) -> tuple[EntryPoint, ...]:
    """Those of a group, of all that is installed beside jaxlint, in the order in which Python would find it.

    Nothing is imported.  ``without`` is a folder of which nothing counts, nor of those in it but where packages are
    installed: Python looks there when it is the current one.
    """
    return tuple(point for point_group, point in _all(_folders(tuple(sys.path), without)) if point_group == group)


@functools.cache
def _folders(folders: tuple[str, ...], without: str | None) -> tuple[str, ...]:
    found = dict.fromkeys(map(os.path.abspath, folders))
    return tuple(folder for folder in found if without is None or not lies_in_project(folder, without))


def lies_in_project(folder: str, project: str) -> bool:
    """Whether a folder that Python looks in is a project's own, and not where packages are installed."""
    own = os.path.realpath(folder)
    around = os.path.realpath(project)
    is_inside = own == around or own.startswith(around.rstrip(os.sep) + os.sep)
    return is_inside and os.path.basename(own) not in ("site-packages", "dist-packages")


@functools.cache
def _all(folders: tuple[str, ...]) -> tuple[tuple[str, EntryPoint], ...]:
    """All entry points of our groups; of what is installed twice the one that Python finds first."""
    found: list[tuple[str, EntryPoint]] = []
    known: set[str] = set()
    for folder in folders:
        for name in _distributions(folder):
            if name.lower() not in known:
                known.add(name.lower())
                found += _read(name, folder)
    return tuple(found)


def _distributions(folder: str) -> Iterator[str]:
    """The folders with what was said of the distributions that are installed in this one."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    yield from (name for name in names if name.endswith((".dist-info", ".egg-info")))


def _read(distribution: str, folder: str) -> Iterator[tuple[str, EntryPoint]]:
    """The group and the line of each entry point in a distribution's file, of the groups that are ours."""
    try:
        with open(os.path.join(folder, distribution, "entry_points.txt"), "rb") as file:
            data = file.read()
    except OSError:
        return
    if b"jaxlint." not in data:
        return
    group = ""
    for line in data.decode("utf-8", "replace").splitlines():
        line = line.strip()
        if line.startswith("["):
            group = line.strip("[] ")
        elif group.startswith("jaxlint.") and "=" in line and not line.startswith(("#", ";")):
            name, _, value = line.partition("=")
            yield group, EntryPoint(distribution, name.strip(), value.strip(), folder)


def editable_folder(package: str) -> str:
    """The folder of a package that Python finds in another way than by its path."""
    from importlib.util import find_spec

    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        spec = None
    places = spec.submodule_search_locations if spec is not None else None
    return next(iter(places or ()), package)
