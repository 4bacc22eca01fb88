"""`jaxlint check --watch`: files change, the findings follow.

The file system tells what changed; a `Session` keeps what the change does not touch.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from watchfiles import watch

from jaxlint.project.discovery import PYTHON_SUFFIXES
from jaxlint.project.program import group_by_root
from jaxlint.project.roots import MARKERS
from jaxlint.running.once import Run
from jaxlint.running.session import Session
from jaxlint.settings.configuration import Configuration
from jaxlint.settings.resolved import DEFAULT_EXCLUDE
from jaxlint.vocabulary.findings import Finding

_WAKING = 200
"""Milliseconds after which the watcher looks up; between changes nothing else happens."""

_CONFIGURING = frozenset({*MARKERS, ".gitignore"})


class Watching:
    """The findings below some paths, over and over.

    ``paths`` and ``force_exclude`` are those of `Run.over`.  Iterating gives the paths that changed, each time that
    some did that matter, and first of all none; `lint` says what is found then.
    Raises MissingPathError and ConfigurationError.
    """

    def __init__(self, paths: list[str], configuration: Configuration, force_exclude: bool) -> None:
        self.paths = paths
        self.force_exclude = force_exclude
        self._configuration = configuration
        self._session = Session(configuration, baselines=False)  # who asks leaves out what is known
        self._files: list[str] = []
        self._watched = self._folders(self._run())

    def lint(self) -> tuple[Run, list[Finding]]:
        """What is found now.  Raises MissingPathError and ConfigurationError."""
        run = self._run()
        self._watched = self._folders(run)
        self._files = run.files
        self._session.folders = run.folders
        found = run.closed + [each for some in self._session.findings_in(run.files).values() for each in some]
        return run, sorted(found, key=Finding.sort_key)

    def __iter__(self) -> Iterator[list[str]]:
        changed: list[str] = []
        while True:
            folders = self._watched
            changes = watch(*folders, watch_filter=None, rust_timeout=_WAKING, yield_on_timeout=True)
            next(changes)  # what changes from here on is seen
            yield changed
            for seen in changes:
                changed = sorted({path for _, path in seen if self._matters(path)})
                if not changed:
                    continue
                for path in changed:
                    self._session.file_changed(path)
                if self._watched != folders:
                    break
                yield changed

    def _run(self) -> Run:
        old = self._configuration  # its files may have changed
        configuration = Configuration(old.cwd, old.overrides, old.file, old.isolated)
        return Run.over(self.paths, configuration, force_exclude=self.force_exclude)

    def _folders(self, run: Run) -> tuple[str, ...]:
        """The folders to watch: those of the programs, and those that were asked for."""
        folders = sorted({*run.folders, *group_by_root(run.files, run.folders)})
        return tuple(folder for folder in folders if not any(_contains(other, folder) for other in folders))

    def _matters(self, path: str) -> bool:
        """Whether a change may change the report: of a source, a configuration, or a folder with sources."""
        top = next((folder for folder in self._watched if _contains(folder, path)), os.path.dirname(path))
        inside = os.path.relpath(path, top).split(os.sep)
        if not _EXCLUDED.isdisjoint(inside):
            return False
        if path.endswith((*PYTHON_SUFFIXES, ".toml")) or inside[-1] in _CONFIGURING:
            return True
        return _holds_sources(path) or any(_contains(path, file) for file in self._files)


_EXCLUDED = frozenset(DEFAULT_EXCLUDE)


def _holds_sources(folder: str) -> bool:
    return any(name.endswith(PYTHON_SUFFIXES) for _, _, names in os.walk(folder) for name in names)


def _contains(folder: str, path: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
