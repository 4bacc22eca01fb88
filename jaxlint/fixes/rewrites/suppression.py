"""`# jaxlint: ignore[JAX101, JAX401]` that silences one of them only becomes `# jaxlint: ignore[JAX101]`."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.fixes.source import CannotFix, Source
from jaxlint.project.layout import CannotEditError
from jaxlint.vocabulary.findings import Applicability, Edit, Fix, Repair


def rewrite(source: Source, repair: Repair) -> Fix:
    """Safe: a comment changes nothing, and what others read of it stays.

    Raises CannotFix where the file is none of plain Python and has no room for the edit.
    """
    place, text = repair.location, repair.fact("text") or ""
    start, end = source.offset(place.line, place.column), source.offset(place.end_line, place.end_column)
    if text:
        return Fix(f"Write `{text}`", Applicability.SAFE, (source.replace_range(start, end, text),))
    for first, last in _ranges(source, start, end):
        edit = Edit(source.place(first, last), "")
        if _fits(source, edit):
            return Fix("Remove the comment", Applicability.SAFE, (edit,))
    raise CannotFix


def _ranges(source: Source, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What may go with a comment, the best first: the white space around it, or the line that it stands on alone."""
    text, line = source.document.text, source.place(start, start).line
    first = source.offset(line, 1)
    last = first + len(source.document.lines[line - 1])
    before, behind = text[first:start], text[end:last]
    if behind.strip():  # another comment
        yield start, last - len(behind.lstrip())
        return
    if before.strip():
        yield first + len(before.rstrip()), last
        return
    if line < len(source.document.lines):
        yield first, source.offset(line + 1, 1)
    if line > 1:
        yield source.offset(line - 1, 1) + len(source.document.lines[line - 2]), last
    yield first, last


def _fits(source: Source, edit: Edit) -> bool:
    layout = source.document.layout
    if layout is None:
        return True
    try:
        layout.place_edit(edit)
    except CannotEditError:
        return False
    return True
