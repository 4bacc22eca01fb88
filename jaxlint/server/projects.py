"""What is known of the editor's folders: the open texts, the programs they belong to, and the findings in them.

All of this is used in the worker's thread only.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jaxlint.api import Run
from jaxlint.configuration import Configuration, ConfigurationError
from jaxlint.findings import Finding
from jaxlint.project.discovery import PYTHON_SUFFIXES, Excludes, MissingPathError, python_files
from jaxlint.project.documents import Document, document_from_bytes, read_document
from jaxlint.project.program import group_by_root
from jaxlint.report.lsp import Places, diagnostic, uri_of
from jaxlint.server.options import Options
from jaxlint.server.worker import Token


@dataclass(frozen=True)
class Buffer:
    """A text as it stands in the editor, and what the editor calls it."""

    uri: str
    path: str
    text: str
    version: int | None


@dataclass(frozen=True)
class Checked:
    """What is said of one file, and of which of its versions (None: as it is on disk)."""

    uri: str
    version: int | None
    findings: tuple[Finding, ...]
    diagnostics: tuple[dict[str, Any], ...]

    @property
    def result_id(self) -> str:
        """The same for the same diagnostics."""
        return hashlib.sha256(json.dumps(self.diagnostics, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Outcome:
    """The state of all files that are looked at, by path, and what is wrong with the configuration, as lines."""

    files: Mapping[str, Checked] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


@dataclass
class _Program:
    """What the last look at a program has left: the texts read from disk, and the findings by file."""

    documents: dict[str, Document] = field(default_factory=dict)
    found: dict[str, tuple[Finding, ...]] | None = None
    asked: frozenset[str] = frozenset()


class Projects:
    def __init__(self) -> None:
        self.options: dict[str, Options] = {"": Options()}
        self.buffers: dict[str, Buffer] = {}
        self.encoding = "utf-16"
        self._configurations: dict[str, Configuration] = {}
        self._programs: dict[str, _Program] = {}

    @property
    def folders(self) -> list[str]:
        """The workspace's folders."""
        return [folder for folder in self.options if folder]

    def configure(self, options: dict[str, Options], encoding: str) -> None:
        """Takes the options of the workspace's folders, and under "" those for all other files.

        ``encoding`` is what positions are counted in.  What is known of programs is forgotten.
        """
        self.options = options
        self.encoding = encoding
        self._forget()

    def _forget(self) -> None:
        self._configurations.clear()
        self._programs.clear()

    def write(self, buffer: Buffer) -> None:
        """A text was opened or changed."""
        self.buffers[buffer.path] = buffer
        self._touch(buffer.path)

    def close(self, path: str) -> None:
        """What is on disk counts again."""
        self.buffers.pop(path, None)
        self._touch(path)

    def changed_on_disk(self, paths: Iterable[str]) -> None:
        """Files were written, made or removed by somebody else; one that is not Python configures."""
        for path in paths:
            if path.endswith(PYTHON_SUFFIXES):
                self._touch(path)
            else:
                self._forget()

    def _touch(self, path: str) -> None:
        real = os.path.realpath(path)
        for root, program in self._programs.items():
            if path.startswith(root) or real.startswith(root):
                program.documents.pop(real, None)
                program.found = None

    def is_new(self) -> bool:
        """Whether the next check has to read a program for the first time."""
        return any(root not in self._programs for root in self._asked())

    def check(self, token: Token) -> Outcome:
        """The findings in all files that are open, or in the folders whose options want all of theirs.

        Raises Cancelled.
        """
        files: dict[str, Checked] = {}
        problems: list[str] = []
        for root, paths in self._asked().items():
            token.check()
            program = self._programs.setdefault(root, _Program())
            try:
                found = self._found(root, paths, program)
            except ConfigurationError as error:
                problems.append(str(error))
                found = dict.fromkeys(paths, ())
            files.update(self._presented(found, program))
        return Outcome(files, tuple(dict.fromkeys(problems)))

    def _asked(self) -> dict[str, list[str]]:
        """The files to report on by the root of their program."""
        asked = set(self.buffers)
        for folder in self.folders:
            if self.options[folder].workspace:
                asked.update(self._files_below(folder))
        return group_by_root(asked, self.folders)

    def _files_below(self, folder: str) -> list[str]:
        try:
            return python_files([folder], lambda top: Excludes.of(self.configuration(top).settings_for(top)))
        except (ConfigurationError, MissingPathError):
            return []  # where there are open files, the check says what is wrong

    def configuration(self, path: str) -> Configuration:
        """How configuration is found around a path: as the innermost workspace folder wants it."""
        inside = [folder for folder in self.folders if f"{path}{os.sep}".startswith(folder.rstrip(os.sep) + os.sep)]
        folder = max(inside, key=len, default="")
        if folder not in self._configurations:
            self._configurations[folder] = self.options[folder].configuration_in(folder or os.path.dirname(path))
        return self._configurations[folder]

    def _found(self, root: str, paths: list[str], program: _Program) -> dict[str, tuple[Finding, ...]]:
        if program.found is None or program.asked != frozenset(paths):
            program.asked = frozenset(paths)
            run = self._run(root, paths, program)
            found: dict[str, list[Finding]] = {path: [] for path in paths}
            for finding in run.findings():
                found.setdefault(finding.path, []).append(finding)
            program.found = {path: tuple(findings) for path, findings in found.items()}
        return program.found

    def _run(self, root: str, paths: list[str], program: _Program) -> Run:
        """A run over files of one program, its texts taken from the editor where they are open."""
        run = Run(self.configuration(root), [], self.folders, program.documents)
        for path in self.buffers:
            if path.startswith(root):
                data = self.buffers[path].text.encode("utf-8", "surrogatepass")
                run.documents[os.path.realpath(path)] = document_from_bytes(path, data)
        run.files = [path for path in paths if not run.is_excluded(path)]
        return run

    def _presented(self, found: Mapping[str, tuple[Finding, ...]], program: _Program) -> Iterator[tuple[str, Checked]]:
        def lines(path: str) -> Sequence[str]:
            return (program.documents.get(os.path.realpath(path)) or read_document(path)).lines

        places = Places(lines, self.encoding, self._uri)
        for path, findings in found.items():
            buffer = self.buffers.get(path)
            told = tuple(diagnostic(finding, places) for finding in findings)
            yield path, Checked(self._uri(path), buffer.version if buffer else None, findings, told)

    def _uri(self, path: str) -> str:
        buffer = self.buffers.get(path)
        return buffer.uri if buffer is not None else uri_of(path)
