"""Findings for people: `full`, with code frames and the steps that led there, and `concise`, a line each."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from jaxlint.report.source import Sources, marked, printable
from jaxlint.vocabulary.findings import Certainty, Finding, Location, Severity, Verdict

_CONTEXT = 2
"""How many lines are shown before and after the line of a finding."""

_STYLES = {
    "bold": "1",
    "error": "1;91",
    "warning": "1;93",
    "info": "1;96",
    "frame": "1;94",
    "help": "1;96",
    "verdict": "1;95",
}
_SEVERITY_STYLE = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "info"}


class Paint:
    """Colours text, or leaves it as it is."""

    def __init__(self, enabled: bool) -> None:
        self._enabled = enabled

    def __call__(self, style: str, text: str) -> str:
        return f"\033[{_STYLES[style]}m{text}\033[0m" if self._enabled and text else text


def wants_colour(stream: TextIO) -> bool:
    """Whether to colour what goes to a stream: NO_COLOR says no, FORCE_COLOR yes, else only on a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def full(findings: Iterable[Finding], sources: Sources, paint: Paint, unsafe: bool = False) -> Iterator[str]:
    """The lines of the report with code frames; ``unsafe`` marks unsafe fixes as fixable, too."""
    for finding in findings:
        style = _SEVERITY_STYLE[finding.severity]
        claim = "" if finding.certainty is Certainty.CERTAIN else f" ({finding.certainty.label})"
        message = paint("bold", printable(finding.message))
        yield f"{paint(style, finding.code)} [{finding.name}]{_star(finding, paint, unsafe)}{claim} {message}"
        yield from _frame(finding.location, sources, paint, style, _CONTEXT)
        for related in finding.related:
            yield f"{paint('frame', 'note')}: {printable(related.message)}"
            yield from _frame(related.location, sources, paint, "frame", 0)
        if finding.other_ways:
            yield f"{paint('frame', 'note')}: {finding.other_ways}"
        if finding.verdict is not None:
            yield from verdict_lines(finding.verdict, paint)
        if finding.help:
            yield f"{paint('help', 'help')}: {printable(finding.help)}"
        yield ""


def verdict_lines(verdict: Verdict, paint: Paint) -> Iterator[str]:
    """What tracing says, with its evidence indented below."""
    assumed = f" if {', and '.join(verdict.assumptions)}" if verdict.assumptions else ""
    state = verdict.state.value.removesuffix("-if") if assumed else verdict.state.value
    yield f"{paint('verdict', 'traced')}: {paint('bold', state)}{printable(assumed)} (jax {verdict.jax})"
    for line in verdict.evidence:
        yield f"   {printable(line)}"


def concise(findings: Iterable[Finding], sources: Sources, paint: Paint, unsafe: bool = False) -> Iterator[str]:
    """One line for each finding: `path:line:column: code message`."""
    for finding in findings:
        place = finding.location
        code = paint(_SEVERITY_STYLE[finding.severity], finding.code)
        path = printable(sources.shown_path(place.path))
        rest = printable(sources.shown_place(place)).removeprefix(path)
        proof = f" [{finding.verdict.state.value}]" if finding.verdict is not None else ""
        message = printable(finding.message)
        yield f"{paint('bold', path)}{rest}: {code}{_star(finding, paint, unsafe)} {message}{proof}"


def _star(finding: Finding, paint: Paint, unsafe: bool) -> str:
    """The mark of a finding that `--fix` mends."""
    return f" [{paint('help', '*')}]" if _is_fixable(finding, unsafe) else ""


def _is_fixable(finding: Finding, unsafe: bool) -> bool:
    return finding.fix is not None and (unsafe or finding.fix.applicability.is_safe)


def summary(findings: Sequence[Finding], fixed: int = 0, unsafe: bool = False) -> Iterator[str]:
    """The last lines, in ruff's words: how many there are, were fixed and could be."""
    left = len(findings)
    if left == fixed == 0:
        yield "All checks passed!"
        return
    done = f" ({fixed} fixed, {left} remaining)" if fixed else ""
    yield f"Found {left + fixed} error{'s' if left + fixed > 1 else ''}{done}."
    fixable = sum(_is_fixable(finding, unsafe) for finding in findings)
    hidden = sum(finding.fix is not None for finding in findings) - fixable
    more = f"{hidden} hidden fix{'es' if hidden > 1 else ''} can be enabled with the `--unsafe-fixes` option"
    if fixable:
        yield f"[*] {fixable} fixable with the `--fix` option{f' ({more})' if hidden else ''}."
    elif hidden:
        yield f"No fixes available ({more})."


def _frame(place: Location, sources: Sources, paint: Paint, style: str, context: int) -> Iterator[str]:
    yield f" {paint('frame', '-->')} {printable(sources.shown_place(place))}"
    lines = sources.lines(place)
    if not 1 <= place.line <= len(lines) or lines == [""]:
        return
    first, last = _shown_range(lines, place.line, context)
    margin = len(str(last))
    bar = paint("frame", "|")
    yield f"{' ' * margin} {bar}"
    for number in range(first, last + 1):
        line = lines[number - 1]
        if number != place.line:
            text, _, _ = marked(line, 0, 0)
            yield f"{paint('frame', str(number).rjust(margin))} {bar} {text}".rstrip()
            continue
        text, before, inside = marked(line, place.column - 1, _end_column(place, line) - 1)
        yield f"{paint('frame', str(number).rjust(margin))} {bar} {text}".rstrip()
        yield f"{' ' * margin} {bar} {' ' * before}{paint(style, '^' * inside)}"
    yield f"{' ' * margin} {bar}"


def _shown_range(lines: list[str], line: int, context: int) -> tuple[int, int]:
    """The line with its context, without blank lines at either edge."""
    first, last = max(1, line - context), min(len(lines), line + context)
    while first < line and not lines[first - 1].strip():
        first += 1
    while last > line and not lines[last - 1].strip():
        last -= 1
    return first, last


def _end_column(place: Location, line: str) -> int:
    """Where the marks end on the first line of a place: at its end, or at the line's when it goes on below."""
    if place.end_line == place.line and place.end_column:
        return place.end_column
    return max(len(line.rstrip()) + 1, place.column) if place.end_line > place.line else place.column


def error_line(message: str, stream: TextIO | None = None) -> None:
    """Say on standard error, in one line, why there is no report."""
    paint = Paint(wants_colour(sys.stderr))
    print(f"{paint('error', 'jaxlint')}: {printable(message)}", file=stream or sys.stderr)
