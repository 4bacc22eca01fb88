"""Workflow commands of GitHub Actions: each finding becomes an annotation of the commit or pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jaxlint.report.plain import explained
from jaxlint.report.source import Sources, in_file
from jaxlint.vocabulary.findings import Finding, Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_IN_TEXT = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = _IN_TEXT | str.maketrans({":": "%3A", ",": "%2C"})


def report(findings: Sequence[Finding], sources: Sources) -> Iterator[str]:
    """A command a line.  Paths start at the top of the repository, which a checkout may have anywhere."""
    for finding in findings:
        properties = {
            "title": f"jaxlint {finding.code} [{finding.name}]",
            "file": sources.path_in_repository(finding.path),
            **_range(finding),
        }
        written = ",".join(f"{name}={str(value).translate(_IN_PROPERTY)}" for name, value in properties.items())
        text = "\n".join(explained(finding, sources)).translate(_IN_TEXT)
        yield f"::{_COMMANDS[finding.severity]} {written}::{text}"


def _range(finding: Finding) -> dict[str, int]:
    """Lines, and columns where the place is within one line: GitHub refuses them otherwise."""
    place = in_file(finding.location)
    end_line = place.end_line or place.line
    if end_line != place.line:
        return {"line": place.line, "endLine": end_line}
    end_column = place.end_column or place.column
    return {"line": place.line, "col": place.column, "endLine": end_line, "endColumn": end_column}
