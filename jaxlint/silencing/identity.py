"""What a finding is called when lines have moved: by its rule, the code it is about, and where that belongs.

Two runs on two states of a program mean the same finding when they agree on its identity, whatever was added, removed
or laid out differently around it.
"""

from __future__ import annotations

import hashlib
import io
import keyword
import os
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass

from jaxlint.project.logical_lines import Statements, scan
from jaxlint.settings.resolved import ALWAYS_ON
from jaxlint.vocabulary.findings import Finding, Location

Lines = Callable[[Location], Sequence[str]]
"""The lines of the text that a location counts lines in."""

MAX_STATEMENT = 160
"""Longer statements are cut, and told apart by a digest of the rest."""

_LAYOUT = frozenset({tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT})
_CLOSING = frozenset(")]}")
_FOLLOWING = frozenset(")]},.:;")


@dataclass(frozen=True, slots=True, order=True)
class Identity:
    """``path`` is relative, with slashes; ``definition`` is the enclosing function or class; ``statement`` the
    statement on one line, laid out in one way and without comments."""

    path: str
    rule: str
    definition: str
    statement: str


def identities(findings: Iterable[Finding], lines: Lines, base: str) -> list[Identity]:
    """The identity of each finding, with paths from the folder ``base`` on.  Several findings may have the same."""
    texts: dict[tuple[str, int], _Text] = {}
    found: list[Identity] = []
    for finding in findings:
        place = finding.location
        part = (place.path, place.cell)
        if part not in texts:
            texts[part] = _Text(lines(place))
        path = relative(place.path, base)
        found.append(Identity(path, finding.code, finding.definition, texts[part].statement(place.line)))
    return found


def beyond(findings: Sequence[Finding], marks: Sequence[Identity], known: Counter[Identity]) -> list[Finding]:
    """The findings, whose identities are ``marks``, that are not among those known.

    Of equal ones the last, when there are more than are known; that a file could not be analysed is always new.
    """
    left = Counter(known)
    new: list[Finding] = []
    for finding, identity in zip(findings, marks):
        if left[identity] > 0 and finding.code not in ALWAYS_ON:
            left[identity] -= 1
        else:
            new.append(finding)
    return new


def fingerprints(findings: Iterable[Finding], lines: Lines, base: str) -> list[str]:
    """A digest of each finding's identity; those of equal identity are told apart by their order."""
    seen: Counter[Identity] = Counter()
    digests: list[str] = []
    for identity in identities(findings, lines, base):
        words = (*astuple(identity), str(seen[identity]))
        digests.append(hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest())
        seen[identity] += 1
    return digests


def relative(path: str, base: str) -> str:
    """An absolute path as seen from a folder, with slashes; absolute still where Windows has it on another drive."""
    try:
        return os.path.relpath(path, base).replace(os.sep, "/")
    except ValueError:
        return path.replace(os.sep, "/")


class _Text:
    """One text whose statements are asked for by line."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._statements: Statements = scan("\n".join(lines))[1]
        self._known: dict[tuple[int, int], str] = {}

    def statement(self, line: int) -> str:
        extent = self._statements.around(line) or (line, line)
        if extent not in self._known:
            self._known[extent] = _shortened(_normalised("\n".join(self._lines[extent[0] - 1 : extent[1]]).strip()))
        return self._known[extent]


def _normalised(statement: str) -> str:
    """The statement's tokens; what only lays them out, a comma before a closing bracket included, does not count."""
    words: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(statement).readline):
            if token.type in _LAYOUT or not token.string:
                continue
            if words and words[-1] == "," and token.string in _CLOSING:
                words.pop()
            words.append(token.string)
    except (tokenize.TokenError, SyntaxError):
        words = []  # no Python, or newer than the running one
    return _spaced(words) or " ".join(statement.split())


def _spaced(words: list[str]) -> str:
    """Tokens as one usually lays them out, more or less: people read it in diffs."""
    text = before = ""
    for word in words:
        is_name = before.isidentifier() and not keyword.iskeyword(before)
        calls = word in ("(", "[") and (is_name or before in _CLOSING)
        tight = calls or before in ("", "(", "[", "{", ".") or word in _FOLLOWING
        text += word if tight else f" {word}"
        before = word
    return text


def _shortened(statement: str) -> str:
    if len(statement) <= MAX_STATEMENT:
        return statement
    digest = hashlib.sha256(statement.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{statement[: MAX_STATEMENT - 16]} … {digest}"
