"""Comments that silence findings, and the finding (JAX003) for a comment that silences nothing.

    x = f(key)  # jaxlint: ignore[key-reused]       this statement
    # jaxlint: ignore[JAX401] the same draw, on purpose   the next statement (of a compound one, its header)
    # jaxlint: disable[JAX1] … # jaxlint: enable[JAX1]    the lines between
    # jaxlint: file-ignore[JAX101]                        the file
    x = f(key)  # noqa: JAX401                            this statement, in flake8's words

With nothing behind the verb every rule is meant.  Text after the brackets is a reason, for people.  Whatever else looks
like such a comment silences nothing and is said to be wrong: it must not silence more than its author had in mind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from jaxlint.project.documents import Document
from jaxlint.project.logical_lines import Comment, Statements, scan
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary.findings import Finding, Location, Repair, Severity
from jaxlint.vocabulary.rules import all_rules, codes_selected_by, find_rule

DIRECTIVE = re.compile(r"#\s*jaxlint:\s*(?P<verb>[\w-]*)(?P<list>\s*\[(?P<codes>[^\]]*)(?P<closed>\])?)?")
"""What the comments look like that are right."""

_BEGINNING = re.compile(r"#\s*jaxlint:")
_ANY = re.compile(r"#\s*jaxlint(?P<colon>\s*[:=_-]\s*|\s+)(?P<verb>[\w-]*)(?P<rest>[^#]*)", re.IGNORECASE)
_LIST = re.compile(r"\s*\[(?P<names>[^\]]*)\](?P<reason>.*)", re.DOTALL)
_OPENING = re.compile(r"\s*[=:(\[{<]?\s*")
_NAME = re.compile(r"[\"'`]?(?P<name>[\w-]+)[\"'`]?")
_BETWEEN = re.compile(r"[\s,;|+/&]*")
_CLOSING = re.compile(r"\s*[\])}>]?[\s.,;:-]*")
_NOQA = re.compile(r"#\s*noqa\b(?P<names>(?:\s*:)?\s*[\w-]+(?:[\s,]+[\w-]+)*)?", re.IGNORECASE)
_CODE = re.compile(r"[A-Z]+[0-9]+|JAX", re.IGNORECASE)

_VERBS = ("ignore", "file-ignore", "disable", "enable")
_OTHER_VERBS = {
    "disable-file": "file-ignore",
    "disable-line": "ignore",
    "disable-next": "ignore",
    "disable-next-line": "ignore",
    "file-disable": "file-ignore",
    "file-noqa": "file-ignore",
    "ignore-file": "file-ignore",
    "ignore-line": "ignore",
    "ignore-next": "ignore",
    "ignore-next-line": "ignore",
    "noqa": "ignore",
    "off": "disable",
    "on": "enable",
    "skip": "ignore",
    "skip-file": "file-ignore",
}
"""What people write who have another tool in mind."""


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

    def hides(self, problem: Finding) -> bool:
        """Whether it silences what is wrong with a comment; with itself only if it names that rule."""
        is_blunt = self.codes is None or len(self.codes) == len(all_rules())
        return self.silences(problem.code, problem.location.line) and not (is_blunt and self.place == problem.location)


@dataclass(slots=True)
class _Directive:
    """One comment of ours: where its text stands, what it says, and what it does.

    ``mistake`` says why it does nothing; ``entries`` are then what it would do if it were written as it should be.
    """

    place: Location
    span: Location  # with the reason
    verb: str
    selectors: list[str]  # none where every rule is meant; of a mistake those that can be made out
    reason: str
    mistake: str = ""
    entries: list[Suppression] = field(default_factory=list)

    def text(self, selectors: Sequence[str]) -> str:
        """The comment with these selectors."""
        return f"# jaxlint: {self.verb}[{', '.join(selectors)}] {self.reason}".rstrip()

    def repair(self, gone: Sequence[Suppression]) -> Repair:
        """The comment as it should be, without what is useless of it; other words in it stay."""
        useless = {entry.selector for entry in gone}
        left = [selector for selector in self.selectors if selector not in useless]
        reason = self.reason.lstrip(" -:;,.")
        words = f"# {reason}" if reason else ""
        return Repair("suppression", self.span, (("text", self.text(left) if left else words),))


@dataclass(slots=True)
class Suppressions:
    """All suppressions of a file, and what is wrong with the comments themselves."""

    entries: list[Suppression] = field(default_factory=list)
    directives: list[_Directive] = field(default_factory=list)
    mistakes: list[Finding] = field(default_factory=list)

    def keep(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings that no comment silences; every comment that silences one is remembered as used.

        What a comment means to silence that is not written as it should be stays, but is not to be fixed.
        """
        return [self._as_meant(finding) for finding in findings if not _note(self.entries, finding)]

    def _as_meant(self, finding: Finding) -> Finding:
        meant = [entry for directive in self.directives if directive.mistake for entry in directive.entries]
        return replace(finding, repair=None) if _note(meant, finding) else finding

    def problems(self, settings: Settings, path: str) -> list[Finding]:
        """JAX003 for each comment that is wrong, and for each that silenced nothing although a rule it names is on.

        To be asked for when all findings were seen.  A file may ignore JAX003 like any other rule.
        """
        found = self._problems(settings, path)
        return [problem for problem in found if not any(entry.hides(problem) for entry in self.entries)]

    def _problems(self, settings: Settings, path: str) -> list[Finding]:
        found = list(self.mistakes)
        for directive in self.directives:
            gone = [entry for entry in directive.entries if not entry.used and _could_silence(entry, settings, path)]
            if directive.verb == "file-ignore" and not directive.selectors:
                gone = []  # a file that somebody wants to hear nothing of, today or later
            if not directive.mistake:
                repair = directive.repair(gone)
                found += [_problem(entry.place, _unused_message(entry), "remove it", repair) for entry in gone]
                continue
            advice = f"write `{directive.text(directive.selectors or ['RULE'])}`"
            if gone and len(gone) == len(directive.entries):
                advice += ", or remove it: nothing is found that it would silence"
            meant = directive.repair(gone) if directive.entries else None
            found.append(_problem(directive.place, directive.mistake, advice, meant))
        return found


