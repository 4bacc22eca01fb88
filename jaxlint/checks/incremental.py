"""The findings of a program that changes while it is looked at."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from jaxlint.checks import frozen
from jaxlint.checks.demos import possible_in_demos
from jaxlint.checks.one_cause import one_for_each_cause
from jaxlint.checks.precision import without_x64
from jaxlint.checks.run import Collector, gave_up, on_deep_stack, removed
from jaxlint.checks.versions import ModuleUses
from jaxlint.checks.versions.quiet import is_quiet
from jaxlint.checks.ways import Reports
from jaxlint.flow.domain.met import Failure
from jaxlint.flow.engine.replay import Cancelled, NotKept, Replay
from jaxlint.flow.engine.tracking import Tracker
from jaxlint.project.concern import imports_jax
from jaxlint.project.documents import Document
from jaxlint.project.edits import TreeEdit, edited
from jaxlint.project.mended import Mending
from jaxlint.project.precision import is_told_of_x64
from jaxlint.project.program import Module, Program
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary.findings import Finding, Location, Related

__all__ = ["Analysis", "Cancelled"]


class Analysis:
    """The findings in one program's files, brought up to date when they are asked for.

    A file that does not parse is judged, as the rest of the program, by its last text that did; with ``mends`` by that
    and all that was changed elsewhere in it.
    """

    def __init__(self, program: Program, settings: Settings, mends: bool = False) -> None:
        self.program = program
        self.settings = settings
        self._mends = mends
        self._broken: dict[str, _Broken] = {}  # files that do not parse, by path
        self._pending: dict[str, list[Document]] = {}  # the last is the text as it is now
        self._sources = {name for name, one in program.modules.items() if imports_jax(program, one.document.text)}
        self._removed: dict[str, list[Finding]] = {}
        self._uses: dict[str, ModuleUses] = {}
        self._collector = _EntryCollector()
        self._replay: Replay | None = None
        self._current = False
        self._found: dict[str, list[Finding]] = {}
        self._edited = False  # since findings were collected
        self._is_told_of_x64 = functools.cache(is_told_of_x64)  # nobody says when such files change

    def change(self, document: Document, parsed: Document | None = None) -> None:
        """One of the program's files, if it is one of them, has this text now; ``parsed`` is the last that parses."""
        module = self.program.at(document.path)
        if module is not None:
            is_new = parsed is not None and parsed is not document and parsed.text != module.document.text
            self._pending[module.name] = [parsed, document] if parsed is not None and is_new else [document]
            self._current = False

    def document(self, path: str) -> Document:
        """The text that the findings in a file of the program are about, as it lies in the file now."""
        module = self.program.at(path)
        assert module is not None
        return module.document

    def broken(self, path: str) -> Document | None:
        """The text of a file as it is now where it does not parse, but did before."""
        module = self.program.at(path)
        known = self._broken.get(module.path) if module is not None else None
        return None if known is None else known.document

    def judged(self) -> dict[str, Document]:
        """By path, for files that do not parse: the text that is judged in their place."""
        return {path: known.judged for path, known in self._broken.items()}

    def run(self, cancelled: Callable[[], bool], only: str | None = None) -> None:
        """Analyses what has to be analysed.  Raises Cancelled; what was done by then need not be done again.

        With ``only``, a path, what lies in other files is left for the next run.
        """
        if self._current:
            return
        if cancelled():
            raise Cancelled
        first = self._replay is None
        module = self.program.at(only) if only is not None else None
        on_deep_stack(lambda: self._update(cancelled, module), is_frozen=not first)
        self._current = self._replay is not None and self._replay.complete
        if first:
            frozen.keep()  # the collector need not look through it at every edit

    def _update(self, cancelled: Callable[[], bool], only: Module | None) -> None:
        for name, documents in list(self._pending.items()):
            for document in documents:
                self._take(self.program.modules[name], document)
            del self._pending[name]
        if not self._edited and self._replay is not None and self._replay.complete:
            return  # what was typed does not parse yet
        if self._replay is None:
            tracker = Tracker(self.program, self._collector.listeners())
            self._collector.tracker = tracker
            self._replay = Replay(tracker)
        try:
            self._replay.run(cancelled, only)
        except NotKept:
            self._replay = None
            self._update(cancelled, only)
            return
        self._found = self._collected(self._replay)
        self._edited = False

    def _take(self, module: Module, document: Document) -> None:
        known = self._broken.pop(module.path, None)
        old = module.document if known is None else known.judged
        prepared = self.program.prepared(document)
        lies_otherwise = prepared.path != old.path or (prepared.layout is None) != (old.layout is None)
        if old.tree is None or module.name in self.program.foreign or (lies_otherwise and prepared.tree is not None):
            self._start_anew(module, prepared)
        elif lies_otherwise or not self._edit(module, old, prepared):
            self._broken[module.path] = _Broken(self._mended(module, old, prepared), document)

    def _edit(self, module: Module, old: Document, document: Document) -> bool:
        """Goes on with another text; False, and nothing is done, where it does not parse."""
        edit = edited(old, document)
        if edit is None:
            return False
        self._edited = True
        self._update_removed(module, old, edit)
        self._note_imports(module, document)
        if self._replay is None or not self._replay.edit(module, edit):
            self._start_anew(module, document)
        elif edit.delta:
            self._move(module, edit)
        self.program.lay_out(module)
        return True

    def _mended(self, module: Module, judged: Document, broken: Document) -> Document:
        """Goes on with what of a text that does not parse can be judged, and says what that is."""
        mending = Mending(judged, broken)
        for change in mending.changes if self._mends and mending.can_take else ():
            candidate = mending.with_change(change)
            if self._edit(module, judged, candidate):
                mending.take(change)
                judged = candidate
        module.document = mending.mended(judged)
        self.program.lay_out(module)
        return judged

    def _update_removed(self, module: Module, old: Document, edit: TreeEdit) -> None:
        """Looking for removed names takes a walk over the module; most edits have nothing to do with them."""
        if module.path in self._uses:
            self._uses[module.path].forget([*edit.kept, *edit.removed])
        if not is_quiet(old, edit):
            self._removed.pop(module.path, None)
        elif module.path in self._removed:
            self._removed[module.path] = [_moved(found, module.path, edit) for found in self._removed[module.path]]

    def _start_anew(self, module: Module, document: Document) -> None:
        module.document = document
        self.program.lay_out(module)
        self._note_imports(module, module.document)
        self._removed.pop(module.path, None)
        self._uses.pop(module.path, None)
        self._replay = None

    def _note_imports(self, module: Module, document: Document) -> None:
        if imports_jax(self.program, document.text):
            self._sources.add(module.name)
        else:
            self._sources.discard(module.name)

    def _move(self, module: Module, edit: TreeEdit) -> None:
        """Findings of what is not run again are on other lines now."""
        assert self._replay is not None
        for entry in self._replay.known_entries():
            if entry.reports:
                entry.reports = [_moved(report, module.path, edit) for report in entry.reports]

    def findings(self, path: str) -> list[Finding]:
        """All findings in one file, whatever their certainty, sorted."""
        module = self.program.at(path)
        if module is None or not self._sources:
            return []  # nothing in the program has to do with JAX
        found = [*self._found.get(module.path, ()), *self._removed_in(module)]
        return sorted(found, key=Finding.sort_key)

    def modules_behind(self, path: str) -> set[str] | None:
        """The names of the modules whose code leads into that of a file; None where that is not known."""
        module = self.program.at(path)
        return None if module is None or self._replay is None else self._replay.modules_behind(module)

    def _removed_in(self, module: Module) -> list[Finding]:
        if module.name in self.program.foreign:
            return []
        if module.path not in self._removed:
            places = self._uses.setdefault(module.path, ModuleUses())
            self._removed[module.path] = removed(self.program, module, places)
        return self._removed[module.path]

    def _collected(self, replay: Replay) -> dict[str, list[Finding]]:
        """The findings of all entries."""
        reports = Reports()
        for entry in replay.order:
            for report in entry.reports:
                reports.add(report)
        by_path: dict[str, list[Finding]] = {}
        shown = without_x64(reports.findings(), self.program, self._is_told_of_x64)
        told = one_for_each_cause(possible_in_demos(shown, self.program))
        for finding in [*told, *map(gave_up, _failures(replay))]:
            by_path.setdefault(finding.path, []).append(finding)
        return by_path


