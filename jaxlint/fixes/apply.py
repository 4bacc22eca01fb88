"""Fixes onto a text: those that do not get in each other's way, in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jaxlint.findings import Edit, Finding, Fix
from jaxlint.fixes.source import Source
from jaxlint.project.documents import Document


def apply(document: Document, findings: Sequence[Finding]) -> tuple[str, list[Finding]]:
    """The document's text with the fixes of as many findings as possible, and the findings whose fixes are in it.

    Fixes that touch the same line wait for the next pass, since each was made for the text as it is; so do those
    after which the text would no longer be Python.
    """
    chosen = _without_conflicts(findings)
    text = edited(document, [finding.fix for finding in chosen if finding.fix])
    if _parses(document, text):
        return text, chosen
    kept: list[Finding] = []
    text = document.text
    for finding in chosen:
        attempt = edited(document, [other.fix for other in (*kept, finding) if other.fix])
        if _parses(document, attempt):
            kept.append(finding)
            text = attempt
    return text, kept


def edited(document: Document, fixes: Iterable[Fix]) -> str:
    """A document's text with these fixes, which must not overlap; an edit that several ask for is made once."""
    source = Source(document)
    text = document.text
    edits = {edit for fix in fixes for edit in fix.edits}
    for edit in sorted(edits, key=_start, reverse=True):
        start = source.offset(edit.location.line, edit.location.column)
        end = source.offset(edit.location.end_line, edit.location.end_column)
        text = text[:start] + edit.content + text[end:]
    return text


def _without_conflicts(findings: Sequence[Finding]) -> list[Finding]:
    """The findings with a fix, from the top, leaving out each that touches a line that one before it touches."""
    taken: dict[int, set[Edit]] = {}
    chosen: list[Finding] = []
    for finding in findings:
        edits = finding.fix.edits if finding.fix else ()
        if not edits or any(taken.get(line, {edit}) != {edit} for edit in edits for line in _lines(edit)):
            continue
        for edit in edits:
            for line in _lines(edit):
                taken.setdefault(line, set()).add(edit)
        chosen.append(finding)
    return chosen


def _lines(edit: Edit) -> range:
    return range(edit.location.line, edit.location.end_line + 1)


def _start(edit: Edit) -> tuple[int, int, int, int]:
    place = edit.location
    return (place.line, place.column, place.end_line, place.end_column)


def _parses(document: Document, text: str) -> bool:
    return Document(document.path, text).problem is None
