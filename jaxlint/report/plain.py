"""A finding in plain lines, for formats that have one field of text for all there is to say."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.report.source import Sources, printable
from jaxlint.report.text import Paint, verdict_lines
from jaxlint.vocabulary.findings import Finding


def located(finding: Finding) -> str:
    """The message, in a notebook with the place that a format of lines and columns cannot say."""
    place = finding.location
    return f"cell {place.cell}, line {place.line}: {finding.message}" if place.cell else finding.message


def explained(finding: Finding, sources: Sources) -> Iterator[str]:
    """The message, then why, what tracing says, and what to do."""
    yield printable(located(finding))
    for related in finding.related:
        yield f"note: {printable(related.message)} ({printable(sources.shown_place(related.location))})"
    if finding.other_ways:
        yield f"note: {finding.other_ways}"
    if finding.verdict is not None:
        yield from verdict_lines(finding.verdict, Paint(False))
    if finding.help:
        yield f"help: {printable(finding.help)}"