@dataclass(frozen=True, slots=True)
class _Broken:
    """A file that does not parse: the text that is judged in its place, and its own."""

    judged: Document
    document: Document


def _failures(replay: Replay) -> Iterator[Failure]:
    yield from replay.broken.values()
    yield from (entry.failure for entry in replay.order if entry.failure is not None)


class _EntryCollector(Collector):
    """Leaves the findings with the entry that runs."""

    tracker: Tracker

    def keep(self, report: Finding) -> None:
        self.tracker.entry.reports.append(report)


def _moved(finding: Finding, path: str, edit: TreeEdit) -> Finding:
    """The finding with all its places after an edit of the file ``path``, which none of them lies in."""
    if finding.path != path and all(step.location.path != path for step in finding.related):
        return finding
    location = _moved_place(finding.location, path, edit)
    related = tuple(Related(_moved_place(step.location, path, edit), step.message) for step in finding.related)
    repair = finding.repair
    if repair is not None:
        places = tuple((name, _moved_place(place, path, edit)) for name, place in repair.places)
        repair = replace(repair, location=_moved_place(repair.location, path, edit), places=places)
    return replace(finding, location=location, related=related, repair=repair)


def _moved_place(place: Location, path: str, edit: TreeEdit) -> Location:
    if place.path != path or place.end_line < edit.end or not edit.delta:
        return place
    line = place.line + edit.delta if place.line >= edit.end else place.line
    return replace(place, line=line, end_line=place.end_line + edit.delta)
