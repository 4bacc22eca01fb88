"""What is known of the editor's folders: the open texts, a session for each folder, and the findings.

All of this is used in the worker's thread only.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from jaxlint.project.documents import Document
from jaxlint.report.lsp import Places, diagnostic, uri_of
from jaxlint.running.session import Session
from jaxlint.server.options import Options
from jaxlint.server.worker import Token
from jaxlint.settings.configuration import ConfigurationError
from jaxlint.vocabulary.findings import Finding, Location


@dataclass(frozen=True)
class Part:
    """What the editor calls a text, or a cell of a notebook, and which version of it this is."""

    uri: str
    version: int | None


@dataclass(frozen=True)
class Buffer:
    """A file as it stands in the editor; ``parts`` are a notebook's code cells by their number, else one under 0."""

    document: Document
    parts: Mapping[int, Part]

    @property
    def path(self) -> str:
        return self.document.path


@dataclass(frozen=True)
class Checked:
    """What is said of one text, and of which of its versions (None: as it is on disk)."""

    uri: str
    path: str
    cell: int
    version: int | None
    findings: tuple[Finding, ...]
    diagnostics: tuple[dict[str, Any], ...]

    @property
    def parses(self) -> bool:
        return all(finding.code != "JAX001" for finding in self.findings)

    @cached_property
    def result_id(self) -> str:
        """The same for the same diagnostics."""
        return hashlib.sha256(json.dumps(self.diagnostics, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Outcome:
    """All texts that are looked at, by URI, and what is wrong with the configuration, as lines."""

    texts: Mapping[str, Checked] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


class Projects:
    def __init__(self) -> None:
        self.options: dict[str, Options] = {"": Options()}
        self.buffers: dict[str, Buffer] = {}
        self.encoding = "utf-16"
        self._sessions: dict[str, Session] = {}
        self._edited: str | None = None  # the text that was changed last, until all is checked
        self._early: dict[str, tuple[list[Finding], list[Checked]]] = {}  # what was said of it

    # -- what happens in the editor --

    def configure(self, options: dict[str, Options], encoding: str) -> None:
        """Takes the options of the workspace's folders, and under "" those for all other files.

        ``encoding`` is what positions are counted in.  What is known of programs is forgotten.
        """
        self.options = options
        self.encoding = encoding
        self._sessions.clear()

    def write(self, buffer: Buffer) -> None:
        """A text was opened or changed."""
        self.buffers[buffer.path] = buffer
        self._edited = buffer.path
        self.session(buffer.path).put(buffer.document)

    def close(self, path: str) -> None:
        """What is on disk counts again."""
        if self.buffers.pop(path, None) is not None:
            self.session(path).close(path)

    def changed_on_disk(self, paths: Iterable[str]) -> None:
        """Files were written, made or removed by somebody else."""
        for path in paths:
            for session in self._sessions.values():
                session.file_changed(path)

    # -- what is asked --

    def home(self, path: str) -> str:
        """The innermost workspace folder around a file, or "" when it lies outside all."""
        around = (folder for folder in self.options if folder and path.startswith(folder.rstrip(os.sep) + os.sep))
        return max(around, key=len, default="")

    def session(self, path: str) -> Session:
        """The session that a file belongs to: that of its workspace folder, or one of its own folder."""
        home = self.home(path)
        folder = home or os.path.dirname(path)
        if folder not in self._sessions:
            self._sessions[folder] = session = Session(self.options[home].configuration_in(folder), mends=True)
            for buffer in self.buffers.values():
                if (self.home(buffer.path) or os.path.dirname(buffer.path)) == folder:
                    session.put(buffer.document)
        return self._sessions[folder]

    def is_new(self) -> bool:
        """Whether the next check has to read a program for the first time."""
        return any(not self.session(path).knows(path) for path in self.buffers)

    def check_edited(self, token: Token) -> Mapping[str, Checked]:
        """What functions of the text that was edited last show in it; what those of other files do may be old.

        Raises Cancelled.
        """
        path, self._early = self._edited, {}
        if path is None or path not in self.buffers or not self.session(path).knows(path):
            return {}
        try:
            findings = self._findings(path, token, prompt=True)
        except ConfigurationError:
            return {}  # the whole check will say so
        presented = list(self._presented(path, findings))
        self._early = {path: (findings, presented)}
        return {checked.uri: checked for checked in presented}

    def check(self, token: Token) -> Outcome:
        """The findings in all texts that are open, and in all files of folders whose options want that.

        Raises Cancelled.
        """
        texts: dict[str, Checked] = {}
        problems: list[str] = []
        for path, findings in self._found(problems, token):
            known, presented = self._early.get(path, (None, []))
            if findings != known:
                presented = list(self._presented(path, findings))
            texts.update((checked.uri, checked) for checked in presented)
        self._edited, self._early = None, {}
        return Outcome(texts, tuple(dict.fromkeys(problems)))

    def _found(self, problems: list[str], token: Token) -> Iterator[tuple[str, list[Finding]]]:
        shown: set[str] = set()
        for folder, options in self.options.items():
            if folder and options.workspace:
                try:
                    found = self.session(os.path.join(folder, "")).all_findings(token.is_called_off, fixes=False)
                except ConfigurationError as error:
                    problems.append(str(error))
                    continue
                shown.update(found)
                yield from found.items()
        for path in self.buffers.keys() - shown:
            try:
                findings = self._findings(path, token)
            except ConfigurationError as error:
                problems.append(str(error))
                findings = []
            yield path, findings

    def _findings(self, path: str, token: Token, prompt: bool = False) -> list[Finding]:
        session = self.session(path)
        if session.is_excluded(path):
            return []
        return session.findings(path, token.is_called_off, fixes=False, prompt=prompt)

    # -- how it is shown --

    def places(self, path: str) -> Places:
        """Where things are for the editor, in the files that belong together with one."""
        session = self.session(path)

        def lines(place: Location) -> list[str]:
            return session.document(place.path).source_lines(place.cell)

        return Places(lines, self.encoding, self.uri)

    def uri(self, path: str, cell: int) -> str | None:
        """What the editor calls a file; of a cell in a notebook that is not open, None."""
        buffer = self.buffers.get(path)
        if buffer is None or cell not in buffer.parts:
            return None if cell else uri_of(path)
        return buffer.parts[cell].uri

    def _presented(self, path: str, findings: Iterable[Finding]) -> Iterator[Checked]:
        buffer = self.buffers.get(path)
        parts = buffer.parts if buffer is not None else {0: Part(uri_of(path), None)}
        by_part: dict[int, list[Finding]] = {cell: [] for cell in parts}
        for finding in findings:
            cell = finding.location.cell
            by_part[cell if cell in parts else next(iter(parts))].append(finding)
        places = self.places(path)
        for cell, some in by_part.items():
            told = tuple(diagnostic(finding, places) for finding in some)
            yield Checked(parts[cell].uri, path, cell, parts[cell].version, tuple(some), told)
