"""GitLab's code quality report: the part of Code Climate's format that a merge request shows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any

from jaxlint.report.plain import explained, located
from jaxlint.report.source import Sources, in_file
from jaxlint.silencing.identity import fingerprints, relative
from jaxlint.vocabulary.findings import Finding, Severity

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def report(findings: Sequence[Finding], sources: Sources) -> Iterator[str]:
    """One JSON list.  Paths start at the project's folder; a fingerprint stays the same when lines move."""
    project = os.environ.get("CI_PROJECT_DIR") or sources.repository
    marks = fingerprints(findings, sources.lines, project)
    rows = [_row(finding, mark, project, sources) for finding, mark in zip(findings, marks)]
    yield json.dumps(rows, indent=2)


def _row(finding: Finding, fingerprint: str, project: str, sources: Sources) -> dict[str, Any]:
    place = in_file(finding.location)
    return {
        "type": "issue",
        "check_name": f"{finding.code} [{finding.name}]",
        "description": located(finding),
        "content": {"body": "\n\n".join(explained(finding, sources))},
        "categories": ["Bug Risk"],
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": relative(place.path, project),
            "lines": {"begin": place.line, "end": place.end_line or place.line},
        },
    }
