"""One run: which files are asked for, the programs they belong to, and what of the findings in them is shown."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
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
from jaxlint.settings.own_rules import installed_rules, not_run
from jaxlint.settings.resolved import Settings
from jaxlint.silencing.identity import Identity, beyond, identities
from jaxlint.silencing.suppressions import may_suppress, suppressions_in
from jaxlint.vocabulary.findings import Certainty, Finding, Location, Reason
from jaxlint.vocabulary.work import (
    FINDING_FILES,
    FOLLOWING,
    LOADING,
    OWN_RULES,
    REMEMBERING,
    SETTLING,
    SILENT,
    TRACING,
    Work,
)

if TYPE_CHECKING:
    from jaxlint.checks.spread import Crew
    from jaxlint.checks.units import Kept
    from jaxlint.flow.domain.met import Met
    from jaxlint.flow.observers.call_graph import CallGraph
    from jaxlint.running.memory import Memory
    from jaxlint.visitors.own import OwnChecks


@dataclass
class Run:
    """One run of the linter: which files are asked for, the programs they belong to, and the documents read.

    ``documents`` are by real path; a buffer that stands for a file is among them from the start.  ``closed`` are
    findings about folders that cannot be looked into, ``problems`` lines about files beside the sources that cannot be
    read, ``excluding`` the patterns that have left something out.  ``met``, if there is one, gets the limits that were
    met in the files that were analysed.  With a ``memory`` what an earlier run found in the very same program is not
    looked for again.  ``work`` hears what is being done, a ``crew`` does it, if there is one.
    """

    configuration: Configuration
    files: list[str]
    folders: list[str]
    documents: dict[str, Document] = field(default_factory=dict)
    closed: list[Finding] = field(default_factory=list)
    problems: dict[str, None] = field(default_factory=dict)
    excluding: set[str] = field(default_factory=set)
    met: Met | None = None
    memory: Memory | None = None
    work: Work = SILENT
    crew: Crew | None = None
    _units: int = 0  # that were kept when Ctrl-C came

    @classmethod
    def over(
        cls,
        paths: list[str],
        configuration: Configuration,
        buffers: Mapping[str, bytes] | None = None,
        force_exclude: bool = False,
        work: Work = SILENT,
    ) -> Run:
        """A run over paths, and over buffers by the name of the file they stand for.

        ``force_exclude`` leaves out even files that are named, when they are excluded.
        Raises MissingPathError and ConfigurationError.
        """
        work.stage(FINDING_FILES)
        named = expand_arguments(paths, configuration.cwd)
        folders = [path for path in named if os.path.isdir(path)]
        run = cls(configuration, [], folders, work=work)
        excludes: list[Excludes] = []

        def excludes_in(folder: str) -> Excludes:
            excludes.append(Excludes.of(configuration.settings_for(folder)))
            return excludes[-1]

        run.files = python_files(named, excludes_in, run._note_closed)
        run.problems.update(dict.fromkeys(problem for each in excludes for problem in each.problems))
        run.excluding = {pattern for each in excludes for pattern in each.used}
        for name, data in (buffers or {}).items():
            path = os.path.normpath(os.path.join(configuration.cwd, name))
            run.documents[os.path.realpath(path)] = document_from_bytes(path, data)
            run.files = sorted({*run.files, path})
        if force_exclude:
            run.files = [path for path in run.files if not run.is_excluded(path)]
        _tell_files(run.files, work)
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
            settings = self.configuration.settings_for(root)
            yield load_program(root, settings, files, self.documents, self.work, self.folders)

    def findings(
        self, refine: Refine | None = None, graph: CallGraph | None = None, fixes: bool = True
    ) -> list[Finding]:
        """What is to be shown, sorted.

        ``refine`` may judge and add findings before any is left out; ``graph`` is told what is traced by what; without
        ``fixes`` none is made, for those who do not show them.  Raises Interrupted on Ctrl-C.
        """
        found = list(self.closed)
        kept = 0
        try:
            for program in self.programs():
                self.work.told(_described(program))
                if self.work.hears_all:
                    self.work.told(f"settings from {self.configuration.file_for(program.root) or 'no file'}")
                if self.memory is None or refine is not None or graph is not None:
                    found += findings_of(program, refine, graph, fixes, self.met, self.work, self.crew)
                else:
                    found += self._remembered(self.memory, program, fixes)
                    kept += 1
                self.problems.update(dict.fromkeys((*program.problems, *not_run(program.settings.untrusted))))
        except KeyboardInterrupt:
            lasts = self.memory is not None and self.memory.lasts
            raise Interrupted(self.work.doing, *((kept, self._units) if lasts else (0, 0))) from None
        finally:
            self.work.end()
        return sorted(found, key=Finding.sort_key)

    def _remembered(self, memory: Memory, program: Program, fixes: bool) -> list[Finding]:
        self.work.stage(REMEMBERING)
        known = memory.recall(program, fixes)
        if known is not None:
            self.work.told("the findings are those of an earlier run: nothing has changed since")
            return known
        self.work.told("there are no findings of an earlier run, or something has changed since")
        units = memory.units(program)
        try:
            found = findings_of(program, fixes=fixes, met=self.met, work=self.work, crew=self.crew, kept=units)
        except KeyboardInterrupt:
            self._units = units.count if units is not None else 0
            raise
        finally:
            if units is not None:
                units.write()
        memory.keep(program, fixes, found)
        return found


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while a run was ``doing`` something; the next run will know what was found in ``kept`` programs, and in so
    many modules (``units``) of the one after those."""

    def __init__(self, doing: str, kept: int, units: int = 0) -> None:
        parts = [f"{count} {what}{'' if count == 1 else 's'}" for count, what in ((kept, "program"), (units, "module"))]
        told = " and ".join(part for part in parts if not part.startswith("0 "))
        kept_for_next = f"; what was found in {told} is kept" if told else ""
        super().__init__(f"interrupted{f' while {doing}' if doing else ''}{kept_for_next}")


