"""Comments that silence findings, and the finding (JAX003) for a comment that silences nothing.

    x = f(key)  # jaxlint: ignore[key-reused]       this statement
    # jaxlint: ignore[JAX401] the same draw, on purpose   the next statement (of a compound one, its header)
    # jaxlint: disable[JAX1] … # jaxlint: enable[JAX1]    the lines between
    # jaxlint: file-ignore[JAX101]                        the file
    x = f(key)  # noqa: JAX401                            this statement, in flake8's words

Without brackets every rule is meant.  Text after the brackets is a reason, for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from jaxlint.findings import Finding, Location, Severity
from jaxlint.project.documents import Document
from jaxlint.project.logical_lines import Comment, Statements, scan
from jaxlint.rules import all_rules, codes_selected_by
from jaxlint.settings import Settings

DIRECTIVE = re.compile(r"#\s*jaxlint:\s*(?P<verb>[\w-]*)(?P<list>\s*\[(?P<codes>[^\]]*)(?P<closed>\])?)?")
_NOQA = re.compile(r"#\s*noqa\b(?P<codes>\s*:\s*[A-Z]+[0-9]+(?:[\s,]+[A-Z]+[0-9]+)*)?", re.IGNORECASE)
_CODE = re.compile(r"[A-Z]+[0-9]+", re.IGNORECASE)
_VERBS = ("ignore", "file-ignore", "disable", "enable")


@dataclass(slots=True)
class Suppression:
    """One selector of one comment: the codes it silences on a range of lines, and whether it has done so."""

    place: Location
    selector: str  # as written; empty for a comment without brackets
    codes: frozenset[str] | None  # None: all
    first_line: int
    last_line: int
    quiet: bool = False  # a comment that other tools read too is never reported as unused
    used: bool = False

    def silences(self, code: str, line: int) -> bool:
        """Whether it silences findings of a rule on a line."""
        return self.first_line <= line <= self.last_line and (self.codes is None or code in self.codes)


@dataclass(slots=True)
class Suppressions:
    """All suppressions of a file, and what is wrong with the comments themselves."""

    entries: list[Suppression] = field(default_factory=list)
    mistakes: list[Finding] = field(default_factory=list)

    def keep(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings that no comment silences; every comment that silences one is remembered as used."""
        return [finding for finding in findings if not self._silence(finding)]

    def _silence(self, finding: Finding) -> bool:
        matching = [entry for entry in self.entries if entry.silences(finding.code, finding.location.line)]
        for entry in matching:
            entry.used = True
        return bool(matching)

    def unused(self, settings: Settings, path: str) -> list[Finding]:
        """JAX003 for each suppression that silenced nothing although a rule it names is on."""
        return [
            _problem(entry.place, _unused_message(entry))
            for entry in self.entries
            if not entry.used and not entry.quiet and _could_silence(entry, settings, path)
        ]


def suppressions_in(document: Document) -> Suppressions:
    """Read a document's comments.  Never raises: what cannot be tokenized has no comments."""
    text = document.text
    if "jaxlint:" not in text and "noqa" not in text.lower():
        return Suppressions()
    comments, statements = scan(text)
    reader = _Reader(document, statements)
    for comment in comments:
        reader.read(comment)
    return Suppressions(reader.entries, reader.mistakes)


class _Reader:
    """Turns the comments of one file, in order, into suppressions."""

    def __init__(self, document: Document, statements: Statements) -> None:
        self._path = document.path
        self._statements = statements
        self._last_line = len(document.lines)
        self.entries: list[Suppression] = []
        self._open: list[Suppression] = []
        self.mistakes: list[Finding] = []

    def read(self, comment: Comment) -> None:
        for match in DIRECTIVE.finditer(comment.text):
            self._directive(match, comment)
        for match in _NOQA.finditer(comment.text):
            self._noqa(match, comment)

    def _directive(self, match: re.Match[str], comment: Comment) -> None:
        start = comment.column + match.start() + 1
        end = comment.column + match.end() + 1
        place = Location(self._path, comment.line, start, comment.line, end)
        verb = match["verb"]
        if verb not in _VERBS:
            self.mistakes.append(_problem(place, f"unknown directive `{verb}`, expected {', '.join(_VERBS)}"))
        elif match["list"] and not match["closed"]:
            self.mistakes.append(_problem(place, "the list of rules has no closing bracket, so nothing is ignored"))
        else:
            for selector, codes in self._selected(match["codes"], place):
                self._apply(verb, selector, codes, place, comment)

    def _selected(self, written: str | None, place: Location) -> list[tuple[str, frozenset[str] | None]]:
        if written is None:
            return [("", None)]
        selected: list[tuple[str, frozenset[str] | None]] = []
        for selector in filter(None, map(str.strip, written.split(","))):
            codes = codes_selected_by(selector)
            if codes:
                selected.append((selector, codes))
            else:
                self.mistakes.append(_problem(place, f"unknown rule `{selector}`, so nothing is ignored for it"))
        return selected

    def _apply(self, verb: str, selector: str, codes: frozenset[str] | None, place: Location, comment: Comment) -> None:
        if verb == "enable":
            self._close(selector, codes, place)
            return
        extent = (1, self._last_line) if verb == "file-ignore" else self._extent(comment)
        if verb == "disable":
            extent = (comment.line, self._last_line)
        entry = Suppression(place, selector, codes, *extent)
        self.entries.append(entry)
        if verb == "disable":
            self._open.append(entry)

    def _close(self, selector: str, codes: frozenset[str] | None, place: Location) -> None:
        matching = [entry for entry in self._open if codes is None or entry.codes == codes]
        if not matching:
            what = f"`{selector}`" if selector else "anything"
            self.mistakes.append(_problem(place, f"nothing to enable: {what} was not disabled before"))
        for entry in matching:
            entry.last_line = place.line
            self._open.remove(entry)

    def _noqa(self, match: re.Match[str], comment: Comment) -> None:
        codes: frozenset[str] | None = None
        if match["codes"] is not None:
            written = [code.upper() for code in _CODE.findall(match["codes"])]
            codes = frozenset().union(*(codes_selected_by(code) for code in written if code.startswith("JAX")))
        place = Location(self._path, comment.line, comment.column + 1)
        extent = self._statements.around(comment.line) or (comment.line, comment.line)
        self.entries.append(Suppression(place, "", codes, *extent, quiet=True))

    def _extent(self, comment: Comment) -> tuple[int, int]:
        extent = self._statements.around(comment.line)
        if extent is None and comment.alone:
            extent = self._statements.after(comment.line)
        return extent or (comment.line, comment.line)


def _could_silence(entry: Suppression, settings: Settings, path: str) -> bool:
    codes = entry.codes if entry.codes is not None else all_rules()
    return any(settings.enables(code, path) for code in codes)


def _unused_message(entry: Suppression) -> str:
    what = f"`{entry.selector}`" if entry.selector else "anything"
    return f"unused suppression: {what} is not reported here"


def _problem(place: Location, message: str) -> Finding:
    return Finding(
        "JAX003", "unused-suppression", message, place, Severity.WARNING, help="remove it or correct the rule it names"
    )
