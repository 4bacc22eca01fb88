"""Findings as HTML under a cell: styles are inline, since a notebook keeps an output and shows it anywhere, and say
nothing of black or white: text has the colour it finds, what is tinted lets the page through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jaxlint.notebook.shown import Shown, fix_title
from jaxlint.report.escaping import plain
from jaxlint.report.source import Sources
from jaxlint.vocabulary.findings import Certainty, Finding, Location, Related, Severity

_CONTEXT = 2
_WIDEST = 400
"""Longer lines are cut: they are data, not code that one reads."""

_COLOUR = {Severity.ERROR: "#d64550", Severity.WARNING: "#c77700", Severity.INFO: "#3b82c4"}
"""Of bars and marks, that are seen on white and on black."""

_CODE = "margin:.3em 0;padding:.3em .6em;overflow-x:auto;background:rgba(128,128,128,.1);line-height:1.35"
_QUIET = "opacity:.75"
_DIFF = {"+": "background:rgba(46,160,67,.22)", "-": "background:rgba(248,81,73,.22)", "@": _QUIET}


def page(found: Iterable[Shown], sources: Sources) -> str:
    """All that is shown under a cell."""
    return f'<div class="jaxlint">{"".join(_finding(one, sources) for one in found)}</div>'


def lines_page(lines: Iterable[str]) -> str:
    """Lines of text as they are."""
    return f'<pre style="{_CODE}">{plain(chr(10).join(lines))}</pre>'


def _finding(one: Shown, sources: Sources) -> str:
    finding, colour = one.finding, _COLOUR[one.finding.severity]
    parts = [
        _head(finding, colour),
        _frame(finding.location, sources, colour),
        *(_step(step, sources) for step in finding.related),
    ]
    if finding.other_ways:
        parts.append(_line("note", finding.other_ways))
    if finding.help:
        parts.append(_line("help", finding.help))
    parts += _fix(one)
    return f'<div style="margin:.4em 0;padding:.1em 0 .1em .8em;border-left:4px solid {colour}">{"".join(parts)}</div>'


def _head(finding: Finding, colour: str) -> str:
    claim = "" if finding.certainty is Certainty.CERTAIN else f" ({plain(finding.certainty.label)})"
    rule = f'<span style="{_QUIET}">[{plain(finding.name)}]{claim}</span>'
    return f'<div><b style="color:{colour}">{plain(finding.code)}</b> {rule} <b>{plain(finding.message)}</b></div>'


def _line(label: str, text: str) -> str:
    return f"<div><b>{label}:</b> {plain(text)}</div>"


def _frame(place: Location, sources: Sources, colour: str) -> str:
    """The lines around a place, with the place marked; what is beyond its first line is not."""
    lines = sources.lines(place)
    if not 1 <= place.line <= len(lines):
        return ""
    first, last = max(1, place.line - _CONTEXT), min(len(lines), place.line + _CONTEXT)
    while first < place.line and not lines[first - 1].strip():
        first += 1
    while last > place.line and not lines[last - 1].strip():
        last -= 1
    width = len(str(last))
    rows = (
        f'<span style="opacity:.55;user-select:none">{str(number).rjust(width)} │ </span>'
        + (_marked(lines[number - 1], place, colour) if number == place.line else plain(lines[number - 1][:_WIDEST]))
        for number in range(first, last + 1)
    )
    where = f'<div style="{_QUIET}">{plain(sources.shown_place(place))}</div>'
    return f'{where}<pre style="{_CODE}">{chr(10).join(rows)}</pre>'


def _marked(line: str, place: Location, colour: str) -> str:
    start = place.column - 1
    end = place.end_column - 1 if place.end_line == place.line else len(line.rstrip())
    end = max(end, start + 1)
    skipped = max(0, start - _WIDEST // 4) if len(line) > _WIDEST else 0
    before, inside, after = line[skipped:start], line[start:end][:_WIDEST], line[end : skipped + _WIDEST]
    style = f"border-bottom:2px solid {colour};font-weight:bold"  # JupyterLab leaves it to notebooks it does not trust
    return f'{"…" if skipped else ""}{plain(before)}<span style="{style}">{plain(inside)}</span>{plain(after)}'


def _step(step: Related, sources: Sources) -> str:
    """Why: a place and what happens there, on a line, the code beside it."""
    lines, place = sources.lines(step.location), step.location
    code = lines[place.line - 1].strip()[:_WIDEST] if 1 <= place.line <= len(lines) else ""
    where = f'<span style="{_QUIET}">{plain(sources.shown_place(place))}</span>'
    return f"<div><b>note:</b> {plain(step.message)} · {where} <code>{plain(code)}</code></div>"


def _fix(one: Shown) -> Iterator[str]:
    if one.finding.fix is None or not one.diff:
        return
    rows = "".join(
        f'<span style="{_DIFF.get(line[:1], "")}">{plain(line)}</span>\n' if index > 1 else plain(line) + "\n"
        for index, line in enumerate(one.diff)
    )
    title = plain(fix_title(one.finding.fix))
    yield f'<details><summary><b>fix:</b> {title}</summary><pre style="{_CODE}">{rows}</pre></details>'
