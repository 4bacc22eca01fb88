"""`--fix`: lint, apply what can be applied, lint again, until nothing is left to do; then write the files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from jaxlint.findings import Applicability, Finding
from jaxlint.fixes.apply import apply
from jaxlint.project.documents import Document
from jaxlint.project.writing import replace_file

MAX_PASSES = 50
"""More passes than any file should need: fixes on neighbouring lines and fixes of what a fix has left take one each."""

Lint = Callable[[dict[str, Document]], list[Finding]]
"""The findings, with their fixes, when these documents, by real path, stand for their files."""


@dataclass
class Fixed:
    """What `fix` has done: ``documents`` as they now are and as they ``were``, by real path, ``applied`` findings."""

    documents: dict[str, Document] = field(default_factory=dict)
    were: dict[str, Document] = field(default_factory=dict)
    applied: list[Finding] = field(default_factory=list)
    left: list[Finding] = field(default_factory=list)


def fix(lint: Lint, documents: dict[str, Document], accepts: Callable[[Finding], bool]) -> Fixed:
    """Applies the fixes that ``accepts`` lets through to ``documents`` (all that were read), to a fixed point.

    ``documents`` is changed in place; nothing is written.
    """
    result = Fixed()
    for _ in range(MAX_PASSES):
        result.left = lint(documents)
        changed = False
        for real, findings in _by_file(result.left, accepts):
            document = documents[real]
            made, applied = apply(document, findings)
            if not applied or made.data() == document.data():
                continue
            changed = True
            result.were.setdefault(real, document)
            result.documents[real] = documents[real] = made
            result.applied += applied
        if not changed:
            break
    return result


def write(result: Fixed) -> Iterator[tuple[str, str]]:
    """Writes what was changed; yields real path and reason of each file that could not be."""
    for real, document in sorted(result.documents.items()):
        try:
            with open(real, "rb") as file:
                now = file.read()
            if now != result.were[real].data():
                yield real, "it was changed while it was linted"
                continue
            replace_file(real, document.data())
        except OSError as error:
            yield real, error.strerror or type(error).__name__


def accepted(unsafe: bool) -> Callable[[Finding], bool]:
    """Lets fixes through by their applicability."""
    return lambda finding: finding.fix is not None and (unsafe or finding.fix.applicability is Applicability.SAFE)


def _by_file(findings: list[Finding], accepts: Callable[[Finding], bool]) -> Iterator[tuple[str, list[Finding]]]:
    files: dict[str, list[Finding]] = {}
    for finding in findings:
        if accepts(finding):
            files.setdefault(os.path.realpath(finding.path), []).append(finding)
    yield from files.items()
