"""Findings for programs: ruff's JSON with more keys, as one list or one object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from jaxlint.vocabulary.findings import Finding, Location, Reason
from jaxlint.vocabulary.rules import find_rule

if TYPE_CHECKING:
    from jaxlint.flow.observers.call_graph import Call, Callee, Traces


def as_json(findings: Iterable[Finding]) -> str:
    """All findings as one JSON list."""
    return json.dumps([row(finding) for finding in findings], indent=2)


def as_json_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Each finding as a JSON object on a line of its own."""
    for finding in findings:
        yield json.dumps(row(finding))


def as_report(findings: Iterable[Finding], traces: Traces) -> str:
    """Findings and traces as one JSON object: `findings` as in the list, `traces` with the calls of each root."""
    roots = [
        {
            **_application(root.transforms, root.place),
            "function": _callee(root.function),
            "calls": list(map(_call, calls)),
        }
        for root, calls in traces.items()
    ]
    return json.dumps({"findings": [row(finding) for finding in findings], "traces": roots}, indent=2) + "\n"


def _call(call: Call) -> dict[str, Any]:
    applied = _application(call.transforms, call.place)
    return {**applied, "caller": _callee(call.caller), "callee": _callee(call.callee), "followed": call.followed}


def _application(transforms: tuple[str, ...], place: Location) -> dict[str, Any]:
    return {"cell": place.cell or None, "filename": place.path, "location": _start(place), "transforms": transforms}


def _callee(function: Callee) -> dict[str, Any]:
    place = function.location
    return {"cell": place.cell or None, "filename": place.path, "location": _start(place), "name": function.name}


def row(finding: Finding) -> dict[str, Any]:
    """One finding with ruff's keys, and what jaxlint knows beside them: `certainty`, `verdict` and more."""
    place = finding.location
    rule = find_rule(finding.code)
    return {
        "cell": place.cell or None,
        "certainty": finding.certainty.label,
        "code": finding.code,
        "definition": finding.definition,
        "end_location": _end(place),
        "filename": place.path,
        "fix": _fix(finding),
        "help": finding.help,
        "location": _start(place),
        "message": finding.message,
        "name": finding.name,
        "noqa_row": place.line,
        "origin": finding.origin,
        "other_reasons": [_steps(reason) for reason in finding.others],
        "other_reasons_left_out": finding.more,
        "related": _steps(finding.related),
        "severity": finding.severity.value,
        "url": rule.url if rule is not None else None,
        "verdict": _verdict(finding),
    }


def _steps(reason: Reason) -> list[dict[str, Any]]:
    return [
        {
            "cell": step.location.cell or None,
            "end_location": _end(step.location),
            "filename": step.location.path,
            "location": _start(step.location),
            "message": step.message,
        }
        for step in reason
    ]


def _fix(finding: Finding) -> dict[str, Any] | None:
    fix = finding.fix
    if fix is None:
        return None
    edits = [
        {"content": edit.content, "end_location": _end(edit.location), "location": _start(edit.location)}
        for edit in fix.edits
    ]
    return {"applicability": fix.applicability.value, "edits": edits, "message": fix.message}


def _verdict(finding: Finding) -> dict[str, Any] | None:
    verdict = finding.verdict
    if verdict is None:
        return None
    return {
        "assumptions": list(verdict.assumptions),
        "evidence": list(verdict.evidence),
        "jax": verdict.jax,
        "state": verdict.state.value,
    }


def _start(place: Location) -> dict[str, int]:
    return {"column": place.column, "row": place.line}


def _end(place: Location) -> dict[str, int]:
    """The end, or the start of a place that has no extent."""
    if place.end_line == 0:
        return _start(place)
    return {"column": place.end_column, "row": place.end_line}
