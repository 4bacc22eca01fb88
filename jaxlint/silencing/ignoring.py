"""Comments that silence findings, written into the files: `--add-ignore`.

A comment goes to the end of the finding's own line where one can stand, else of the next line of its statement that can
have one: not inside a string, not behind a backslash.  Names join a list that is already there.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable, Iterator, Sequence

from jaxlint.project.documents import Document
from jaxlint.project.layout import CannotEditError
from jaxlint.project.logical_lines import Comment, Statements, scan
from jaxlint.settings.resolved import ALWAYS_ON
from jaxlint.silencing.suppressions import DIRECTIVE, suppressions_in
from jaxlint.vocabulary.findings import Edit, Finding, Location

NEVER = ALWAYS_ON | {"JAX003"}
"""What no comment can silence, and comments that silence nothing: another comment is not what they need."""

_STRING_STARTS = {getattr(tokenize, name, None) for name in ("FSTRING_START", "TSTRING_START")} - {None}
_STRING_ENDS = {getattr(tokenize, name, None) for name in ("FSTRING_END", "TSTRING_END")} - {None}


def with_comments(document: Document, findings: Sequence[Finding], reason: str = "") -> Document:
    """The document with a comment for each finding in it that a comment can silence; itself when there is none.

    ``reason`` is a text of one line that new comments end in.
    """
    wanted = _by_line(document, findings)
    comments = {comment.line: comment for comment in scan(document.text)[0]}
    edits = (_edit(document, line, sorted(names), comments.get(line), reason) for line, names in wanted.items())
    placed = {edit: place for edit in edits if (place := _placed(document, edit)) is not None}
    made = document.with_edits(placed.values()) if placed else document
    return made if _is_same_program(document, made, placed) else document


def silenced(document: Document, findings: Iterable[Finding]) -> list[Finding]:
    """The findings, which are of this text or of one with fewer comments, that its comments silence."""
    suppressions = suppressions_in(document)
    return [
        finding
        for finding in findings
        if (place := document.virtual(finding.location)) is not None
        and any(entry.silences(finding.code, place.line) for entry in suppressions.entries)
    ]


def _placed(document: Document, edit: Edit) -> Edit | None:
    """An edit of the text as one of the file, if it can be made there."""
    try:
        return edit if document.layout is None else document.layout.place_edit(edit)
    except CannotEditError:
        return None


def _by_line(document: Document, findings: Sequence[Finding]) -> dict[int, set[str]]:
    """The names of rules for each line of the text that is to have a comment."""
    free = frozenset(_free_lines(document.text))
    statements = scan(document.text)[1]
    wanted: dict[int, set[str]] = {}
    for finding in findings:
        place = document.virtual(finding.location)
        if place is None or finding.code in NEVER:
            continue
        line = _line_for(place, statements, free)
        if line is not None:
            wanted.setdefault(line, set()).add(finding.name)
    return wanted


def _line_for(place: Location, statements: Statements, free: frozenset[int]) -> int | None:
    extent = statements.around(place.line)
    if extent is None:
        return None
    return next((line for line in range(place.line, extent[1] + 1) if line in free), None)


def _free_lines(text: str) -> Iterator[int]:
    """The lines at whose end a comment can stand: those where the tokenizer sees a line end."""
    inside = 0  # formatted strings, in whose fields older Pythons take no comments
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            inside += (token.type in _STRING_STARTS) - (token.type in _STRING_ENDS)
            if token.type in (tokenize.NEWLINE, tokenize.NL) and not inside:
                yield token.start[0]
    except (tokenize.TokenError, SyntaxError):
        return


def _edit(document: Document, line: int, names: list[str], comment: Comment | None, reason: str) -> Edit:
    """Put names into the list of the line's comment, or a comment behind what the line has."""
    written = f"# jaxlint: ignore[{', '.join(names)}]{f' {reason}' if reason else ''}"
    for found in DIRECTIVE.finditer(comment.text) if comment is not None else ():
        if comment is None or found["verb"] != "ignore" or not found["list"]:
            continue
        if not found["closed"]:  # it would swallow what stands behind it
            place = Location(document.path, line, comment.column + 1, line, comment.column + 1)
            return Edit(place, f"{written}  ")
        known = [name.strip() for name in found["codes"].split(",") if name.strip()]
        start, end = (comment.column + 1 + column for column in found.span("codes"))
        place = Location(document.path, line, start, line, end)
        return Edit(place, ", ".join([*known, *(name for name in names if name not in known)]))
    text = document.lines[line - 1]
    place = Location(document.path, line, len(text.rstrip()) + 1, line, len(text) + 1)
    return Edit(place, f"  {written}")


def _is_same_program(before: Document, after: Document, edits: Iterable[Edit]) -> bool:
    """Whether two texts are the same but for comments, and the second can be written.

    A file that is broken elsewhere is compared by the text that is judged in its place, which has the ``edits`` too.
    """
    tree = after.tree
    if tree is None and before.with_edits(()).tree is None:
        tree = Document(before.path, before.text).with_edits(edits).tree
    if before.tree is None or tree is None:
        return False
    try:
        after.data()
    except UnicodeEncodeError:
        return False
    return before is after or ast.dump(before.tree) == ast.dump(tree)
