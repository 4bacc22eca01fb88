"""What lets an old project start with jaxlint today: reports of what is new only, and ways to settle the rest."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.project.program import group_by_root
from jaxlint.project.roots import baseline_path
from jaxlint.running.once import Run
from jaxlint.settings.resolved import ALWAYS_ON
from jaxlint.vocabulary.findings import Finding, Location

if TYPE_CHECKING:  # most projects have no baseline, and need not wait for what reads one
    from jaxlint.project.changes import Changes
    from jaxlint.report.source import Sources
    from jaxlint.silencing.baseline import Baseline

_CI = ("CI", "TF_BUILD", "JENKINS_URL")
"""Variables that say that this is no place where a changed file would be committed."""


@dataclass
class Known:
    """The baselines that hold for the files of a run, with those files."""

    run: Run
    baselines: list[tuple[Baseline, frozenset[str]]]
    hidden: int = 0
    _all: list[Finding] = field(default_factory=list)

    @classmethod
    def of(cls, run: Run) -> Known:
        """The baselines that exist.  Raises BaselineError for one that is broken, or configured and missing."""
        there = {path: files for path, files in baseline_files(run).items() if _is_wanted(path, run, files)}
        if not there:
            return cls(run, [])
        from jaxlint.silencing.baseline import Baseline

        return cls(run, [(Baseline.read(path), files) for path, files in there.items()])

    def beyond(self, findings: list[Finding]) -> list[Finding]:
        """The findings that are in no baseline."""
        self._all = new = findings
        for baseline, files in self.baselines:
            here = [finding for finding in new if finding.path in files]
            fresh = baseline.beyond(here, self._sources.lines)
            elsewhere = [finding for finding in new if finding.path not in files]
            new = sorted([*elsewhere, *fresh], key=Finding.sort_key)
        self.hidden = len(findings) - len(new)
        return new

    def shrink(self) -> Iterator[str]:
        """Take out what the last findings no longer have, and say so; on a CI machine only say so."""
        for baseline, files in self.baselines:
            here = [finding for finding in self._all if finding.path in files]
            reduced = baseline.reduced(here, self._sources.lines, _coverage(self.run))
            gone = baseline.size - reduced.size
            if not gone:
                continue
            shown = self._sources.shown_path(baseline.path)
            fewer = f"{_count(gone)} in {shown} no longer occur{'s' if gone == 1 else ''}"
            if any(os.environ.get(name) for name in _CI):
                yield f"{fewer}: `jaxlint baseline` takes {'it' if gone == 1 else 'them'} out"
                continue
            try:
                reduced.write()
                yield f"{fewer}: taken out, {reduced.size} left"
            except OSError as error:
                yield f"{fewer}, but it cannot be written: {error.strerror}"

    @property
    def _sources(self) -> Sources:
        from jaxlint.report.source import Sources

        return Sources(self.run.documents, self.run.configuration.cwd)


@dataclass
class Shown:
    """What of the findings of a run is reported."""

    known: Known | None = None
    changes: Changes | None = None

    def __call__(self, findings: list[Finding]) -> list[Finding]:
        if self.known is not None:
            findings = self.known.beyond(findings)
        if self.changes is not None:
            findings = [finding for finding in findings if _is_new(finding, self.changes)]
        return findings

    def notes(self, update: bool) -> Iterator[str]:
        """What is to be said of the rest; with ``update`` the baselines lose what the findings have lost."""
        if self.known is None:
            return
        if self.known.hidden:
            yield f"{_count(self.known.hidden)} in the baseline {'is' if self.known.hidden == 1 else 'are'} not shown"
        if update:
            yield from self.known.shrink()


def _is_new(finding: Finding, changes: Changes) -> bool:
    """Whether a finding is on a changed line, or each of its reasons is: a new `@jax.jit` makes old lines wrong, unless
    they were wrong before."""
    if finding.code in ALWAYS_ON:
        return changes.touch_file(finding.path)
    ways = ([step.location for step in reason] for reason in finding.reasons)
    return _is_changed(finding.location, changes) or all(
        any(_is_changed(place, changes) for place in way) for way in ways
    )


def _is_changed(place: Location, changes: Changes) -> bool:
    if place.cell:  # the lines of a cell are none of the notebook's file
        return changes.touch_file(place.path)
    return changes.touch(place.path, place.line, place.end_line)


def baseline_files(run: Run) -> dict[str, frozenset[str]]:
    """Where the baselines of a run's files are, each with its files."""
    found: dict[str, frozenset[str]] = {}
    for root, files in group_by_root(run.files, run.folders).items():
        path = baseline_path(run.configuration.settings_for(root), root)
        found[path] = found.get(path, frozenset()) | frozenset(files)
    return found


