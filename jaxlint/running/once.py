"""One run: which files are asked for, the programs they belong to, and what of the findings in them is shown."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jaxlint.files.reading import reason_of
from jaxlint.project.concern import concerns_jax
from jaxlint.project.discovery import Excludes, expand_arguments, python_files
from jaxlint.project.documents import Document, document_from_bytes, unreadable
from jaxlint.project.layout import Layout
from jaxlint.project.pairs import texts_of
from jaxlint.project.program import Program, group_by_root, load_program
from jaxlint.settings.configuration import Configuration
from jaxlint.settings.resolved import Settings
from jaxlint.silencing.identity import Identity, beyond, identities
from jaxlint.silencing.suppressions import may_suppress, suppressions_in
from jaxlint.vocabulary.findings import Finding, Location, Reason

if TYPE_CHECKING:
    from jaxlint.flow.domain.met import Met
    from jaxlint.flow.observers.call_graph import CallGraph


@dataclass
class Run:
    """One run of the linter: which files are asked for, the programs they belong to, and the documents read.

    ``documents`` are by real path; a buffer that stands for a file is among them from the start.  ``closed`` are
    findings about folders that cannot be looked into, ``problems`` lines about files beside the sources that cannot be
    read.  ``met``, if there is one, gets the limits that were met in the files.
    """

    configuration: Configuration
    files: list[str]
    folders: list[str]
    documents: dict[str, Document] = field(default_factory=dict)
    closed: list[Finding] = field(default_factory=list)
    problems: dict[str, None] = field(default_factory=dict)
    met: Met | None = None

    @classmethod
    def over(
        cls,
        paths: list[str],
        configuration: Configuration,
        buffers: Mapping[str, bytes] | None = None,
        force_exclude: bool = False,
    ) -> Run:
        """A run over paths, and over buffers by the name of the file they stand for.

        ``force_exclude`` leaves out even files that are named, when they are excluded.
        Raises MissingPathError and ConfigurationError.
        """
        named = expand_arguments(paths, configuration.cwd)
        folders = [path for path in named if os.path.isdir(path)]
        run = cls(configuration, [], folders)
        excludes: list[Excludes] = []

        def excludes_in(folder: str) -> Excludes:
            excludes.append(Excludes.of(configuration.settings_for(folder)))
            return excludes[-1]

        run.files = python_files(named, excludes_in, run._note_closed)
        run.problems.update(dict.fromkeys(problem for each in excludes for problem in each.problems))
        for name, data in (buffers or {}).items():
            path = os.path.normpath(os.path.join(configuration.cwd, name))
            run.documents[os.path.realpath(path)] = document_from_bytes(path, data)
            run.files = sorted({*run.files, path})
        if force_exclude:
            run.files = [path for path in run.files if not run.is_excluded(path)]
        return run

    def _note_closed(self, folder: str, error: OSError) -> None:
        problem = unreadable(folder, reason_of(error), "folder")
        self.documents[os.path.realpath(folder)] = Document(folder, "", problem)
        if self.configuration.settings_for(os.path.dirname(folder)).enables("JAX002", folder):
            self.closed.append(problem)

    def is_excluded(self, path: str) -> bool:
        """Whether a walk from the configuration's folder (or the current one) down to the file would leave it out."""
        settings = self.configuration.settings_for(os.path.dirname(path))
        return Excludes.of(settings).exclude_below(settings.root or self.configuration.cwd, path)

    def programs(self) -> Iterator[Program]:
        """The programs that the files belong to, each read in full.  Raises ConfigurationError."""
        for root, files in group_by_root(self.files, self.folders).items():
            yield load_program(root, self.configuration.settings_for(root), files, self.documents)

    def findings(
        self, refine: Refine | None = None, graph: CallGraph | None = None, fixes: bool = True
    ) -> list[Finding]:
        """What is to be shown, sorted.

        ``refine`` may judge and add findings before any is left out; ``graph`` is told what is traced by what; without
        ``fixes`` none is made, for those who do not show them.
        """
        found = list(self.closed)
        for program in self.programs():
            found += findings_of(program, refine, graph, fixes, self.met)
            self.problems.update(dict.fromkeys(program.problems))
        return sorted(found, key=Finding.sort_key)


Refine = Callable[[Program, list[Finding], list[Location]], list[Finding]]
"""From a program, the findings in its requested files and the functions in them that run under a trace, to findings."""


