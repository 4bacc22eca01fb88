"""What the editor can do about findings: fixes, a comment that ignores one, a static argument, all fixes at once.

All of this runs in the worker's thread; the results are `CodeAction`s as plain data, but for their diagnostics.
"""

from __future__ import annotations

import difflib
import itertools
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from jaxlint.fixes import fix_for
from jaxlint.fixes.fixing import accepted, fix
from jaxlint.fixes.source import Source
from jaxlint.project.documents import Document
from jaxlint.project.layout import LINE_BREAK
from jaxlint.running.session import Session
from jaxlint.server.hover import transforms_of
from jaxlint.server.projects import Checked, Projects
from jaxlint.server.worker import Token
from jaxlint.silencing.ignoring import with_comments
from jaxlint.vocabulary.findings import Edit, Finding, Fix, Location

QUICK_FIX = "quickfix"
FIX_ALL = "source.fixAll.jaxlint"
FIX_ALL_IN_NOTEBOOK = "notebook.source.fixAll.jaxlint"
SHOW = "jaxlint.show"
"""The command that shows a place."""


def quick_fixes(projects: Projects, checked: Checked, finding: Finding, token: Token) -> list[dict[str, Any]]:
    """What can be done about one finding: the fix first, then what leaves the code's meaning to the user."""
    token.check()
    session = projects.session(checked.path)
    document = session.document(checked.path)
    actions = []
    mended = session.with_fix(checked.path, finding, list(checked.findings))
    fixes = [mended.fix, _static_argument(session, document, finding)]
    for number, one in enumerate({found.edits: found for found in fixes if found is not None}.values()):
        safe = one.applicability.is_safe
        title = one.message if safe else f"{one.message} (may change what the program means)"
        actions.append(
            {
                "title": title,
                "kind": QUICK_FIX,
                "isPreferred": safe and number == 0,
                "edit": workspace_edit(projects, one.edits),
            }
        )
    silenced = list(changes(document, with_comments(document, [finding])))
    if silenced:
        title = f"Disable {finding.name} for this line"
        actions.append({"title": title, "kind": QUICK_FIX, "edit": workspace_edit(projects, silenced)})
    for place in transforms_of(finding)[:1]:
        shown = projects.places(checked.path).location(place)
        command = {"title": "Show", "command": SHOW, "arguments": [shown["uri"], shown["range"]]}
        actions.append({"title": "Go to the transform that traces this", "kind": QUICK_FIX, "command": command})
    return actions


def fix_all(projects: Projects, path: str, token: Token) -> dict[str, Any] | None:
    """The edit that makes all fixes in a file, and those that then become possible; None when there is nothing to do,
    and for a text that does not parse, of which it could not be told whether they mend it.

    Raises Cancelled and ConfigurationError.
    """
    session = projects.session(path)
    if session.is_broken(path):
        return None
    before = session.document(path)
    unsafe = projects.options[projects.home(path)].unsafe_fixes
    real = os.path.realpath(path)

    def lint(documents: dict[str, Document]) -> list[Finding]:
        session.put(documents[real])
        return session.findings(path, token.is_called_off)

    try:
        fixed = fix(lint, {real: before}, accepted(unsafe))
    finally:
        session.put(before)
        if path not in projects.buffers:
            session.close(path)
    after = fixed.documents.get(real)
    return None if after is None else workspace_edit(projects, changes(before, after))


def workspace_edit(projects: Projects, edits: Iterable[Edit]) -> dict[str, Any]:
    """Edits of files as a `WorkspaceEdit`, each for the version of the text that it was made for."""
    documents: dict[tuple[str, int | None], list[dict[str, Any]]] = {}
    for edit in edits:
        place = edit.location
        where = projects.places(place.path).location(place)
        buffer = projects.buffers.get(place.path)
        version = buffer.parts[place.cell].version if buffer is not None else None
        documents.setdefault((where["uri"], version), []).append({"range": where["range"], "newText": edit.content})
    return {
        "documentChanges": [
            {"textDocument": {"uri": uri, "version": version}, "edits": some}
            for (uri, version), some in documents.items()
        ]
    }


def changes(before: Document, after: Document) -> Iterator[Edit]:
    """The lines that differ between two states of a file, as edits of the first."""
    for cell, new in after.parts.items():
        old = before.parts.get(cell, "")
        if old == new:
            continue
        ours, theirs = _lines(old), _lines(new)
        blocks = difflib.SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
        for kind, start, end, new_start, new_end in blocks:
            if kind != "equal":
                place = _between(before.path, ours, start, end, cell)
                yield Edit(place, "".join(theirs[new_start:new_end]))


def _lines(text: str) -> list[str]:
    """The lines with their breaks; the last has none and may be empty."""
    starts = [0, *(match.end() for match in LINE_BREAK.finditer(text)), len(text)]
    return [text[start:end] for start, end in itertools.pairwise(starts)]


def _between(path: str, lines: list[str], start: int, end: int, cell: int) -> Location:
    """The place of whole lines; the end of the text where it is behind the last."""

    def position(index: int) -> tuple[int, int]:
        return (index + 1, 1) if index < len(lines) else (len(lines), len(lines[-1]) + 1)

    return Location(path, *position(start), *position(end), cell=cell)


def _static_argument(session: Session, document: Document, finding: Finding) -> Fix | None:
    """The fix that makes the parameter which a finding is about static, whatever else could be done."""
    if finding.repair is None or not finding.repair.places or document.problem is not None:
        return None
    program = session.program(document.path)
    made = fix_for(Source(document), replace(finding.repair, kind="static_argument"))
    return None if made is None else program.placed(replace(finding, fix=made)).fix