def _is_wanted(path: str, run: Run, files: frozenset[str]) -> bool:
    """Whether there is a baseline, or has to be because somebody has named it."""
    return os.path.lexists(path) or run.configuration.settings_for(os.path.dirname(min(files))).baseline is not None


def _coverage(run: Run) -> Callable[[str], bool]:
    """Says of a file whether the run has all its findings: it was analysed, or is gone from a folder asked for."""
    files = frozenset(run.files)
    folders = tuple(folder.rstrip(os.sep) + os.sep for folder in run.folders)

    def is_covered(path: str) -> bool:
        path = os.path.normpath(path)
        if path not in files:
            return path.startswith(folders) and not os.path.lexists(path)
        document = run.documents.get(os.path.realpath(path))
        return document is None or document.problem is None

    return is_covered


@dataclass(frozen=True)
class Settled:
    """What `jaxlint baseline` has done for one file, and the findings that are not in it."""

    baseline: Baseline
    told: str
    new: list[Finding]


def settle(run: Run, findings: list[Finding], grow: bool) -> Iterator[Settled]:
    """Bring the baselines of a run up to date, and write those that change; without ``grow`` only new ones gain.

    Raises BaselineError and OSError.
    """
    from jaxlint.report.source import Sources
    from jaxlint.silencing.baseline import Baseline

    sources = Sources(run.documents, run.configuration.cwd)
    for path, files in baseline_files(run).items():
        here = [finding for finding in findings if finding.path in files]
        is_new = not os.path.lexists(path)
        old = Baseline(path, Counter()) if is_new else Baseline.read(path)
        made = old.reduced(here, sources.lines, _coverage(run))
        if is_new or grow:
            made = made.grown(here, sources.lines)
        if made.counts != old.counts:
            made.write()
        new = made.beyond(here, sources.lines)
        yield Settled(made, _told(old, made, new), new)


def _told(old: Baseline, made: Baseline, new: list[Finding]) -> str:
    if not made.counts and not old.counts:
        told = "not needed, nothing is found" if not new else "not written"
    elif made.counts == old.counts:
        told = f"unchanged, {_count(made.size)}"
    else:
        told = f"written, {_count(made.size)}"
    unread = sum(finding.code in ALWAYS_ON for finding in new)
    if new[unread:]:
        told += f"; `--grow` would add {_count(len(new) - unread)}"
    if unread:
        told += f"; {_count(unread)} cannot be in a baseline: the file was not analysed"
    return told


@dataclass(frozen=True)
class Ignored:
    """What `--add-ignore` has done: in words, the findings it could not silence, and files it could not write."""

    told: str
    left: list[Finding]
    failures: list[str]


def add_ignores(run: Run, findings: list[Finding], reason: str) -> Ignored:
    """Write comments that silence the findings of a run into their files, as far as that can be done."""
    from jaxlint.fixes import fixing
    from jaxlint.silencing.ignoring import silenced, with_comments

    changed = fixing.Fixed()
    by_file: dict[str, list[Finding]] = {}
    for finding in findings:
        by_file.setdefault(os.path.realpath(finding.path), []).append(finding)
    for real, here in by_file.items():
        document = run.documents[real]
        made = with_comments(document, here, reason)
        if made is not document:
            changed.were[real], changed.documents[real] = document, made
    failures = dict(fixing.write(changed))
    written = changed.documents.keys() - failures.keys()
    gone = {finding for real in written for finding in silenced(changed.documents[real], by_file[real])}
    files = f"{len(written)} file{'s' if len(written) != 1 else ''}"
    return Ignored(
        f"Added comments in {files} for {_count(len(gone))}.",
        [finding for finding in findings if finding not in gone],
        [f"{real}: no comments added: {why}" for real, why in failures.items()],
    )


def _count(number: int) -> str:
    return f"{number} finding{'s' if number != 1 else ''}"
