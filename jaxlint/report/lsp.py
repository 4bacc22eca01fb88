"""Findings in the language server protocol's words, as plain data: what an editor is told of a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jaxlint.report.plain import located
from jaxlint.report.source import Sources
from jaxlint.vocabulary.findings import Certainty, Finding, Location, Severity
from jaxlint.vocabulary.rules import find_rule

_SEVERITIES = {Severity.ERROR: 1, Severity.WARNING: 2, Severity.INFO: 3}

_UNNECESSARY, _DEPRECATED = 1, 2
_TAGS = {
    "JAX003": _UNNECESSARY,  # a comment that silences nothing
    "JAX302": _UNNECESSARY,  # an update that nobody looks at
    "JAX801": _DEPRECATED,
    "JAX802": _DEPRECATED,
}

_UNITS: dict[str, Callable[[str], int]] = {
    "utf-8": lambda text: len(text.encode("utf-8", "surrogatepass")),
    "utf-16": lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
    "utf-32": len,
}


def uri_of(path: str) -> str:
    """The URI of an absolute path."""
    return Path(path).as_uri()


def _file_uri(path: str, cell: int) -> str | None:
    return None if cell else uri_of(path)


@dataclass(frozen=True)
class Places:
    """From places in files to positions in an editor.

    ``lines`` gives the lines that a place is counted in; ``encoding`` is the unit the editor counts in; ``uri`` gives
    the URI of a path and a notebook's cell (0: of no notebook), or None for a cell that has none.
    """

    lines: Callable[[Location], Sequence[str]]
    encoding: str = "utf-16"
    uri: Callable[[str, int], str | None] = _file_uri

    def has(self, place: Location) -> bool:
        """Whether the editor can be shown the place itself, and not only its notebook."""
        return self.uri(place.path, place.cell) is not None

    def range(self, place: Location) -> dict[str, Any]:
        if not self.has(place):
            return {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
        lines = self.lines(place)
        start = self._position(lines, place.line, place.column)
        end = self._position(lines, place.end_line, place.end_column) if place.end_line else start
        return {"start": start, "end": end}

    def location(self, place: Location) -> dict[str, Any]:
        return {"uri": self.uri(place.path, place.cell) or uri_of(place.path), "range": self.range(place)}

    def _position(self, lines: Sequence[str], line: int, column: int) -> dict[str, int]:
        before = lines[line - 1][: column - 1] if line <= len(lines) else ""
        return {"line": line - 1, "character": len(before) if before.isascii() else _UNITS[self.encoding](before)}


def diagnostic(finding: Finding, places: Places) -> dict[str, Any]:
    """One finding as a `Diagnostic`: the help is part of its message, the reasons are its related information."""
    message = finding.message if places.has(finding.location) else located(finding)
    claim = "" if finding.certainty is Certainty.CERTAIN else f" ({finding.certainty.label})"
    help_line = f"\nhelp: {finding.help}" if finding.help else ""
    told: dict[str, Any] = {
        "range": places.range(finding.location),
        "severity": _SEVERITIES[finding.severity],
        "code": finding.code,
        "source": "jaxlint",
        "message": f"{message}{claim}{help_line}",
        "relatedInformation": list(_information(finding, places)),
        "data": {"name": finding.name},
    }
    rule = find_rule(finding.code)
    if rule is not None:
        told["codeDescription"] = {"href": rule.url or uri_of(rule.card)}
    if finding.code in _TAGS:
        told["tags"] = [_TAGS[finding.code]]
    return told


def _information(finding: Finding, places: Places) -> Iterator[dict[str, Any]]:
    """The steps of each reason, one reason after the other: the format knows one list only."""
    for number, reason in enumerate(finding.reasons):
        for at, step in enumerate(reason):
            message = f"another way here: {step.message}" if number and not at else step.message
            yield {"location": places.location(step.location), "message": message}


def report(findings: Sequence[Finding], sources: Sources) -> Iterator[str]:
    """A JSON list with the parameters of `textDocument/publishDiagnostics` for each file that has findings."""
    places = Places(sources.lines)
    found: dict[str, list[dict[str, Any]]] = {}
    for finding in findings:
        found.setdefault(finding.path, []).append(diagnostic(finding, places))
    yield json.dumps([{"uri": uri_of(path), "diagnostics": told} for path, told in found.items()], indent=2)
