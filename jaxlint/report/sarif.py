"""SARIF 2.1.0, which code scanning services and editors read: findings with their rules, reasons and fixes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from jaxlint import __version__
from jaxlint.report import data
from jaxlint.report.plain import located
from jaxlint.report.source import Sources, in_file
from jaxlint.silencing.identity import fingerprints, relative
from jaxlint.vocabulary import addresses
from jaxlint.vocabulary.findings import Certainty, Edit, Finding, Fix, Location, Reason, Severity
from jaxlint.vocabulary.rules import Rule, find_rule

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PRECISION = {Certainty.CERTAIN: "very-high", Certainty.LIKELY: "high", Certainty.POSSIBLE: "medium"}
_PROBLEM = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}

_ROOT = "SRCROOT"
"""The name for the repository's folder (the current one outside of any), which relative paths start from."""


def report(findings: Sequence[Finding], sources: Sources) -> Iterator[str]:
    """One log with one run.  Files that could not be read are notifications of the run, the others results."""
    writer = _Writer(sources)
    results = [finding for finding in findings if finding.code != "JAX002"]
    unread = [finding for finding in findings if finding.code == "JAX002"]
    rules = sorted({finding.code for finding in results})
    marks = fingerprints(results, sources.lines, sources.repository)
    run = {
        "tool": {"driver": _driver(rules)},
        "invocations": [writer.invocation(unread)],
        "originalUriBaseIds": {_ROOT: {"uri": _folder_uri(sources.repository)}},
        "columnKind": "unicodeCodePoints",
        "results": [writer.result(finding, mark, rules) for finding, mark in zip(results, marks)],
    }
    yield json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _driver(codes: list[str]) -> dict[str, Any]:
    rules = [rule for rule in map(find_rule, codes) if rule is not None]
    driver = {"name": "jaxlint", "version": __version__, "rules": [_descriptor(rule) for rule in rules]}
    return driver | ({"informationUri": addresses.SITE} if addresses.SITE else {})


def _descriptor(rule: Rule) -> dict[str, Any]:
    """A rule with its card as help."""
    body = rule.body
    about = body.partition("## What it does\n")[2].partition("\n## ")[0].strip("\n")
    descriptor = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": about or rule.summary},
        "help": {"text": body, "markdown": body},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {
            "tags": ["jax", rule.family],
            "precision": _PRECISION[rule.certainty],
            "problem.severity": _PROBLEM[rule.severity],
        },
    }
    return descriptor | ({"helpUri": rule.url} if rule.url else {})


@dataclass
class _Writer:
    """Places and findings of one report."""

    sources: Sources

    def invocation(self, unread: list[Finding]) -> dict[str, Any]:
        notifications = [
            {
                "descriptor": {"id": finding.code},
                "level": "error",
                "message": {"text": finding.message},
                "locations": [{"physicalLocation": {"artifactLocation": self._artifact(finding.path)}}],
            }
            for finding in unread
        ]
        return {
            "executionSuccessful": not unread,
            "workingDirectory": {"uri": _folder_uri(self.sources.cwd)},
            "toolExecutionNotifications": notifications,
        }

    def result(self, finding: Finding, fingerprint: str, rules: list[str]) -> dict[str, Any]:
        result = {
            "ruleId": finding.code,
            "ruleIndex": rules.index(finding.code),
            "level": _LEVELS[finding.severity],
            "message": {"text": located(finding) + (f"\nhelp: {finding.help}" if finding.help else "")},
            "locations": [self._location(finding.location) | _definition(finding)],
            "partialFingerprints": {"jaxlint/v1": fingerprint},
            "properties": self._properties(finding),
        }
        if finding.related:
            result["relatedLocations"] = [
                {"id": number, **self._location(related.location, related.message)}
                for number, related in enumerate(finding.related)
            ]
            flows = [self._flow(finding, reason) for reason in finding.reasons]
            result["codeFlows"] = [{"threadFlows": [{"locations": flow}]} for flow in flows]
        if finding.fix and not finding.location.cell:
            result["fixes"] = [self._fix(finding.fix)]
        return result

    def _properties(self, finding: Finding) -> dict[str, Any]:
        row = data.row(finding)
        return {
            key: row[key] for key in ("name", "certainty", "origin", "verdict", "help", "cell") if row[key] is not None
        }

    def _flow(self, finding: Finding, reason: Reason) -> list[dict[str, Any]]:
        """One way to the finding: its steps, oldest first, and the place itself."""
        steps = [self._location(related.location, related.message) for related in reason]
        return [{"location": step} for step in (*steps, self._location(finding.location, finding.message))]

    def _fix(self, fix: Fix) -> dict[str, Any]:
        files: dict[str, list[Edit]] = {}
        for edit in sorted(fix.edits):
            files.setdefault(edit.location.path, []).append(edit)
        changes = [
            {
                "artifactLocation": self._artifact(path),
                "replacements": [
                    {"deletedRegion": _region(edit.location), "insertedContent": {"text": edit.content}}
                    for edit in edits
                ],
            }
            for path, edits in files.items()
        ]
        return {
            "description": {"text": fix.message},
            "artifactChanges": changes,
            "properties": {"applicability": fix.applicability.value},
        }

    def _location(self, place: Location, message: str | None = None) -> dict[str, Any]:
        physical = {"artifactLocation": self._artifact(place.path), "region": _region(in_file(place))}
        location: dict[str, Any] = {"physicalLocation": physical}
        return location if message is None else location | {"message": {"text": message}}

    def _artifact(self, path: str) -> dict[str, str]:
        inside = relative(path, self.sources.repository)
        if inside.startswith("../") or os.path.isabs(inside):
            return {"uri": _uri(path)}
        return {"uri": quote(os.fsencode(inside)), "uriBaseId": _ROOT}


def _definition(finding: Finding) -> dict[str, Any]:
    return {"logicalLocations": [{"fullyQualifiedName": finding.definition}]} if finding.definition else {}


def _region(place: Location) -> dict[str, int]:
    end_line, end_column = (place.end_line, place.end_column) if place.end_line else (place.line, place.column)
    return {"startLine": place.line, "startColumn": place.column, "endLine": end_line, "endColumn": end_column}


def _uri(path: str) -> str:
    slashed = path.replace(os.sep, "/")
    return "file://" + quote(os.fsencode(slashed if slashed.startswith("/") else f"/{slashed}"), safe="/:")


def _folder_uri(path: str) -> str:
    return _uri(path.rstrip("/\\") + "/")
