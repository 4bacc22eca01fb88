"""Verdicts of a long run, each told as soon as it is known and again where it changes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace

from jaxlint.dynamic.observations import Result
from jaxlint.dynamic.plan import Target
from jaxlint.dynamic.progress import Progress
from jaxlint.dynamic.verdicts import Judge
from jaxlint.project.program import Program
from jaxlint.report.source import Sources
from jaxlint.report.text import Paint, concise
from jaxlint.silencing.suppressions import Suppressions, suppressions_in
from jaxlint.vocabulary.findings import Finding, Proof, Verdict


class Decided:
    """What can be said of the findings after each result.

    A confirmation stands whatever comes later.  Anything else is told when all functions that lead to a finding have
    been traced.
    """

    def __init__(self, program: Program, judge: Judge, progress: Progress | None) -> None:
        self._program = program
        self._judge = judge
        self._progress = progress
        self._targets: dict[Finding, set[Target]] = {}
        self._waiting: dict[Finding, set[Target]] = {}
        self._told: dict[Finding, Proof] = {}
        self._comments: dict[str, Suppressions] = {}

    def at_once(self, verdicts: Mapping[Finding, Verdict]) -> None:
        """What was known before anything was traced."""
        for finding, verdict in verdicts.items():
            self._tell(finding, verdict)

    def expect(self, targets: Mapping[Finding, Iterable[Target]]) -> None:
        """What is going to be traced, and for which findings."""
        self._targets = {finding: {*found} for finding, found in targets.items()}
        self._waiting = {finding: {*found} for finding, found in targets.items()}

    def after(self, result: Result) -> None:
        """One more target was traced, and the judge knows of it."""
        if self._progress is None or self._progress.is_quiet:
            return
        target = result.module, result.qualname
        for finding, waiting in self._waiting.items():
            if target in waiting:
                waiting.discard(target)
                verdict = self._judge.verdict(finding, self._targets[finding])
                if verdict.state is Proof.CONFIRMED or not waiting:
                    self._tell(finding, verdict)

    def _tell(self, finding: Finding, verdict: Verdict) -> None:
        if self._progress is None or not verdict.state.is_decisive or self._told.get(finding) is verdict.state:
            return
        self._told[finding] = verdict.state
        if not self._is_silenced(finding):
            placed = self._program.placed(replace(finding, verdict=verdict))
            for line in concise([placed], Sources({}, os.getcwd()), Paint(False)):
                self._progress.tell(line)

    def _is_silenced(self, finding: Finding) -> bool:
        """Whether a comment in the file keeps it from being reported."""
        module = self._program.at(finding.path)
        if module is None:
            return False
        if finding.path not in self._comments:
            self._comments[finding.path] = suppressions_in(module.document)
        return not self._comments[finding.path].keep([finding])