def _tell_files(files: list[str], work: Work) -> None:
    work.told(f"{len(files)} file{'' if len(files) == 1 else 's'} asked for")
    if work.hears_all:
        for path in files[:_MOST_TOLD]:
            work.told(f"  {path}")
        if files[_MOST_TOLD:]:
            work.told(f"  and {len(files) - _MOST_TOLD} more, which --show-files lists")


_MOST_TOLD = 20


def _described(program: Program) -> str:
    files = f"{len(program.modules)} file{'' if len(program.modules) == 1 else 's'}"
    jax = program.declared_jax.in_words
    return f"program {program.root}: {files}, {len(program.requested)} asked for; version of jax: {jax}"


Refine = Callable[[Program, list[Finding], list[Location]], list[Finding]]
"""From a program, the findings in its requested files and the functions in them that run under a trace, to findings."""


def findings_of(
    program: Program,
    refine: Refine | None = None,
    graph: CallGraph | None = None,
    fixes: bool = True,
    met: Met | None = None,
    work: Work = SILENT,
    crew: Crew | None = None,
    kept: Kept | None = None,
) -> list[Finding]:
    """The findings in a program's requested files that its settings and the files' comments leave."""
    found: list[Finding] = []
    traced: set[Location] | None = None if refine is None else set()
    own = own_checks(program, [program.by_path[real].path for real in program.requested])
    seen = own.seen() if own is not None and own.need_analysis else None
    work.stage(FOLLOWING)
    if concerns_jax(program):
        work.stage(LOADING)
        from jaxlint.checks.run import analyse
        from jaxlint.flow.domain.met import Met

        everywhere = None if met is None and not work.hears_all else Met()
        watch = None if seen is None else seen.watch
        asked = {program.by_path[real].name for real in program.requested}
        found = analyse(program, program.settings, work, traced, graph, everywhere, watch, crew, asked, kept)
        if everywhere is not None:
            _tell_limits(program, everywhere, work)
        if met is not None and everywhere is not None:
            met.add(everywhere, {program.by_path[real].document.path for real in program.requested})
    else:
        work.told("no import connects the files with JAX: they are not analysed")
    if own is not None:
        work.stage(OWN_RULES)
        found += own.findings(seen)
    if refine is not None and traced is not None:
        work.stage(TRACING)
        found = refine(program, _worth_proving(program, found), sorted(_requested(program, traced)))
    return told_of(program, found, fixes, work, kept)


def own_checks(program: Program, paths: Collection[str]) -> OwnChecks | None:
    """What rules of the user's do in files of a program; None where there are none.  Raises ConfigurationError."""
    if not program.settings.rules and not installed_rules():
        return None
    from jaxlint.visitors.own import OwnChecks

    return OwnChecks(program, paths)


