"""Which program a file belongs to: the folder whose files are analysed together."""

from __future__ import annotations

import os
from collections.abc import Sequence

from jaxlint.settings.resolved import DEFAULT_EXCLUDE, Settings

MARKERS = ("jaxlint.toml", "pyproject.toml", "setup.py", "setup.cfg", ".git", "requirements.txt")

BASELINE = ".jaxlint-baseline.json"
"""The file with the findings that a project knows of."""

_NOT_A_PROGRAM = frozenset({".github", "ci", "doc", "docs", "requirements", "test", "tests"})
"""Folders with a requirements.txt of their own that still belong to the program around them."""

_MAX_GAP = 3
"""How many folders without __init__.py may lie inside a package (data folders, namespace parts)."""


def program_root(path: str, folders: Sequence[str] = ()) -> str:
    """The root of the program that a file belongs to.

    It is the nearest folder with a project file; else the outermost of ``folders`` (the folders that were asked for)
    around the file and all packages that it lies in, since scripts beside those may use them; else the outermost
    package around the file; else its own folder.  What is beyond an installed or built tree (`site-packages`, `build`)
    says nothing about the files inside.
    """
    ancestors = list(_ancestors(os.path.dirname(path)))
    for folder in ancestors:
        if is_marked(folder):
            return folder
    package = _outermost_package(ancestors)
    asked = _as_named(folders)
    around = [
        folder for folder in ancestors if folder in asked and (package or path).startswith(os.path.join(folder, ""))
    ]
    return around[-1] if around else package or os.path.dirname(path)


def is_a_program(root: str, folders: Sequence[str]) -> bool:
    """Whether anything says that the files below a root belong together: it is a package, is marked, or is one of the
    ``folders`` that were asked for.  Else it is where a file lies, as somebody's home is."""
    return is_marked(root) or is_package(root) or root in _as_named(folders)


def _as_named(folders: Sequence[str]) -> set[str]:
    return {folder.rstrip(os.sep) or os.sep for folder in folders}


def is_marked(folder: str) -> bool:
    """Whether a folder carries a file that makes it a program of its own."""
    for marker in MARKERS:
        if marker == "requirements.txt" and os.path.basename(folder) in _NOT_A_PROGRAM:
            continue
        if os.path.exists(os.path.join(folder, marker)):
            return True
    return False


def repository_around(folder: str) -> str | None:
    """The top of the git repository that a folder is in, or None."""
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def baseline_path(settings: Settings, root: str) -> str:
    """Where the baseline of a program is: where the settings say, else at the top of what belongs together."""
    return settings.baseline or os.path.join(settings.root or repository_around(root) or root, BASELINE)


def is_package(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, "__init__.py"))


def is_test(path: str, root: str) -> bool:
    """Whether a file of the program in ``root`` is there for a test runner: by its own name (`test_*.py`, `*_test.py`,
    `conftest.py`) or that of a folder of the program.  Where the program lies on the disk says nothing, unless it
    is a folder of tests without anything that makes it a program of its own.
    """
    stem = os.path.splitext(os.path.basename(path))[0]
    if stem == "conftest" or stem.startswith("test_") or stem.endswith("_test"):
        return True
    folders = os.path.relpath(os.path.dirname(path), root).split(os.sep)
    return any(folder in _TEST_FOLDERS for folder in folders) or (
        os.path.basename(root) == "tests" and not is_marked(root)
    )


_TEST_FOLDERS = frozenset(("test", "tests"))


def _ancestors(folder: str) -> list[str]:
    """The folder and those around it, up to the first that default excludes keep out of every program."""
    found = []
    while os.path.basename(folder) not in DEFAULT_EXCLUDE:
        found.append(folder)
        parent = os.path.dirname(folder)
        if parent == folder:
            break
        folder = parent
    return found


def _outermost_package(ancestors: list[str]) -> str | None:
    outermost, gap = None, 0
    for folder in ancestors:
        if is_package(folder):
            outermost, gap = folder, 0
        elif gap == _MAX_GAP:
            break
        else:
            gap += 1
    return outermost
