"""The page as a whole: what stands where, and what leads to what."""

from __future__ import annotations

import base64
import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from jaxlint import __version__
from jaxlint.flow.observers.call_graph import Callee, Root, Traces
from jaxlint.report.escaping import plain
from jaxlint.report.page.cards import card
from jaxlint.report.page.code import Code
from jaxlint.report.page.picture import KINDS, kind_of, picture
from jaxlint.report.source import Sources
from jaxlint.vocabulary.findings import Certainty, Finding, Location, Reason
from jaxlint.vocabulary.rules import all_rules

_FOLDER = os.path.dirname(os.path.abspath(__file__))

_OPEN_PICTURES = 4
"""Of so many roots all pictures are open at first; of more only the first ones with findings."""

_UNFOLDED_ROOTS = 40
"""Of more roots only the files are listed at first, and the roots of those that have an open picture."""

_LISTED_ROOTS = 5


@dataclass
class Page:
    """The report on one run: its findings, and its traces (`CallGraph.traces`)."""

    title: str
    findings: list[Finding]
    traces: Traces
    sources: Sources
    made: str
    code: Code = field(init=False)
    reached: dict[Root, set[Callee]] = field(init=False)
    within: dict[Callee, list[Finding]] = field(init=False)
    numbers: dict[Root, int] = field(init=False)

    def __post_init__(self) -> None:
        self.code = Code(self.sources)
        self.numbers = {root: number for number, root in enumerate(self.traces, 1)}
        self.reached = {root: {root.function, *(c.callee for c in calls)} for root, calls in self.traces.items()}
        self.within = _by_function(self.findings, set().union(*self.reached.values()))
        self.code.include([finding.location for finding in self.findings])
        self.code.include([step.location for finding in self.findings for reason in finding.reasons for step in reason])
        self.code.include([root.place for root in self.traces])
        self.code.include([function.location for root in self.traces for function in sorted(self.reached[root])])

    def html(self) -> str:
        """The whole page: one text, nothing outside of it is needed."""
        script = _part("page.js")
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        # No source text can become a script, and nothing is fetched: the browser is told both.
        policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:"
        parts = [
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<link rel="icon" href="data:,"><title>jaxlint: {plain(self.title)}</title>',
            f"<style>{_part('page.css')}</style></head><body>",
            *self._head(),
            '<div class="columns">',
            *self._navigation(),
            "<main>",
            *self._findings(),
            *self._traces(),
            *self._rules(),
            *self._sources(),
            "</main></div>",
            f"<script>{script}</script></body></html>\n",
        ]
        return "\n".join(parts)

    # -- the head ---------------------------------------------------------------------------------

    def _head(self) -> Iterator[str]:
        yield f"<header><div><h1>jaxlint <span>{plain(self.title)}</span></h1>"
        yield f'<p class="made">{plain(self.made)} · jaxlint {__version__}</p></div>'
        yield '<div class="tools" hidden><input id="search" type="search" placeholder="Search findings and traces"'
        yield ' aria-label="Search findings and traces"><kbd>/</kbd><span id="shown" role="status"></span>'
        yield '<button id="theme" type="button" title="Light or dark" aria-label="Light or dark">◐</button></div>'
        yield '</header><dl class="tiles">'
        for number, name, css in self._tiles():
            yield f'<div class="{css}"><dt>{name}</dt><dd>{number}</dd></div>'
        yield "</dl>"

    def _tiles(self) -> Iterator[tuple[int, str, str]]:
        severities = Counter(finding.severity.value for finding in self.findings)
        yield len(self.findings), _plural(len(self.findings), "finding"), "total" if self.findings else "none"
        yield from (
            (severities[name], _plural(severities[name], name), name)
            for name in ("error", "warning")
            if severities[name]
        )
        proofs = Counter(f.verdict.state.value for f in self.findings if f.verdict is not None)
        yield from ((count, name, "verdict") for name, count in sorted(proofs.items()))
        files, functions = len({finding.path for finding in self.findings}), len(set().union(*self.reached.values()))
        yield files, f"{_plural(files, 'file')} with findings", ""
        yield len(self.traces), f"{_plural(len(self.traces), 'transform')} applied", ""
        yield functions, f"{_plural(functions, 'function')} traced", ""

    def _navigation(self) -> Iterator[str]:
        yield '<nav aria-label="Contents">'
        files = Counter(finding.path for finding in self.findings)
        if files:
            yield '<h2><a href="#findings">Findings</a></h2><ul>'
            for number, (path, count) in enumerate(files.items(), 1):
                yield f'<li><a href="#file-{number}"{self._short_path(path)}</a> <b>{count}</b></li>'
            yield "</ul>"
        yield '<h2><a href="#traces">What is traced</a></h2><ul>'
        for number, (path, roots) in enumerate(_by_file(self.traces).items(), 1):
            yield f'<li><a href="#traces-{number}"{self._short_path(path)}</a> <b>{len(roots)}</b></li>'
        yield "</ul>"
        if files:
            yield '<h2><a href="#rules">Rules</a></h2><ul>'
            for (code, name), count in _by_rule(self.findings):
                yield f'<li><a href="#rule-{code}" title="{name}">{code} <span>{name}</span></a> <b>{count}</b></li>'
            yield "</ul>"
        yield '<h2><a href="#sources">Sources</a></h2></nav>'

    # -- findings ---------------------------------------------------------------------------------

    def _findings(self) -> Iterator[str]:
        yield '<section id="findings"><h2>Findings</h2>'
        if not self.findings:
            yield '<p class="nothing">Nothing was found.</p>'
        files: dict[str, list[tuple[int, Finding]]] = {}
        for number, finding in enumerate(self.findings, 1):
            files.setdefault(finding.path, []).append((number, finding))
        for index, (path, found) in enumerate(files.items(), 1):
            yield f'<section class="group" id="file-{index}"><h3>{self._path(path)} <b>{len(found)}</b></h3>'
            for number, finding in found:
                yield from self._finding(number, finding)
            yield "</section>"
        yield "</section>"

    def _finding(self, number: int, finding: Finding) -> Iterator[str]:
        code = plain(finding.code)
        yield f'<article class="finding {finding.severity.value}" id="f{number}" tabindex="-1"><h4>'
        yield f'<a class="code-chip" href="#rule-{code}">{code}</a> <span class="name">{plain(finding.name)}</span>'
        if finding.certainty is not Certainty.CERTAIN:
            yield f'<span class="chip">{finding.certainty.label}</span>'
        if finding.verdict is not None:
            state = finding.verdict.state.value
            yield f'<span class="chip verdict {state}">{state}</span>'
        yield f"{self.code.link(finding.location, column=True)}</h4>"
        yield f'<p class="message">{_prose(finding.message)}</p>{self.code.frame(finding.location)}'
        if finding.help:
            yield f'<p class="help"><b>help</b> {_prose(finding.help)}</p>'
        yield from self._verdict(finding)
        yield from self._fix(finding)
        yield from self._steps(finding.related)
        if finding.other_ways:
            yield f'<details class="others"><summary>{finding.other_ways}</summary>'
            for reason in finding.others:
                yield from self._steps(reason)
            yield "</details>"
        yield from self._traced_by(finding)
        yield "</article>"

    def _steps(self, reason: Reason) -> Iterator[str]:
        if reason:
            yield '<ol class="steps">'
            for step in reason:
                yield f"<li><p>{_prose(step.message)} {self.code.link(step.location)}</p>"
                yield f"{self.code.frame(step.location, context=0)}</li>"
            yield "</ol>"

    def _verdict(self, finding: Finding) -> Iterator[str]:
        verdict = finding.verdict
        if verdict is None:
            return
        assumed = f" if {', and '.join(verdict.assumptions)}" if verdict.assumptions else ""
        state = verdict.state.value.removesuffix("-if") if assumed else verdict.state.value
        yield f'<div class="evidence"><p><b>traced</b> {plain(state + assumed)} (jax {plain(verdict.jax)})</p>'
        if verdict.evidence:
            yield f"<pre>{plain(chr(10).join(verdict.evidence))}</pre>"
        yield "</div>"

    def _fix(self, finding: Finding) -> Iterator[str]:
        if finding.fix is not None and finding.fix.edits:
            kind = finding.fix.applicability.value
            yield f'<div class="fix"><p><b>fix</b> {_prose(finding.fix.message)} <span class="chip">{kind}</span></p>'
            yield f"{self.code.diff(finding.fix)}</div>"

    def _traced_by(self, finding: Finding) -> Iterator[str]:
        """Links to the pictures that the finding's function is in."""
        functions = {function for function, found in self.within.items() if finding in found}
        roots = [root for root, reached in self.reached.items() if not functions.isdisjoint(reached)]
        if roots:
            links = (f'<a href="#r{self.numbers[root]}">{_label(root)}</a>' for root in roots[:_LISTED_ROOTS])
            more = f" and {len(roots) - _LISTED_ROOTS} more" if len(roots) > _LISTED_ROOTS else ""
            yield f'<p class="under"><b>runs under</b> {", ".join(links)}{more}</p>'

    # -- traces -----------------------------------------------------------------------------------

    def _traces(self) -> Iterator[str]:
        yield '<section id="traces"><h2>What is traced by what</h2>'
        if not self.traces:
            yield '<p class="nothing">No transform is applied to a function of these files.</p></section>'
            return
        yield '<p class="legend">Each row is a transform that code outside of any trace applies to a function; its '
        yield "picture has the functions that run under it. Colours are kinds of transforms: "
        yield " ".join(f'<span class="pill {kind}">{kind}</span>' for kind in (*KINDS, "other"))
        yield ". ↗ leads on to a function that the picture already has; … stands where calls were not followed.</p>"
        yield '<p class="all" hidden><button id="open" type="button">Open all</button>'
        yield '<button id="close" type="button">Close all</button></p>'
        opened = self._opened()
        for number, (path, roots) in enumerate(_by_file(self.traces).items(), 1):
            unfolded = len(self.traces) <= _UNFOLDED_ROOTS or not opened.isdisjoint(roots)
            yield f'<details class="group" id="traces-{number}"{" open" if unfolded else ""}>'
            yield f"<summary><h3>{self._path(path)} <b>{len(roots)}</b></h3>{_kinds(roots)}</summary>"
            for root in roots:
                yield from self._trace(root, root in opened)
            yield "</details>"
        yield "</section>"

    def _trace(self, root: Root, opened: bool) -> Iterator[str]:
        found = sum(len(self.within.get(function, ())) for function in self.reached[root])
        count = len(self.reached[root])
        pills = "".join(f'<span class="pill {kind_of(name)}">{plain(_last(name))}</span>' for name in root.transforms)
        badge = f'<span class="badge">{found} {_plural(found, "finding")}</span>' if found else ""
        yield f'<details class="trace" id="r{self.numbers[root]}"{" open" if opened else ""}>'
        yield f"<summary>{pills}<strong>{plain(root.function.name)}</strong>{badge}"
        yield f'<span class="size">{count} {_plural(count, "function")}</span>'
        yield f'<span class="line">line {root.place.line}</span></summary>'
        yield f'<p class="applied">applied at {self.code.link(root.place)}, to a function at '
        yield f"{self.code.link(root.function.location)}</p>"
        drawn = picture(root, self.traces[root], self.code, lambda function: len(self.within.get(function, ())))
        yield f'<div class="scroll" tabindex="0">{drawn}</div></details>'

    def _opened(self) -> set[Root]:
        if len(self.traces) <= _OPEN_PICTURES:
            return set(self.traces)
        found = (root for root in self.traces if any(self.within.get(f) for f in self.reached[root]))
        return {root for root, _ in zip(found, range(_OPEN_PICTURES))}

    # -- rules and sources ------------------------------------------------------------------------

    def _rules(self) -> Iterator[str]:
        if not self.findings:
            return
        yield '<section id="rules"><h2>Rules</h2>'
        counted = _by_rule(self.findings)
        codes = [code for (code, _), _ in counted]
        for (code, name), count in counted:
            rule = all_rules().get(code)
            yield f'<section class="rule" id="rule-{plain(code)}"><h3>{plain(code)} {plain(name)} <b>{count}</b></h3>'
            yield "<p>" + " · ".join(
                f'<a href="#f{number}">{plain(self.sources.shown_place(finding.location).rpartition(":")[0])}</a>'
                for number, finding in enumerate(self.findings, 1)
                if finding.code == code
            )
            yield "</p>"
            if rule is not None:
                web = f'<p><a href="{plain(rule.url)}">{code} on the web</a></p>' if rule.url else ""
                yield f'<details class="card"><summary>{_prose(rule.summary)}</summary>{card(rule, codes)}{web}'
                yield "</details>"
            yield "</section>"
        yield "</section>"

    def _sources(self) -> Iterator[str]:
        yield '<section id="sources"><h2>Sources</h2>'
        yield from self.code.files()
        yield "</section>"

    def _path(self, path: str) -> str:
        return plain(self.sources.shown_path(path))

    def _short_path(self, path: str) -> str:
        """The end of a link's tag and its text, which loses its middle where it is too long: the file's name stays."""
        shown = self.sources.shown_path(path)
        folder, slash, name = shown.replace(os.sep, "/").rpartition("/")
        return (
            f' class="path" title="{plain(shown)}"><span class="folder">{plain(folder)}</span>'
            f'<span class="file">{plain(slash + name)}</span>'
        )


