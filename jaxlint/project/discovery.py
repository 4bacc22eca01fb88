"""Which files are there: paths, folders and globs to a sorted list of Python files.

A path that is named explicitly is always taken; below a folder, excluded and git-ignored entries are not entered.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.files.reading import read_file, reason_of
from jaxlint.settings.resolved import Settings, pattern_matches
from jaxlint.vocabulary.words import did_you_mean

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

PYTHON_SUFFIXES = (".py", ".ipynb")
STUB_SUFFIX = ".pyi"
"""Stubs hold no code that runs: they are passed over without a word."""

_GLOB_SIGNS = frozenset("*?[")


class MissingPathError(Exception):
    """A path on the command line does not exist; the message is the line to print."""


@dataclass(frozen=True, slots=True)
class Excludes:
    """What keeps entries of folders out: patterns (a name, or an absolute path or glob) and .gitignore files.

    ``included`` are patterns of files that are taken beside those with Python's suffixes.  ``problems`` gains a line
    for each .gitignore file that is there and cannot be used, ``used`` the patterns that have kept something out.
    """

    patterns: tuple[str, ...]
    gitignore: bool = True
    included: tuple[str, ...] = ()
    problems: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    _specs: dict[str, GitIgnoreSpec | None] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: Settings) -> Excludes:
        return cls((*settings.exclude, *settings.extend_exclude), settings.respect_gitignore, settings.extend_include)

    def takes(self, path: str) -> bool:
        """Whether a file is one that is linted, unless it is left out."""
        return path.endswith(PYTHON_SUFFIXES) or any(pattern_matches(pattern, path) for pattern in self.included)

    def excludes(self, path: str, is_folder: bool) -> bool:
        """Whether this entry of a folder, given as an absolute path, is left out."""
        if matching := [pattern for pattern in self.patterns if pattern_matches(pattern, path)]:
            self.used.update(matching)
            return True
        return self.gitignore and self._is_git_ignored(path, is_folder)

    def exclude_below(self, top: str, path: str) -> bool:
        """Whether a file, or any folder between ``top`` and it, is left out; nothing outside ``top`` is."""
        is_folder = False
        while path != top and path.startswith(top.rstrip(os.sep) + os.sep):
            if self.excludes(path, is_folder):
                return True
            path, is_folder = os.path.dirname(path), True
        return False

    def _is_git_ignored(self, path: str, is_folder: bool) -> bool:
        """Ask the .gitignore files from the nearest folder outwards, up to the repository's top."""
        folder = os.path.dirname(path)
        while True:
            spec = self._ignore_file(folder)
            if spec is not None:
                relative = os.path.relpath(path, folder).replace(os.sep, "/") + ("/" if is_folder else "")
                verdict = spec.check_file(relative).include
                if verdict is not None:
                    return verdict
            parent = os.path.dirname(folder)
            if parent == folder or os.path.exists(os.path.join(folder, ".git")):
                return False
            folder = parent

    def _ignore_file(self, folder: str) -> GitIgnoreSpec | None:
        if folder not in self._specs:
            self._specs[folder] = _read_ignore_file(os.path.join(folder, ".gitignore"), self.problems)
        return self._specs[folder]


def expand_arguments(paths: Iterable[str], cwd: str) -> list[str]:
    """The command line's paths as absolute paths, globs expanded, each once and in order.

    Raises MissingPathError for a path that does not exist and for a glob that matches nothing.
    """
    found: dict[str, None] = {}
    for path in paths:
        absolute = os.path.normpath(os.path.join(cwd, path))
        if os.path.lexists(absolute):
            matches = [absolute]
        elif _GLOB_SIGNS & set(path):
            matches = sorted(os.path.normpath(match) for match in glob.glob(absolute, recursive=True))
        else:
            matches = []
        if not matches:
            raise MissingPathError(f"{path}: no such file or folder{_similar(path, absolute)}")
        found.update(dict.fromkeys(matches))
    return list(found)


def _similar(path: str, absolute: str) -> str:
    """Which file or folder beside it a path may have been meant for, as it would be written."""
    try:
        known = os.listdir(os.path.dirname(absolute))
    except OSError:
        return ""
    path = path.rstrip(os.sep)
    return did_you_mean(path, [os.path.join(os.path.dirname(path), name) for name in known])


def _closed(folder: str, error: OSError) -> None:
    """What is in a folder that cannot be listed is not there."""


def python_files(
    paths: Iterable[str],
    excludes: Callable[[str], Excludes],
    unlisted: Callable[[str, OSError], None] = _closed,
) -> list[str]:
    """The Python files among and below these absolute paths, sorted, each file once however many links lead to it.

    ``excludes`` gives the excludes that hold inside a folder; ``unlisted`` is told of folders that cannot be listed.
    """
    walked: list[str] = []
    named: list[str] = []
    for path in paths:
        if os.path.isdir(path):
            walked += walk(path, excludes(path), unlisted=unlisted)
        elif not path.endswith(STUB_SUFFIX):
            named.append(path)
    found = by_real_path(walked) | {os.path.realpath(path): path for path in named}
    return sorted(found.values())


def by_real_path(files: Iterable[str]) -> dict[str, str]:
    """The files by real path; of several paths to one file its own counts, else the first."""
    found: dict[str, str] = {}
    for path in files:
        real = os.path.realpath(path)
        if real == path or real not in found:
            found[real] = path
    return found


def walk(
    top: str,
    excludes: Excludes,
    enter: Callable[[str], bool] = lambda folder: True,
    unlisted: Callable[[str, OSError], None] = _closed,
) -> Iterator[str]:
    """The Python files below ``top``; ``enter`` may keep the walk out of a folder.

    Folders are known by their real path, so a symbolic link to a folder already seen ends there, loops included;
    plain folders come before links, so that a file is found under its own path where it has one below ``top``.
    """
    seen = {os.path.realpath(top)}
    waiting = [top]
    links: list[str] = []
    while waiting or links:
        folder = waiting.pop() if waiting else links.pop()
        real = os.path.realpath(folder)
        if folder != top:
            if real in seen:
                continue
            seen.add(real)
        try:
            entries = _entries(folder)
        except OSError as error:
            unlisted(folder, error)
            continue
        for path, is_folder, is_link in entries:
            if not (is_folder or excludes.takes(path)) or excludes.excludes(path, is_folder):
                continue
            if not is_folder:
                yield path
            elif enter(path):
                (links if is_link else waiting).append(path)


def _entries(folder: str) -> list[tuple[str, bool, bool]]:
    """(path, is a folder, is a link) of everything in a folder, sorted.  Raises OSError when it cannot be listed."""
    with os.scandir(folder) as entries:
        return sorted((entry.path, _is_dir(entry), entry.is_symlink()) for entry in entries)


def _is_dir(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _read_ignore_file(path: str, problems: list[str]) -> GitIgnoreSpec | None:
    try:
        lines = read_file(path).decode("utf-8", "replace").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        problems.append(f"{path}: cannot be read: {reason_of(error)}")
        return None
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:  # a line that git itself would not understand
        return None
