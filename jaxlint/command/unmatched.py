"""Patterns and paths that match nothing: a misspelt one would do nothing, in silence."""

from __future__ import annotations

import argparse
import glob
import os
from collections.abc import Iterable, Iterator

from jaxlint.running.once import Run
from jaxlint.settings.configuration import as_patterns
from jaxlint.settings.resolved import pattern_matches


def unmatched(run: Run, options: argparse.Namespace) -> Iterator[str]:
    """A line for each path and pattern of the command line, and each pattern of the configuration that is about files
    to be linted, that matches nothing, as far as this run has looked."""
    for folder in run.folders:
        if run.files and not any(path.startswith(_inside(folder)) for path in run.files):
            yield f"{os.path.relpath(folder)}: no Python files"
    if run.folders:
        for name in ("exclude", "extend_exclude"):
            for written in getattr(options, name) or ():
                if not _leaves_out(as_patterns([written], run.configuration.cwd)[0], run):
                    yield f"--{name.replace('_', '-')}: `{written}` leaves nothing out"
    for written in options.per_file_ignores or ():
        if not _matches(as_patterns([written], run.configuration.cwd)[0], run.files):
            yield f"--per-file-ignores: `{written}` matches none of the files"
    for folder in run.folders:
        yield from _of_configuration(run, folder, options)


def _of_configuration(run: Run, folder: str, options: argparse.Namespace) -> Iterator[str]:
    """Only where all files that the configuration is for have been asked for."""
    settings = run.configuration.settings_for(folder)
    root, file = settings.root, run.configuration.file_for(folder)
    if root is None or file is None or not (root + os.sep).startswith(_inside(folder)):
        return
    named = os.path.relpath(file, run.configuration.cwd)
    for pattern, _ in () if options.per_file_ignores else settings.per_file_ignores:
        if not _matches(pattern, run.files):
            yield f"{named}: per-file-ignores: `{_written(pattern, root)}` matches none of the files"
    for pattern in settings.extend_include:
        if not _matches(pattern, run.files):
            yield f"{named}: extend-include: `{_written(pattern, root)}` matches none of the files"


def _leaves_out(pattern: str, run: Run) -> bool:
    """Whether a pattern has left something out, or could have, had not another one left out a folder around it."""
    return pattern in run.excluding or (os.sep in pattern and bool(glob.glob(pattern, recursive=True)))


def _inside(folder: str) -> str:
    return folder.rstrip(os.sep) + os.sep


def _matches(pattern: str, paths: Iterable[str]) -> bool:
    return any(pattern_matches(pattern, path) for path in paths)


def _written(pattern: str, root: str) -> str:
    return os.path.relpath(pattern, root) if os.sep in pattern else pattern
