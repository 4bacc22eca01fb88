"""Fixes onto a text: those that do not get in each other's way, in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jaxlint.project.documents import Document
from jaxlint.vocabulary.findings import Edit, Finding, Fix


def apply(document: Document, findings: Sequence[Finding]) -> tuple[Document, list[Finding]]:
    """The document with the fixes of as many findings as possible, and the findings whose fixes are in it.

    Fixes that touch the same line wait for the next pass, since each was made for the text as it is; so do those
    after which the text would no longer be Python.
    """
    chosen = _without_conflicts(findings)
    made = edited(document, [finding.fix for finding in chosen if finding.fix])
    if made.problem is None:
        return made, chosen
    kept = _harmless(document, chosen)
    return edited(document, [finding.fix for finding in kept if finding.fix]), kept


def _harmless(document: Document, findings: Sequence[Finding], beside: Sequence[Finding] = ()) -> list[Finding]:
    """The findings after whose fixes, together with those ``beside`` them, the text is Python."""
    if edited(document, [finding.fix for finding in (*beside, *findings) if finding.fix]).problem is None:
        return list(findings)
    if len(findings) <= 1:
        return []
    half = len(findings) // 2
    first = _harmless(document, findings[:half], beside)
    return [*first, *_harmless(document, findings[half:], (*beside, *first))]


def edited(document: Document, fixes: Iterable[Fix]) -> Document:
    """A document with these fixes, which must not overlap; an edit that several ask for is made once."""
    return document.with_edits(sorted({edit for fix in fixes for edit in fix.edits}))


def _without_conflicts(findings: Sequence[Finding]) -> list[Finding]:
    """The findings with a fix, from the top, without those that touch a line that another one before them touches."""
    taken: dict[tuple[int, int], set[Edit]] = {}
    chosen: list[Finding] = []
    made: set[tuple[Edit, ...]] = set()
    for finding in findings:
        edits = finding.fix.edits if finding.fix else ()
        if edits in made:
            chosen.append(finding)
            continue
        if not edits or any(taken.get(line, {edit}) != {edit} for edit in edits for line in _lines(edit)):
            continue
        for edit in edits:
            for line in _lines(edit):
                taken.setdefault(line, set()).add(edit)
        chosen.append(finding)
        made.add(edits)
    return chosen


def _lines(edit: Edit) -> list[tuple[int, int]]:
    place = edit.location
    return [(place.cell, line) for line in range(place.line, place.end_line + 1)]