def findings_of(
    program: Program,
    refine: Refine | None = None,
    graph: CallGraph | None = None,
    fixes: bool = True,
    met: Met | None = None,
) -> list[Finding]:
    """The findings in a program's requested files that its settings and the files' comments leave."""
    found: list[Finding] = []
    traced: set[Location] | None = None if refine is None else set()
    if concerns_jax(program):
        from jaxlint.checks.run import analyse
        from jaxlint.flow.domain.met import Met

        everywhere = None if met is None else Met()
        found = analyse(program, program.settings, traced=traced, graph=graph, met=everywhere)
        if met is not None and everywhere is not None:
            met.add(everywhere, {program.by_path[real].document.path for real in program.requested})
    if refine is not None and traced is not None:
        found = refine(program, _worth_proving(program, found), sorted(_requested(program, traced)))
    raw: dict[str, list[Finding]] = {}
    for finding in found:
        raw.setdefault(finding.path, []).append(finding)
    shown: list[Finding] = []
    told = told_in_texts(program, program.requested, lambda path: raw.get(path, []))
    for real, asked in program.requested.items():
        document = program.by_path[real].document
        findings = shown_in(program, document, raw.get(document.path, []), fixes, told.get(real))
        # A file reached through a link is analysed under one path and reported under the one asked for.
        shown += findings if asked == document.path else [finding.at(asked) for finding in findings]
    return shown


def _requested(program: Program, places: Iterable[Location]) -> Iterator[Location]:
    return (place for place in places if os.path.realpath(place.path) in program.requested)


def _worth_proving(program: Program, findings: list[Finding]) -> list[Finding]:
    """The findings that settings let through, in the files that were asked for."""
    settings = program.settings
    return [
        finding
        for finding in findings
        if finding.certainty >= settings.certainty
        and settings.enables(finding.code, finding.path)
        and os.path.realpath(finding.path) in program.requested
    ]


def _fixable(
    document: Document, findings: list[Finding], settings: Settings, among: list[Finding] | None = None
) -> list[Finding]:
    """The findings in one document, those of rules that may be fixed with their fixes; ``among`` are the others."""
    if not any(finding.repair is not None for finding in findings):
        return findings
    from jaxlint.fixes import with_fixes

    allowed = [f if settings.may_fix(f.code) else replace(f, repair=None) for f in findings]
    return with_fixes(document, allowed, [f for f in among or () if settings.may_fix(f.code)])


def _is_meant(layout: Layout, finding: Finding) -> bool:
    """Whether a finding is about what its author shows on purpose, or about two examples that are not one program.

    What an example imports and defines counts for the next ones; what it does with a key or a global does not.
    """
    line = finding.location.line
    if layout.expects_error(line):
        return True
    if layout.shows != "all" or not finding.code.startswith(("JAX108", "JAX4")):
        return False
    return not any(_is_of_one_example(layout, finding, reason) for reason in finding.reasons)


def _is_of_one_example(layout: Layout, finding: Finding, reason: Reason) -> bool:
    steps = (step.location.line for step in reason if step.location.path == finding.path)
    return all(layout.are_together(*sorted((step, finding.location.line))) for step in steps)


def with_fix(program: Program, document: Document, finding: Finding, shown: list[Finding]) -> Finding:
    """A finding that `shown_in` gave without its fix, with it where there is one; ``shown`` are all that it gave."""
    (made,) = _fixable(document, [finding], program.settings, shown)
    return finding if made.fix is None else replace(finding, fix=program.placed(made).fix)


def told_in_texts(
    program: Program, asked: Iterable[str], findings: Callable[[str], list[Finding]]
) -> dict[str, Counter[Identity]]:
    """What is told of notebooks in the texts that they are kept as, too: by the notebooks' real paths, where both are
    among the files asked for.  What comments silence in the text is told there."""
    known: dict[str, Counter[Identity]] = {}
    for real, text in texts_of(program, asked).items():
        said = _said(program, text.document, findings(text.path), silenced=True)
        known[real] = Counter(_marks(text.document, said))
    return known


def _marks(document: Document, findings: Iterable[Finding]) -> list[Identity]:
    """What findings of a text are called, in whichever file the text is."""
    marks = identities(findings, lambda place: document.lines, os.path.dirname(document.path))
    return [replace(mark, path="") for mark in marks]


def shown_in(
    program: Program,
    document: Document,
    findings: list[Finding],
    fixes: bool = True,
    told: Counter[Identity] | None = None,
) -> list[Finding]:
    """Of all findings in a file, those that its comments and the settings leave, with those about the comments.

    They have their fixes, unless those are not wanted.  Until here places are those in the documents' texts, from here
    on those in the files.  What is ``told`` of another file with the same code is left out.
    """
    kept = _said(program, document, findings)
    if told:
        kept = beyond(kept, _marks(document, kept), told)
    return [program.placed(finding) for finding in (_fixable(document, kept, program.settings) if fixes else kept)]


def _said(program: Program, document: Document, findings: list[Finding], silenced: bool = False) -> list[Finding]:
    """What the settings and, but for ``silenced``, comments leave of the findings, and what there is to say of them."""
    settings = program.settings
    if document.layout is not None:
        findings = [finding for finding in findings if not _is_meant(document.layout, finding)]
    if document.problem is not None:
        findings = [document.problem]
    elif findings or may_suppress(document.text):
        suppressions = suppressions_in(document)
        kept = suppressions.keep(findings)
        kept += suppressions.problems(settings, document.path)
        findings = findings + kept if silenced else kept
    return [
        finding
        for finding in sorted(set(findings), key=Finding.sort_key)
        if finding.certainty >= settings.certainty and settings.enables(finding.code, document.path)
    ]