def _by_function(findings: Iterable[Finding], functions: set[Callee]) -> dict[Callee, list[Finding]]:
    """The findings in each function, each in the innermost one."""
    by_path: dict[str, list[Callee]] = {}
    for function in functions:
        by_path.setdefault(function.location.path, []).append(function)
    found: dict[Callee, list[Finding]] = {}
    for finding in findings:
        around = (f for f in by_path.get(finding.path, ()) if _contains(f.location, finding.location))
        inner = max(around, key=lambda f: (f.location.line, f.location.column), default=None)
        if inner is not None:
            found.setdefault(inner, []).append(finding)
    return found


def _contains(outer: Location, inner: Location) -> bool:
    start, end = (outer.line, outer.column), (outer.end_line, outer.end_column)
    return outer.cell == inner.cell and start <= (inner.line, inner.column) < end


def _by_file(traces: Iterable[Root]) -> dict[str, list[Root]]:
    found: dict[str, list[Root]] = {}
    for root in traces:
        found.setdefault(root.place.path, []).append(root)
    return found


def _by_rule(findings: Iterable[Finding]) -> list[tuple[tuple[str, str], int]]:
    return sorted(Counter((finding.code, finding.name) for finding in findings).items())


def _kinds(roots: Iterable[Root]) -> str:
    """How often which transform is applied first."""
    counts = Counter(root.transforms[0] for root in roots)
    return "".join(
        f'<span class="pill {kind_of(name)}">{plain(_last(name))} {count}</span>'
        for name, count in counts.most_common()
    )


def _label(root: Root) -> str:
    return plain(f"{' ∘ '.join(map(_last, root.transforms))} of {root.function.name}")


def _last(transform: str) -> str:
    return transform.rpartition(".")[2]


def _plural(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"


def _prose(text: str) -> str:
    """A message, what stands between backticks as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return plain(text)
    return "".join(f"<code>{plain(part)}</code>" if index % 2 else plain(part) for index, part in enumerate(parts))


def _part(name: str) -> str:
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return file.read()
