"""Lines as pylint writes them for programs (its `parseable` template), which many a tool reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jaxlint.report.plain import located
from jaxlint.report.source import Sources, in_file, printable
from jaxlint.vocabulary.findings import Finding


def report(findings: Sequence[Finding], sources: Sources) -> Iterator[str]:
    """`path:line: [code(name), definition] message`, a line for each finding."""
    for finding in findings:
        path = printable(sources.shown_path(finding.path))
        what = f"{finding.code}({finding.name}), {finding.definition}"
        yield f"{path}:{in_file(finding.location).line}: [{what}] {printable(located(finding))}"
