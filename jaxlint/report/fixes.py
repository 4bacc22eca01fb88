"""What `--fix` did, or would do, for people."""

from __future__ import annotations

import difflib
import os
import re
from collections import Counter
from collections.abc import Iterator

from jaxlint.fixes.fixing import Fixed
from jaxlint.report.source import Sources, printable


def diff(fixed: Fixed, sources: Sources) -> Iterator[str]:
    """The lines of a unified diff that `patch` and `git apply` take; for a notebook, one for each cell."""
    for real, document in sorted(fixed.documents.items()):
        path = sources.shown_path(document.path).replace(os.sep, "/")
        before = fixed.were[real].parts
        for cell, after in document.parts.items():
            name = f"{path}:cell {cell}" if cell else path
            yield from diff_of(before.get(cell, ""), after, name)


def diff_of(before: str, after: str, name: str) -> Iterator[str]:
    """The lines of a unified diff of one text; none where it has not changed."""
    # A diff's line ends at a line feed; a carriage return is a part of the line, as for git.
    for line in difflib.unified_diff(_lines(before), _lines(after), name, name):
        yield line.removesuffix("\n")
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+$", text)


def would_fix(fixed: Fixed) -> str:
    """The last line of `--diff`."""
    count = len(fixed.applied)
    return f"Would fix {count} error{'s' if count > 1 else ''}." if count else "No errors would be fixed."


def listing(fixed: Fixed, sources: Sources) -> Iterator[str]:
    """What was fixed, by file and rule."""
    if not fixed.applied:
        return
    count = len(fixed.applied)
    yield f"Fixed {count} error{'s' if count > 1 else ''}:"
    files: dict[str, Counter[tuple[str, str]]] = {}
    for finding in fixed.applied:
        files.setdefault(finding.path, Counter())[(finding.code, finding.name)] += 1
    for path, rules in sorted(files.items()):
        yield f"- {printable(sources.shown_path(path))}:"
        for (code, name), times in sorted(rules.items()):
            yield f"    {times} x {code} ({name})"
    yield ""