def _note(entries: Iterable[Suppression], finding: Finding) -> bool:
    """Whether entries silence a finding; those that do are used."""
    matching = [entry for entry in entries if entry.silences(finding.code, finding.location.line)]
    for entry in matching:
        entry.used = True
    return bool(matching)


def suppressions_in(document: Document) -> Suppressions:
    """Read a document's comments.  Never raises: what cannot be tokenized has no comments."""
    if not may_suppress(document.text) and "noqa" not in document.text.lower():
        return Suppressions()
    comments, statements = scan(document.text)
    reader = _Reader(document, statements)
    for comment in comments:
        reader.read(comment)
    return Suppressions(reader.entries, reader.directives, reader.mistakes)


def may_suppress(text: str) -> bool:
    """Whether there may be a comment of ours in a text."""
    return "jaxlint" in text.lower()


class _Reader:
    """Turns the comments of one file, in order, into suppressions."""

    def __init__(self, document: Document, statements: Statements) -> None:
        self._path = document.path
        self._statements = statements
        self._last_line = len(document.lines)
        self.entries: list[Suppression] = []
        self.directives: list[_Directive] = []
        self._open: list[Suppression] = []
        self.mistakes: list[Finding] = []

    def read(self, comment: Comment) -> None:
        for match in _ANY.finditer(comment.text):
            if comment.text[match.start() - 1 : match.start()] not in tuple("`'\""):  # words about such a comment
                self._directive(match, comment)
        for match in _NOQA.finditer(comment.text):
            self._noqa(match, comment)

    def _directive(self, match: re.Match[str], comment: Comment) -> None:
        directive = self._parsed(match, comment)
        if directive is None:
            return
        self.directives.append(directive)
        selected = [(selector, codes_selected_by(selector)) for selector in directive.selectors]
        for selector, codes in selected:
            if directive.mistake:
                self._mean(directive, selector, codes, comment)
            elif codes:
                self._apply(directive, selector, codes, comment)
            else:
                self.mistakes.append(_unknown(selector, directive.place))
        if not selected and not directive.mistake:
            self._apply(directive, "", None, comment)

    def _parsed(self, match: re.Match[str], comment: Comment) -> _Directive | None:
        """What a comment says; None where it only mentions jaxlint."""
        rest, verb = match["rest"], _verb(match["verb"])
        listed = _LIST.match(rest)
        begins = _BEGINNING.match(match[0]) is not None
        if not begins and (verb is None or (rest.strip() and not listed and not _names(rest)[0])):
            return None
        span = self._place(comment, match.start(), match.start() + len(match[0].rstrip()))
        mistake = _mistake(match["verb"], rest, begins)
        if mistake:
            names, reason = _names_in_list(listed) if listed else _names(rest)
            if verb == "disable" and not comment.alone and not listed:
                verb = "ignore"  # other tools mean the line by it
            return _Directive(span, span, verb or "ignore", names, reason.strip(), mistake)
        end = match.end("verb") if listed is None else match.start("rest") + listed.end("names") + 1
        place = self._place(comment, match.start(), end)
        if listed is None:
            return _Directive(place, span, match["verb"], [], "")
        return _Directive(place, span, match["verb"], _written(listed), listed["reason"].strip())

    def _place(self, comment: Comment, start: int, end: int) -> Location:
        return Location(self._path, comment.line, comment.column + start + 1, comment.line, comment.column + end + 1)

    def _apply(self, directive: _Directive, selector: str, codes: frozenset[str] | None, comment: Comment) -> None:
        if directive.verb == "enable":
            self._close(directive, selector, codes)
            return
        entry = self._entry(directive, selector, codes, comment)
        self.entries.append(entry)
        if directive.verb == "disable":
            self._open.append(entry)

    def _mean(self, directive: _Directive, selector: str, codes: frozenset[str], comment: Comment) -> None:
        """Notes what a comment would do that is not written as it should be."""
        if directive.verb != "enable":
            self._entry(directive, selector, codes, comment)
        elif any(entry.codes == codes for entry in self._open):
            entry = Suppression(directive.place, selector, codes, comment.line, comment.line, used=True)
            directive.entries.append(entry)

    def _entry(
        self, directive: _Directive, selector: str, codes: frozenset[str] | None, comment: Comment
    ) -> Suppression:
        extent = (1, self._last_line) if directive.verb == "file-ignore" else self._extent(comment)
        if directive.verb == "disable":
            extent = (comment.line, self._last_line)
        entry = Suppression(directive.place, selector, codes, *extent)
        directive.entries.append(entry)
        return entry

    def _close(self, directive: _Directive, selector: str, codes: frozenset[str] | None) -> None:
        matching = [entry for entry in self._open if codes is None or entry.codes == codes]
        if not matching:
            what = f"`{selector}`" if selector else "anything"
            useless = Suppression(directive.place, selector, codes, 0, 0)
            message = f"nothing to enable: {what} was not disabled before"
            self.mistakes.append(_problem(directive.place, message, "remove it", directive.repair([useless])))
        for entry in matching:
            entry.last_line = directive.place.line
            self._open.remove(entry)

    def _noqa(self, match: re.Match[str], comment: Comment) -> None:
        place = Location(self._path, comment.line, comment.column + 1)
        extent = self._statements.around(comment.line) or (comment.line, comment.line)
        self.entries.append(Suppression(place, "", _codes_of_noqa(match["names"] or ""), *extent, quiet=True))

    def _extent(self, comment: Comment) -> tuple[int, int]:
        extent = self._statements.around(comment.line)
        if extent is None and comment.alone:
            extent = self._statements.after(comment.line)
        return extent or (comment.line, comment.line)


