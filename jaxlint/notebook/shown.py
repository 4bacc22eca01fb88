"""What there is to show of one finding, for whoever draws it: the finding, and what its fix changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from jaxlint.project.documents import Document
from jaxlint.project.layout import spliced, splices
from jaxlint.report.fixes import diff_of
from jaxlint.report.source import Sources
from jaxlint.report.text import Paint, full
from jaxlint.vocabulary.findings import Edit, Finding, Fix


class Shown(NamedTuple):
    """A finding and the lines of a diff, none where there is no fix; the diff's names are those of the cells."""

    finding: Finding
    diff: tuple[str, ...]


def shown(finding: Finding, document: Document) -> Shown:
    """The finding with what its fix, if it has one, makes of the cells."""
    return Shown(finding, tuple(_diff(document, finding.fix)) if finding.fix is not None else ())


def _diff(document: Document, fix: Fix) -> Iterator[str]:
    by_cell: dict[int, list[Edit]] = {}
    for edit in fix.edits:
        by_cell.setdefault(edit.location.cell, []).append(edit)
    for cell, edits in sorted(by_cell.items()):
        before = document.parts.get(cell, "")
        after = spliced(before, splices(before, sorted(set(edits))))
        yield from diff_of(_ended(before), _ended(after), f"In[{cell}]")


def _ended(text: str) -> str:
    """The text with a line feed at its end, which cells have none of, and no diff need say so."""
    return text if text.endswith("\n") else text + "\n"


def plain_lines(found: Iterable[Shown], sources: Sources, paint: Paint) -> Iterator[str]:
    """The findings as in a terminal, each with the diff of its fix."""
    for finding, diff in found:
        yield from list(full([replace(finding, fix=None)], sources, paint))[:-1]
        if finding.fix is not None and diff:
            yield f"{paint('help', 'fix')}: {fix_title(finding.fix)}"
            yield from diff
        yield ""


def fix_title(fix: Fix) -> str:
    """What a fix does, and whether it needs a reader."""
    return fix.message if fix.applicability.is_safe else f"{fix.message} (may change what the program means)"
