"""Reviewdog's diagnostic format, with fixes as suggestions that a reviewer can accept."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from jaxlint.report.plain import explained
from jaxlint.report.source import Sources, in_file
from jaxlint.vocabulary.findings import Edit, Finding, Fix, Location, Severity
from jaxlint.vocabulary.rules import find_rule

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.INFO: "INFO"}

_NEAR = 10
"""Edits of one fix at most so many lines apart make one suggestion.  Those further apart are none: half of a fix could
be accepted."""


def report(findings: Sequence[Finding], sources: Sources) -> Iterator[str]:
    """One JSON object, a `DiagnosticResult`."""
    diagnostics = [_diagnostic(finding, sources) for finding in findings]
    yield json.dumps({"source": {"name": "jaxlint"}, "severity": "WARNING", "diagnostics": diagnostics}, indent=2)


def _diagnostic(finding: Finding, sources: Sources) -> dict[str, Any]:
    diagnostic = {
        "message": "\n".join(explained(finding, sources)),
        "location": {"path": finding.path, "range": _range(finding.location, sources)},
        "severity": _SEVERITIES[finding.severity],
        "code": _code(finding.code),
    }
    suggestion = _suggestion(finding.fix, sources) if finding.fix else None
    return diagnostic if suggestion is None else diagnostic | {"suggestions": [suggestion]}


def _code(code: str) -> dict[str, str]:
    rule = find_rule(code)
    return {"value": code, "url": rule.url} if rule is not None and rule.url else {"value": code}


def _suggestion(fix: Fix, sources: Sources) -> dict[str, Any] | None:
    """All edits of a fix as one replacement, from the first to the last of them."""
    edits = sorted(fix.edits)
    if not edits or edits[0].location.cell or _last(edits[-1]).line - edits[0].location.line > _NEAR:
        return None
    first, last = edits[0].location, _last(edits[-1])
    lines = sources.lines(first)
    text, place = "", first
    for edit in edits:
        text += _between(lines, place, edit.location) + edit.content
        place = _last(edit)
    span = Location(first.path, first.line, first.column, last.line, last.column)
    return {"range": _range(span, sources), "text": text}


def _last(edit: Edit) -> Location:
    """Where an edit ends."""
    place = edit.location
    return Location(place.path, place.end_line or place.line, place.end_column or place.column)


def _between(lines: Sequence[str], start: Location, end: Location) -> str:
    if start.line == end.line:
        return lines[start.line - 1][start.column - 1 : end.column - 1]
    inner = lines[start.line : end.line - 1]
    return "\n".join([lines[start.line - 1][start.column - 1 :], *inner, lines[end.line - 1][: end.column - 1]])


def _range(place: Location, sources: Sources) -> dict[str, dict[str, int]]:
    """A range whose columns count bytes of UTF-8, as the format wants them."""
    place = in_file(place)
    lines = sources.lines(place)
    end_line, end_column = (place.end_line, place.end_column) if place.end_line else (place.line, place.column)
    return {"start": _position(lines, place.line, place.column), "end": _position(lines, end_line, end_column)}


def _position(lines: Sequence[str], line: int, column: int) -> dict[str, int]:
    before = lines[line - 1][: column - 1] if 1 <= line <= len(lines) else ""
    beyond = column - 1 - len(before)
    return {"line": line, "column": len(before.encode("utf-8", "surrogatepass")) + beyond + 1}