def _verb(written: str) -> str | None:
    """The verb that was probably meant."""
    lower = written.lower().replace("_", "-")
    if lower in _VERBS:
        return lower
    import difflib

    close = difflib.get_close_matches(lower[:40], _VERBS, n=1, cutoff=0.8)
    return _OTHER_VERBS.get(lower) or (close[0] if close else None)


def _names(rest: str) -> tuple[list[str], str]:
    """The rules that a text begins with, as they should be written, whatever stands around them, and what follows."""
    names: list[str] = []
    opening = _OPENING.match(rest)
    end = position = opening.end() if opening else 0
    while (match := _NAME.match(rest, position)) and (name := _rule(match["name"])):
        names.append(name)
        end = match.end()
        between = _BETWEEN.match(rest, end)
        position = between.end() if between else end
    closing = _CLOSING.match(rest, end)
    return names, rest[closing.end() if closing and names else 0 :].strip()


def _rule(word: str) -> str | None:
    """How a word is written that can only be meant as rules; a code or the beginning of one has digits."""
    code = f"JAX{word}" if word.isdecimal() and len(word) == 3 else word.upper()
    if any(char.isdigit() for char in code) and codes_selected_by(code):
        return code
    rule = find_rule(word)
    return None if rule is None else rule.name


def _written(listed: re.Match[str]) -> list[str]:
    return [name.strip() for name in listed["names"].split(",") if name.strip()]


