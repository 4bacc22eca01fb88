"""What the editor shows of a place: the card of a rule, what is known of a variable, and where it is traced.

All of this runs in the worker's thread.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator

from jaxlint.checks.base import APPLIED
from jaxlint.checks.why import explain_name, traced_functions, traced_parameters
from jaxlint.dynamic.inputs.recordings import DEFAULT_FILE
from jaxlint.project.documents import Document
from jaxlint.project.logical_lines import scan
from jaxlint.project.named import name_at
from jaxlint.report.lsp import uri_of
from jaxlint.server.projects import Checked, Projects
from jaxlint.server.recorded import recorded_values
from jaxlint.server.worker import Token
from jaxlint.vocabulary.findings import Finding, Location
from jaxlint.vocabulary.rules import Rule, find_rule

_WORD = re.compile(r"[\w-]+")
_HEADING = re.compile(r"^##? (.*)$", re.MULTILINE)


def hover(projects: Projects, checked: Checked, at: Location, token: Token) -> str | None:
    """Markdown about a place of a file (its line and column), or None where there is nothing to say."""
    document = projects.session(checked.path).document(checked.path)
    place = document.virtual(at)
    if place is None:
        return None
    rule = rule_in_comment(document, place)
    if rule is not None:
        return card(rule)
    told = [_variable(projects, checked.path, place, token)]
    told += [card(found) for finding in findings_at(checked, at) if (found := find_rule(finding.code)) is not None]
    return "\n\n---\n\n".join(dict.fromkeys(filter(None, told))) or None


def card(rule: Rule) -> str:
    """A rule's page in short, and where the whole of it is; editors would draw headings larger than the window."""
    told = _HEADING.sub(r"**\1**", rule.in_short.replace("\n## What it does\n", "", 1))
    return f"{told}\n[All of {rule.code}, with examples]({rule.url or uri_of(rule.card)})"


def findings_at(checked: Checked, at: Location) -> Iterator[Finding]:
    """The findings whose place has this line and column in it."""
    for finding in checked.findings:
        place = finding.location
        end = (place.end_line, place.end_column) if place.end_line else (place.line, place.column)
        if place.cell == at.cell and (place.line, place.column) <= (at.line, at.column) <= end:
            yield finding


def rule_in_comment(document: Document, place: Location) -> Rule | None:
    """The rule whose code or name stands at a place in a comment about jaxlint or a `noqa`."""
    line = document.lines[place.line - 1] if place.line <= len(document.lines) else ""
    if "jaxlint" not in line and "noqa" not in line.lower():
        return None
    word = next((found[0] for found in _WORD.finditer(line) if found.start() < place.column <= found.end() + 1), "")
    rule = find_rule(word) if word else None
    comments = (comment for comment in scan(document.text)[0] if comment.line == place.line)
    return rule if rule is not None and any(comment.column < place.column for comment in comments) else None


def transforms_of(finding: Finding) -> list[Location]:
    """Where the transforms are applied that a finding's value is traced by."""
    steps = (step for reason in finding.reasons for step in reason)
    return [step.location for step in steps if step.message.endswith(APPLIED)]


def parameter_hints(projects: Projects, path: str, token: Token) -> list[tuple[Location, str]]:
    """The end of each traced parameter in a file, and why it is traced."""
    session = projects.session(path)
    program = session.program(path)
    document = session.document(path)
    module = program.at(path)
    if module is None or document.tree is None:
        return []
    behind = session.modules_behind(path)
    found = traced_parameters(program, program.settings, module.path, token.is_called_off, behind)
    token.check()
    places = ((document.location(parameter), parameter, told) for parameter, told in found)
    return [
        (document.place(Location(path, place.line, place.column + len(parameter.arg))), _relative(projects, path, told))
        for place, parameter, told in places
        if not _is_broken(document, place)
    ]


def traced_lenses(projects: Projects, path: str, token: Token) -> list[tuple[Location, str, Location]]:
    """The functions in a file that are traced: where each is, what is said of it, and where a transform is applied."""
    session = projects.session(path)
    program, document = session.program(path), session.document(path)
    module = program.at(path)
    if module is None or document.tree is None:
        return []
    found = traced_functions(program, program.settings, module.path, token.is_called_off, session.modules_behind(path))
    token.check()
    lenses = []
    for node, roots in found:
        place = document.location(node)
        if isinstance(node, ast.Lambda) or _is_broken(document, place):
            continue
        one = roots[0].message.removesuffix(APPLIED).strip("` ")
        told = f"traced by {one}" if len(roots) == 1 else f"traced by {len(roots)} roots"
        lenses.append((document.place(place), told, program.place(roots[0].location)))
    return lenses


def _is_broken(document: Document, place: Location) -> bool:
    return document.layout is not None and document.layout.is_broken(place.line)


def _variable(projects: Projects, path: str, place: Location, token: Token) -> str | None:
    session = projects.session(path)
    program = session.program(path)
    module = program.at(path)
    tree = module.document.tree if module is not None else None
    if module is None or tree is None or session.document(path).problem is not None:
        return None
    found = name_at(module.document, tree, place)
    if found is None:
        return None
    node, around = found
    behind = session.modules_behind(path)
    lines = explain_name(program, program.settings, module.path, node, token.is_called_off, behind)
    token.check()
    if isinstance(node, (ast.arg, ast.Name)) and around:
        name = node.arg if isinstance(node, ast.arg) else node.id
        recording = os.path.join(program.root, DEFAULT_FILE)
        lines += [f"recorded: {name}: {text}" for text in recorded_values(recording, module.path, around, name)]
    return f"```text\n{_relative(projects, path, lines)}\n```" if lines else None


def _relative(projects: Projects, path: str, lines: Iterable[str]) -> str:
    """Lines with the paths in them as seen from the workspace folder."""
    base = projects.home(path) or os.path.dirname(path)
    return "\n".join(line.replace(base.rstrip(os.sep) + os.sep, "") for line in lines)
