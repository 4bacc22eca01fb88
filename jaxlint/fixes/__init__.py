"""From what a check knows of a finding to a fix: edits of the text that mend it.

A check asks for a `Repair` by the name of a fixer, which is a module of `jaxlint.fixes.rewrites` with a function
`rewrite(source, repair) -> Fix`; it raises `CannotFix` for code that it does not know how to rewrite.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from jaxlint.fixes.source import CannotFix, Source
from jaxlint.project.documents import Document
from jaxlint.vocabulary.findings import Applicability, Certainty, Finding, Fix, Repair

__all__ = ["CannotFix", "Source", "with_fixes"]


MAX_ON_A_LINE = 20
"""More findings on a line are in no code that a person wrote; fixes on one line wait for each other anyway."""


def with_fixes(document: Document, findings: Iterable[Finding], among: Iterable[Finding] = ()) -> list[Finding]:
    """The findings in one document, each with its fix where there is one.

    ``among`` are other findings in the document, some of which may be mended by the same fix.
    """
    findings = list(findings)
    if document.problem is not None or all(finding.repair is None for finding in findings):
        return findings
    asked = (finding for finding in (*findings, *among) if not _may_be_meant(finding))
    source = Source(document, list(dict.fromkeys(finding.repair for finding in asked if finding.repair is not None)))
    fixed: list[Finding] = []
    on_line: Counter[int] = Counter()
    for finding in findings:
        on_line[finding.location.line] += 1
        if finding.repair is None or _may_be_meant(finding) or on_line[finding.location.line] > MAX_ON_A_LINE:
            fixed.append(finding)
            continue
        fixed.append(replace(finding, fix=_fix_of(finding, source.once(_made, (source, finding.repair)))))
    return fixed


def _may_be_meant(finding: Finding) -> bool:
    """Whether equal draws are only possibly a mistake, as in a test that compares them: that is left to its author."""
    if finding.repair is None or finding.repair.kind != "key_reuse":
        return False
    return finding.certainty is Certainty.POSSIBLE


def _made(asked: tuple[Source, Repair]) -> Fix | None:
    return fix_for(*asked)


def _fix_of(finding: Finding, fix: Fix | None) -> Fix | None:
    """The fix, unsafe where the finding itself rests on an assumption: it would break code that is right."""
    if fix is None or finding.certainty is Certainty.CERTAIN:
        return fix
    return replace(fix, applicability=Applicability.UNSAFE)


def fix_for(source: Source, repair: Repair) -> Fix | None:
    """The fix that a repair asks for, or None where the code is not of a form that its fixer knows."""
    try:
        return _fixer(repair.kind)(source, repair)
    except Exception:  # CannotFix, or a defect of a fixer, which costs the fix and must not cost the findings
        return None


def _fixer(kind: str) -> Callable[[Source, Repair], Fix]:
    rewrite: Callable[[Source, Repair], Fix] = importlib.import_module(f"jaxlint.fixes.rewrites.{kind}").rewrite
    return rewrite
