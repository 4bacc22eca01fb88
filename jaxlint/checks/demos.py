"""What a module does with keys when it is run to show what it offers is no defect of those that import it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from jaxlint.checks.one_cause import REUSE
from jaxlint.project.demos import Lines, demonstrations
from jaxlint.project.program import Program
from jaxlint.vocabulary.findings import Certainty, Finding

_OF_KEYS = (*REUSE, "JAX404")


def possible_in_demos(findings: Iterable[Finding], program: Program) -> Iterator[Finding]:
    """The findings, of which those that tell of a key used twice are only possible where a module that others import
    shows or tries itself."""
    known: dict[str, list[Lines]] = {}
    for finding in findings:
        if finding.code in _OF_KEYS and finding.certainty > Certainty.POSSIBLE:
            if finding.path not in known:
                module = program.at(finding.path)
                known[finding.path] = demonstrations(program, module) if module is not None else []
            if any(finding.location.line in lines for lines in known[finding.path]):
                finding = replace(finding, certainty=Certainty.POSSIBLE)
        yield finding