def told_of(
    program: Program, found: Iterable[Finding], fixes: bool = True, work: Work = SILENT, kept: Kept | None = None
) -> list[Finding]:
    """Of all that was found in a program what its settings and the files' comments leave in its requested files.

    Fixes that earlier runs have ``kept`` of the same findings in the same texts are not made again.
    """
    raw: dict[str, list[Finding]] = {}
    for finding in found:
        raw.setdefault(finding.path, []).append(finding)
    shown: list[Finding] = []
    work.stage(SETTLING)
    told = told_in_texts(program, program.requested, lambda path: raw.get(path, []))
    for done, (real, asked) in enumerate(program.requested.items()):
        work.at(done, len(program.requested), asked)
        document = program.by_path[real].document
        findings = shown_in(program, document, raw.get(document.path, []), fixes, told.get(real), kept)
        # A file reached through a link is analysed under one path and reported under the one asked for.
        shown += findings if asked == document.path else [finding.at(asked) for finding in findings]
    return shown


def _tell_limits(program: Program, met: Met, work: Work) -> None:
    """Where the analysis gave up in the whole program: elsewhere it may matter for the files that were asked for."""
    if work.hears_all:
        for (limit, scope, node), _ in met.places.items():
            work.told(f"gave up: {limit.name} ({limit.most})", program.place(scope.location(node)))


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


def _fixable_once(program: Program, document: Document, findings: list[Finding], kept: Kept | None) -> list[Finding]:
    """`_fixable`; where an earlier run has made the fixes of the very same findings in the same text, those."""
    module = program.at(document.path)
    with_repair = [finding for finding in findings if finding.repair is not None]
    if kept is None or module is None or not with_repair:
        return _fixable(document, findings, program.settings)
    from jaxlint.checks.units import Unit, digest_of
    from jaxlint.flow.source.parts import TEXT

    name = f"fixes of {module.name}"
    mark = digest_of(with_repair, [finding.location.line for finding in findings])
    known = kept.recall(name)
    if known is not None and known[1] == [mark] and len(known[0].reports) == len(with_repair):
        made = iter(known[0].reports)
        return [finding if finding.repair is None else next(made) for finding in findings]
    found = _fixable(document, findings, program.settings)
    fixed = [one for one, finding in zip(found, findings) if finding.repair is not None]
    kept.keep(Unit(name, fixed, [], [(module.name, TEXT)], []), [mark])
    return found


def _is_meant(layout: Layout, finding: Finding) -> bool:
    """Whether a finding is about what its author shows on purpose, or about two examples that are not one program.

    What an example imports and defines counts for the next ones; what it does with a key, a global or a
    setting does not.
    """
    line = finding.location.line
    if layout.expects_error(line):
        return True
    if layout.shows != "all" or not finding.code.startswith(("JAX108", "JAX310", "JAX4")):
        return False
    return not any(_is_of_one_example(layout, finding, reason) for reason in finding.reasons)


def _as_shown(layout: Layout, finding: Finding) -> Finding:
    """A finding of which the outputs of the notebook tell already, which is only possible: whoever ran it knows.

    What a newer JAX has removed is no such thing: the one who kept the output had come to it unawares.
    """
    if finding.code.startswith("JAX8"):
        return finding
    place = finding.location
    errors = layout.errors_kept(place.line, place.end_line)
    is_shown = any(name in finding.message for error in errors for name in (error, *_LATER_NAMES.get(error, ())))
    if not is_shown and not (finding.code in ("JAX101", "JAX107") and layout.prints_tracers(place.line)):
        return finding
    return replace(finding, certainty=min(finding.certainty, Certainty.POSSIBLE))


_LATER_NAMES = {"ConcretizationTypeError": ("TracerBoolConversionError",)}
"""What JAX raises now in place of an exception that a notebook may have kept of an older one."""


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
    fixes_kept: Kept | None = None,
) -> list[Finding]:
    """Of all findings in a file, those that its comments and the settings leave, with those about the comments.

    They have their fixes, unless those are not wanted.  Until here places are those in the documents' texts, from here
    on those in the files.  What is ``told`` of another file with the same code is left out.
    """
    kept = _said(program, document, findings)
    if document.layout is not None:
        kept = [finding for finding in kept if not document.layout.is_broken(finding.location.line)]
    if told:
        kept = beyond(kept, _marks(document, kept), told)
    if fixes:
        kept = _fixable_once(program, document, kept, fixes_kept)
    return [program.placed(finding) for finding in kept]


def problem_in(program: Program, document: Document) -> list[Finding]:
    """Why a document has no tree, where it has none, as its file and the settings have it."""
    return [replace(finding, location=document.place(finding.location)) for finding in _said(program, document, [])]


def _said(program: Program, document: Document, findings: list[Finding], silenced: bool = False) -> list[Finding]:
    """What the settings and, but for ``silenced``, comments leave of the findings, and what there is to say of them."""
    settings = program.settings
    if document.layout is not None:
        layout = document.layout
        findings = [_as_shown(layout, finding) for finding in findings if not _is_meant(layout, finding)]
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
