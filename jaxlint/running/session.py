"""A workspace that stays open: files change, findings follow.

    session = Session(Configuration("/workspace"))
    session.open("/workspace/train.py", text)
    session.findings("/workspace/train.py")
    session.change("/workspace/train.py", new_text)

The findings are those that `jaxlint check` would report, with open buffers in place of their files.  Changes are
only noted when they are told, by any thread; the analysis happens where findings are asked for, one thread at a time.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jaxlint.checks.incremental import Analysis, Cancelled
from jaxlint.files.reading import MAX_BYTES
from jaxlint.project.discovery import PYTHON_SUFFIXES, Excludes, python_files
from jaxlint.project.documents import NOT_IMPORTED, Document, document_from_bytes, document_of_python, read_document
from jaxlint.project.program import Module, Program, first_names, group_by_root, load_program
from jaxlint.project.roots import baseline_path, is_a_program, program_root
from jaxlint.running.once import Run, own_checks, problem_in, shown_in, told_in_texts, with_fix
from jaxlint.settings.configuration import Configuration
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary.findings import Finding

if TYPE_CHECKING:
    from jaxlint.silencing.baseline import Baseline
    from jaxlint.silencing.identity import Identity

__all__ = ["Cancelled", "Session"]


def _never() -> bool:
    return False


@dataclass
class _Notes:
    """What has been told since the last analysis, by real path."""

    changed: dict[str, list[Document]] = field(default_factory=dict)  # with the texts that buffers had, in order
    everything: bool = False  # a file that configures, or one whose coming or going moves the border of a program


class Session:
    """The findings of a workspace, kept up to date through edits.

    ``folders`` are the roots of the workspace (default: the configuration's folder).  Paths are absolute or relative
    to the configuration's folder; findings carry them as they were first told.  With ``baselines`` they are those that
    are in no baseline; nothing is taken out of one here.

    With ``mends`` a text that does not parse keeps the findings that are outside what is broken, as editors want it.
    """

    def __init__(
        self,
        configuration: Configuration,
        folders: Iterable[str] | None = None,
        *,
        baselines: bool = True,
        mends: bool = False,
    ) -> None:
        self.configuration = configuration
        self._mends = mends
        self._baselines: dict[str, tuple[tuple[int, int], Baseline]] | None = {} if baselines else None
        self.folders = [self._absolute(folder) for folder in folders or [configuration.cwd]]
        self._buffers: dict[str, Document] = {}
        self._documents: dict[str, Document] = {}
        self._analyses: dict[str, Analysis] = {}
        self._judged: dict[str, Document] = {}  # in place of texts that do not parse, by real path
        self._own: dict[str, tuple[Sequence[Document], list[Finding]]] = {}  # of the user's rules, by path
        self._notes = _Notes()
        self._noting = threading.Lock()
        self._analysing = threading.Lock()

    # -- what happens in the workspace --------------------------------------------------------------

    def open(self, path: str, text: str) -> None:
        """From now on the text stands for the file, which need not exist."""
        self.put(_buffer(self._absolute(path), text))

    def put(self, document: Document) -> None:
        """From now on the document stands for its file: what `open` does, for a text that lies there in pieces."""
        real = os.path.realpath(document.path)
        with self._noting:
            self._buffers[real] = document
            self._notes.changed.setdefault(real, []).append(document)

    def change(self, path: str, text: str) -> None:
        """The buffer has this text now."""
        self.open(path, text)

    def close(self, path: str) -> None:
        """The file on disk counts again."""
        real = os.path.realpath(self._absolute(path))
        with self._noting:
            if self._buffers.pop(real, None) is not None:
                self._notes.changed.setdefault(real, [])

    def file_changed(self, path: str) -> None:
        """A file or folder on disk was created, changed or deleted; a configuration file counts as well."""
        path = self._absolute(path)
        with self._noting:
            if path.endswith(PYTHON_SUFFIXES) and os.path.basename(path) != "setup.py":
                self._notes.changed.setdefault(os.path.realpath(path), [])
            else:
                self._notes.everything = True

    # -- what is found ------------------------------------------------------------------------------

    def findings(
        self, path: str, cancelled: Callable[[], bool] = _never, fixes: bool = True, prompt: bool = False
    ) -> list[Finding]:
        """What `jaxlint check` reports in this file when the workspace is checked, sorted.

        In a notebook that is also kept as text it is what is reported when the notebook alone is asked for.

        Making fixes takes longer than an edit's analysis: without ``fixes`` findings have only what one is made from.
        With ``prompt`` only functions of this file are analysed now: what those of other files showed before the last
        edits stands until findings are asked for without it.

        Raises Cancelled as soon as ``cancelled()`` says so: what was done until then is kept for the next time.
        Raises ConfigurationError.
        """
        path = self._absolute(path)
        with self._analysing:
            self._take_notes()
            analysis = self._analysis(program_root(path, self.folders), [path])
            analysis.run(cancelled, path if prompt else None)
            return self._shown(analysis, path, fixes, cancelled=cancelled)

    def with_fix(self, path: str, finding: Finding, among: list[Finding]) -> Finding:
        """One of the findings in a file as it is now, with its fix where there is one; ``among`` are all of them.

        Raises ConfigurationError.
        """
        return with_fix(self.program(path), self.document(path), finding, among)

    def all_findings(self, cancelled: Callable[[], bool] = _never, fixes: bool = True) -> dict[str, list[Finding]]:
        """What `jaxlint check` reports on the folders of the workspace and the open buffers, by path.

        Files without findings are there with an empty list.  Raises Cancelled and ConfigurationError.
        """
        with self._analysing:
            self._take_notes()
            walked = python_files(self.folders, lambda folder: Excludes.of(self._settings(folder)))
            files = {os.path.realpath(path): path for path in walked}
            for real, buffer in self._open_buffers().items():
                files.setdefault(real, buffer.path)
            return self._findings_in(files.values(), cancelled, fixes)

    def findings_in(self, files: Iterable[str]) -> dict[str, list[Finding]]:
        """What `jaxlint check` reports on these files, as `all_findings` has it.  Raises ConfigurationError."""
        with self._analysing:
            self._take_notes()
            return self._findings_in(files, _never, fixes=True)

    def _findings_in(
        self, files: Iterable[str], cancelled: Callable[[], bool], fixes: bool
    ) -> dict[str, list[Finding]]:
        buffers = self._open_buffers()
        found: dict[str, list[Finding]] = {}
        for root, paths in group_by_root(files, self.folders).items():
            analysis = self._analysis(root, paths)
            analysis.run(cancelled)
            told = told_in_texts(analysis.program, map(os.path.realpath, paths), analysis.findings)
            for path in paths:
                real = os.path.realpath(path)
                known = None if real in buffers else told.get(real)  # who has a notebook open reads that
                found[path] = self._shown(analysis, path, fixes, known, cancelled)
        return found

    def document(self, path: str) -> Document:
        """The text that findings in a file are about: of one that does not parse, what is judged in its place."""
        path = self._absolute(path)
        real = os.path.realpath(path)
        document = self._buffers.get(real) or self._documents.get(real) or read_document(path)
        analysis = self._analyses.get(program_root(path, self.folders)) if self._mends else None
        is_judged = analysis is not None and analysis.broken(path) is document
        return analysis.document(path) if analysis is not None and is_judged else document

    def is_broken(self, path: str) -> bool:
        """Whether a file does not parse, but did before."""
        analysis = self._analyses.get(program_root(self._absolute(path), self.folders))
        return analysis is not None and analysis.broken(self._absolute(path)) is not None

    def program(self, path: str) -> Program:
        """The program of a file, whose findings were asked for before, as it is now.

        Raises ConfigurationError.
        """
        with self._analysing:
            self._take_notes()
            analysis = self._analysis(program_root(self._absolute(path), self.folders), [self._absolute(path)])
            analysis.run(_never)
            return analysis.program

    def modules_behind(self, path: str) -> set[str] | None:
        """The names of the modules whose code leads into that of a file, which was asked for with `program`.

        None where that is not known.
        """
        with self._analysing:
            analysis = self._analyses.get(program_root(self._absolute(path), self.folders))
            return None if analysis is None else analysis.modules_behind(path)

    def knows(self, path: str) -> bool:
        """Whether the program of a file was analysed before."""
        return program_root(self._absolute(path), self.folders) in self._analyses

    def is_excluded(self, path: str) -> bool:
        """Whether `jaxlint check` on the folder leaves the file out.  Raises ConfigurationError."""
        return Run(self.configuration, [], []).is_excluded(self._absolute(path))

    def _shown(
        self,
        analysis: Analysis,
        path: str,
        fixes: bool,
        told: Counter[Identity] | None = None,
        cancelled: Callable[[], bool] = _never,
    ) -> list[Finding]:
        module = analysis.program.at(path)
        assert module is not None
        document = analysis.document(path)
        found = [*analysis.findings(path), *self._of_own_rules(analysis, module, cancelled)]
        findings = shown_in(analysis.program, document, found, fixes, told)
        broken = analysis.broken(path)
        if broken is not None:
            kept = findings if self._mends else []
            findings = sorted([*kept, *problem_in(analysis.program, broken)], key=Finding.sort_key)
        baseline = self._baseline(analysis.program) if findings else None
        if baseline is not None:
            findings = baseline.beyond(findings, lambda place: document.source_lines(place.cell))
        return findings if path == module.path else [finding.at(path) for finding in findings]

    def _of_own_rules(self, analysis: Analysis, module: Module, cancelled: Callable[[], bool]) -> list[Finding]:
        """What rules of the user's find in a file, as the program is now."""
        own = own_checks(analysis.program, [module.path])
        if own is None:
            return []
        documents = [one.document for one in analysis.program.modules.values()]
        known, found = self._own.get(module.path, ((), []))
        if len(known) == len(documents) and all(one is other for one, other in zip(known, documents)):
            return found
        seen = own.seen(cancelled) if own.need_analysis else None
        if seen is not None:
            seen.look(analysis.program, analysis.modules_behind(module.path))
        if cancelled():
            raise Cancelled
        found = own.findings(seen)
        self._own[module.path] = (documents, found)
        return found

    def _baseline(self, program: Program) -> Baseline | None:
        """The baseline of a program as its file is now.  Raises ConfigurationError where it is none."""
        path = baseline_path(program.settings, program.root)
        if self._baselines is None or not os.path.exists(path):
            return None
        from jaxlint.silencing.baseline import Baseline

        status = os.stat(path)
        state = (status.st_mtime_ns, status.st_size)
        if path not in self._baselines or self._baselines[path][0] != state:
            self._baselines[path] = (state, Baseline.read(path))
        return self._baselines[path][1]

    # -- keeping up ---------------------------------------------------------------------------------

    def _take_notes(self) -> None:
        """Brings documents and programs up to what has been told."""
        with self._noting:
            notes, self._notes = self._notes, _Notes()
            buffers = dict(self._buffers)
        before = dict(self._documents)
        if notes.everything:
            self.configuration = _fresh(self.configuration)
            self._documents.clear()
            self._drop(list(self._analyses))
            self._own.clear()
            self._documents.update(buffers)
        for real, told in notes.changed.items():
            known = before.get(real)
            document = buffers.get(real) or _on_disk(real, known)
            if document is None:
                self._forget(real)
                continue
            parsed = document if document.tree is not None else _last_parsed(real, told, known)
            if known is None or notes.everything:
                self._documents[real] = document
                self._drop_programs_around(document.path)
            elif _differs(document, known):
                self._documents[real] = document
                self._drop(self._grown_by(document, known))
                for analysis in self._analyses.values():
                    analysis.change(document, parsed)
            if document.tree is not None:
                self._judged.pop(real, None)
            elif parsed is not None:
                self._judged[real] = parsed

    def _grown_by(self, document: Document, known: Document) -> list[str]:
        """The roots of what is no program, to which other folders may belong now that a file has other imports."""
        roots = [
            root
            for root, analysis in self._analyses.items()
            if not is_a_program(root, self.folders) and analysis.program.at(document.path) is not None
        ]
        return roots if roots and first_names(document.text) != first_names(known.text) else []

    def _forget(self, real: str) -> None:
        known = self._documents.pop(real, None)
        if known is not None:
            self._drop_programs_around(known.path)

    def _drop_programs_around(self, path: str) -> None:
        """A file came or went: which names lead where has to be found out again.  Parsed trees are kept."""
        folder = os.path.dirname(path)
        self._drop(
            [root for root in self._analyses if _contains(root, path) or root == folder or _contains(folder, root)]
        )

    def _drop(self, roots: Iterable[str]) -> None:
        """Forgets programs, but for what is judged in them in place of texts that do not parse."""
        for root in roots:
            judged = self._analyses.pop(root).judged()
            self._judged.update((os.path.realpath(path), document) for path, document in judged.items())

    def _analysis(self, root: str, asked: list[str]) -> Analysis:
        """The analysis of the program at ``root``, in which the files that are asked for and open buffers take part."""
        analysis = self._analyses.get(root)
        if analysis is not None and all(analysis.program.at(path) is not None for path in asked):
            return analysis
        buffers = (buffer.path for buffer in self._open_buffers().values())
        inside = [path for path in buffers if program_root(path, self.folders) == root]
        settings = self._settings(root)
        paths = sorted({*asked, *inside})
        program: Program = load_program(root, settings, paths, self._documents, folders=self.folders)
        broken = self._put_judged(program)
        self._analyses[root] = analysis = Analysis(program, settings, self._mends)
        for document in broken:
            analysis.change(document)
        return analysis

    def _put_judged(self, program: Program) -> list[Document]:
        """Puts what was judged before in place of the texts, which are returned, that still do not parse."""
        found = []
        for real in self._judged.keys() & program.by_path.keys():
            judged, module = self._judged.pop(real), program.by_path[real]
            if module.document.tree is None:
                found.append(self._documents[real])
                module.document = judged
                program.lay_out(module)
        return found

    def _open_buffers(self) -> dict[str, Document]:
        with self._noting:
            return dict(self._buffers)

    def _settings(self, folder: str) -> Settings:
        return self.configuration.settings_for(folder)

    def _absolute(self, path: str) -> str:
        return os.path.normpath(os.path.join(self.configuration.cwd, path))


def _buffer(path: str, text: str) -> Document:
    if len(text) > MAX_BYTES or path.endswith(NOT_IMPORTED):
        return document_from_bytes(path, text.encode("utf-8", "surrogatepass"))
    return document_of_python(path, text)


def _differs(document: Document, known: Document) -> bool:
    """Whether findings may differ; an equal text may lie elsewhere in its file, and an empty one have a problem."""
    same = known.text == document.text and known.path == document.path
    return not same or document.layout is not None or not document.text


def _on_disk(real: str, known: Document | None) -> Document | None:
    """The file as it is now, under the path it is known by; None when there is none."""
    return read_document(known.path if known is not None else real) if os.path.exists(real) else None


def _last_parsed(real: str, told: Sequence[Document], known: Document | None) -> Document | None:
    """The last text that does parse: since the last analysis, or what was known then; before the first one the file."""
    if known is None and told and os.path.exists(real):
        known = read_document(told[-1].path)
    return next((each for each in (*reversed(told), known) if each is not None and each.tree is not None), None)


def _contains(folder: str, path: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def _fresh(configuration: Configuration) -> Configuration:
    """The same configuration before any file was read."""
    return replace(configuration, _known={})