def _names_in_list(listed: re.Match[str]) -> tuple[list[str], str]:
    """The rules in a list, as they should be written, and what follows it."""
    return [name for written in _written(listed) for name in _names(written)[0]], listed["reason"]


def _mistake(verb: str, rest: str, begins: bool) -> str:
    """Why a comment silences nothing; empty where it does."""
    if verb not in _VERBS:
        return f"unknown directive `{verb}`, expected {', '.join(_VERBS)}"
    if not begins:
        return "a comment that silences starts with `# jaxlint:`, so nothing is ignored"
    if not rest.strip():
        return ""
    listed = _LIST.match(rest)
    if listed is None:
        if rest.lstrip().startswith("["):
            return "the list of rules has no closing bracket, so nothing is ignored"
        return "rules stand in brackets, and reasons behind them, so nothing is ignored"
    names = _written(listed)
    if not names:
        return "the list of rules is empty, so nothing is ignored"
    if any(_is_several(name) for name in names):
        return "rules are codes or names with commas between them, so nothing is ignored"
    return ""


def _is_several(written: str) -> bool:
    """Whether what should be one rule is several without a comma, or one with something around it."""
    names, behind = _names(written)
    return not codes_selected_by(written) and bool(names) and not behind


def _codes_of_noqa(names: str) -> frozenset[str] | None:
    """The codes that the text behind `noqa` means: all where it names no rule, none where those of other tools only."""
    words = re.findall(r"[\w-]+", names)
    rules = {rule.code for rule in map(find_rule, words) if rule is not None}
    codes = [code[0] for code in map(_CODE.match, words) if code is not None]
    return frozenset(rules).union(*map(codes_selected_by, codes)) if rules or codes else None


def _could_silence(entry: Suppression, settings: Settings, path: str) -> bool:
    codes = entry.codes if entry.codes is not None else all_rules()
    return any(settings.enables(code, path) for code in codes)


def _unused_message(entry: Suppression) -> str:
    what = f"`{entry.selector}` is not" if entry.selector else "nothing is"
    return f"unused suppression: {what} reported here"


def _unknown(name: str, place: Location) -> Finding:
    known = [word for rule in all_rules().values() for word in (rule.code, rule.name)]
    import difflib

    close = difflib.get_close_matches(name[:40], known, n=1)
    better = f"name a rule: did you mean `{close[0]}`?" if close else "name a rule by its code or name"
    return _problem(place, f"unknown rule `{name}`, so nothing is ignored for it", better)


def _problem(place: Location, message: str, advice: str, repair: Repair | None = None) -> Finding:
    return Finding("JAX003", "unused-suppression", message, place, Severity.WARNING, help=advice, repair=repair)
