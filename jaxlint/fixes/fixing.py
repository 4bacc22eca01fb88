"""`--fix`: lint, apply what can be applied, lint again, until nothing is left to do; then write the files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from jaxlint.files.reading import read_file, reason_of
from jaxlint.files.writing import replace_file
from jaxlint.fixes.apply import apply
from jaxlint.project.documents import MAX_NOTEBOOK_BYTES, Document
from jaxlint.vocabulary.findings import Applicability, Finding

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

    ``documents`` is changed in place; nothing is written.  A fix that brings its
    rules no further in its definition is taken back, and is not tried again before something else has changed.
    What is left in the end has been tried: it is not said to have a fix of this kind any more.
    """
    result = Fixed()
    given_up: set[_Claim] = set()
    last: list[_Pass] = []
    result.left = lint(documents)
    for _ in range(MAX_PASSES):
        if idle := _undo(result, documents, last):
            given_up |= idle
            result.left = lint(documents)
        else:
            given_up.clear()
        last = [
            step
            for real, findings in _by_file(result.left, accepts).items()
            if (step := _pass(documents[real], real, [f for f in findings if _claim(f) not in given_up])) is not None
        ]
        for step in last:
            result.were.setdefault(step.real, step.before)
            result.documents[step.real] = documents[step.real] = step.after
            result.applied += step.applied
        if not last:
            break
        before = _standing(result.left, documents | {step.real: step.before for step in last})
        result.left = lint(documents)
        after = _standing(result.left, documents)
        last = [replace(step, idle=_idle(step, before, after)) for step in last]
    _drop_unchanged(result)
    result.left = [replace(finding, fix=None) if accepts(finding) else finding for finding in result.left]
    return result


_Claim = tuple[str, str, str]
"""The path, the rule or the family of rules, and the definition of a finding."""


@dataclass(frozen=True)
class _Pass:
    """One file's share of a pass; ``idle`` are the claims that it brought no further."""

    real: str
    before: Document
    after: Document
    applied: list[Finding]
    idle: frozenset[_Claim] = frozenset()


def _pass(document: Document, real: str, findings: list[Finding]) -> _Pass | None:
    made, applied = apply(document, findings)
    if not applied or made.data() == document.data():
        return None
    return _Pass(real, document, made, applied)


def _claim(finding: Finding) -> _Claim:
    # A key that is reused goes from rule to rule; of the other families each rule is a step on the way.
    rules = finding.code[:4] if finding.code.startswith("JAX4") else finding.code
    return (os.path.realpath(finding.path), rules, finding.definition)


_Standing = Mapping[_Claim, list[int]]


def _standing(findings: list[Finding], documents: Mapping[str, Document]) -> _Standing:
    """How many lines from the end of its file each finding is, the first finding of a claim first.

    What is put in above a finding does not move it.  So a list that is smaller than an earlier one, as lists compare,
    means that the first finding is gone, or is further down; a fix that only leads its rule to the line that it has
    put in makes the list greater.
    """
    standing: dict[_Claim, list[int]] = {}
    for finding in findings:
        document = documents[os.path.realpath(finding.path)]
        place = document.virtual(finding.location) or finding.location
        standing.setdefault(_claim(finding), []).append(len(document.lines) - place.line)
    return {claim: sorted(lines, reverse=True) for claim, lines in standing.items()}


def _idle(step: _Pass, before: _Standing, after: _Standing) -> frozenset[_Claim]:
    """The claims of a pass with no fewer findings than before, and none of them further down."""
    return frozenset(
        claim
        for claim in map(_claim, step.applied)
        if len(now := after.get(claim, [])) >= len(before[claim]) and now >= before[claim]
    )


def _undo(result: Fixed, documents: dict[str, Document], last: list[_Pass]) -> set[_Claim]:
    """Takes back what a pass did to files in which some fix was of no use; returns the claims that are given up."""
    given_up: set[_Claim] = set()
    for step in last:
        if step.idle:
            given_up |= step.idle
            result.documents[step.real] = documents[step.real] = step.before
            taken_back = {id(finding) for finding in step.applied}
            result.applied = [finding for finding in result.applied if id(finding) not in taken_back]
    return given_up


def _drop_unchanged(result: Fixed) -> None:
    for real, document in list(result.documents.items()):
        if document.data() == result.were[real].data():
            del result.documents[real], result.were[real]


def write(result: Fixed) -> Iterator[tuple[str, str]]:
    """Writes what was changed; yields real path and reason of each file that could not be."""
    for real, document in sorted(result.documents.items()):
        try:
            if read_file(real, MAX_NOTEBOOK_BYTES) != result.were[real].data():
                yield real, "it was changed while it was linted"
                continue
            replace_file(real, document.data())
        except OSError as error:
            yield real, reason_of(error)


def accepted(unsafe: bool) -> Callable[[Finding], bool]:
    """Lets fixes through by their applicability."""
    return lambda finding: finding.fix is not None and (unsafe or finding.fix.applicability is Applicability.SAFE)


def _by_file(findings: list[Finding], accepts: Callable[[Finding], bool]) -> dict[str, list[Finding]]:
    files: dict[str, list[Finding]] = {}
    for finding in findings:
        if accepts(finding):
            files.setdefault(os.path.realpath(finding.path), []).append(finding)
    return files
