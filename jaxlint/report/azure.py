"""Logging commands of Azure Pipelines: each finding becomes an issue of the build."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jaxlint.report.plain import explained
from jaxlint.report.source import Sources, in_file
from jaxlint.vocabulary.findings import Finding, Severity

_TYPES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "warning"}
_IN_TEXT = str.maketrans({"\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = _IN_TEXT | str.maketrans({";": "%3B", "]": "%5D"})
"""A percent sign stays one: agents turn its escape back only where they are told to."""


def report(findings: Sequence[Finding], sources: Sources) -> Iterator[str]:
    """A command a line.  Paths start at the top of the repository, which a checkout may have anywhere."""
    for finding in findings:
        place = in_file(finding.location)
        properties = {
            "type": _TYPES[finding.severity],
            "sourcepath": sources.path_in_repository(finding.path),
            "linenumber": place.line,
            "columnnumber": place.column,
            "code": finding.code,
        }
        written = "".join(f"{name}={str(value).translate(_IN_PROPERTY)};" for name, value in properties.items())
        yield f"##vso[task.logissue {written}]" + "\n".join(explained(finding, sources)).translate(_IN_TEXT)
