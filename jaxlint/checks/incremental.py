"""The findings of a program that changes while it is looked at."""

from __future__ import annotations

from collections.abc import Callable

from jaxlint.checks.run import analyse
from jaxlint.findings import Finding
from jaxlint.project.documents import Document
from jaxlint.project.program import Program
from jaxlint.settings import Settings


class Cancelled(Exception):
    """Nobody waits for the result any more."""


class Analysis:
    """The findings in one program's files, brought up to date when they are asked for."""

    def __init__(self, program: Program, settings: Settings) -> None:
        self.program = program
        self.settings = settings
        self._findings: dict[str, list[Finding]] | None = None

    def change(self, document: Document) -> None:
        """One of the program's files, if it is one of them, has this text now."""
        module = self.program.at(document.path)
        if module is not None:
            module.document = document
            self._findings = None

    def run(self, cancelled: Callable[[], bool]) -> None:
        """Analyses what has to be analysed.  Raises Cancelled; what was done by then need not be done again."""
        if self._findings is None:
            if cancelled():
                raise Cancelled
            found: dict[str, list[Finding]] = {}
            for finding in analyse(self.program, self.settings):
                found.setdefault(finding.path, []).append(finding)
            self._findings = found

    def findings(self, path: str) -> list[Finding]:
        """All findings in one file, whatever their certainty, sorted."""
        assert self._findings is not None
        return self._findings.get(path, [])
