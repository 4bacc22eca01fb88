"""Rule cards for the terminal and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from jaxlint.vocabulary.rules import Rule


def full(rules: Iterable[Rule]) -> Iterator[str]:
    """Each rule's page, Markdown as it is."""
    for rule in rules:
        yield rule.body.rstrip()
        yield ""
        if rule.is_preview:
            yield "This rule is in preview: it is on with `--preview`, or `preview = true` in the configuration."
            yield ""


def listing(rules: Iterable[Rule]) -> Iterator[str]:
    """A line for each rule: code, name, certainty and severity, and whether it is in preview."""
    rules = list(rules)
    margin = max((len(rule.name) for rule in rules), default=0)
    first = max((len(rule.code) for rule in rules), default=0)
    for rule in rules:
        told = f"{rule.code:<{first}}  {rule.name:<{margin}}  {rule.certainty.label:<8}  {rule.severity.value}"
        yield f"{told:<{margin + first + 21}}  preview" if rule.is_preview else told


def as_json(rules: Iterable[Rule], single: bool) -> str:
    """The rules as a JSON list, or a single one as an object."""
    rows = [_row(rule) for rule in rules]
    return json.dumps(rows[0] if single else rows, indent=2)


def _row(rule: Rule) -> dict[str, Any]:
    return {
        "code": rule.code,
        "name": rule.name,
        "family": rule.family,
        "summary": rule.summary,
        "certainty": rule.certainty.label,
        "severity": rule.severity.value,
        "fix": rule.fix,
        "dynamic": rule.dynamic,
        "since": rule.since,
        "stability": rule.stability,
        "explanation": rule.body,
        "url": rule.url,
    }
