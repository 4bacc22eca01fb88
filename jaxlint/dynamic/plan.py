"""What to trace for a list of findings: modules to import, functions to call, places to watch.

A finding is traced through the function it stands in and through those that its explanation names: the one that
applies the transform, the one that hands the key on.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from jaxlint.dynamic.imports import in_common, needed
from jaxlint.dynamic.observations import Job, Span
from jaxlint.project.program import Module, Program
from jaxlint.vocabulary.findings import Finding, Location

RECORDINGS = ".jaxlint-recorded.jsonl"
"""Where `jaxlint record` writes, and where its file is looked for: at the program's root."""

ABOUT_SLOPES = frozenset({"JAX605", "JAX606"})
"""The rules that say of a place that it makes a gradient NaN."""

Target = tuple[str, str]
"""A module of the program and a qualified name in it, as Python writes it; empty for the module's own code."""


@dataclass
class Plan:
    """The jobs for a program, and which of their targets can say something of which finding."""

    jobs: list[Job]
    targets: dict[Finding, list[Target]]


@dataclass
class _Wanted:
    """What is asked of one module: the names to trace, in the order they were met.

    ``claimed`` of them have to do with findings, and come first; None where the whole module has not.  ``is_own``:
    a finding is in it, and not only something that a finding's reason names.
    """

    module: Module
    names: dict[str, None] = field(default_factory=dict)
    claimed: int | None = None
    is_own: bool = False


def plan(
    program: Program, findings: Iterable[Finding], traced: Iterable[Location] = (), lower_for: tuple[str, ...] = ()
) -> Plan:
    """The jobs that can decide ``findings``, and those that trace the functions at ``traced`` for what else shows.

    What findings wait for comes before the rest, in the order of the jobs and in each: the functions that they are in
    before those that their reasons name, and modules that need little of the project before those that need much,
    a model before the training loop around it.
    """
    wanted: dict[str, _Wanted] = {}
    targets: dict[Finding, list[Target]] = {}
    scopes = _Scopes(program)
    for finding in findings:
        places = [finding.location, *(related.location for related in finding.related)]
        targets[finding] = list(dict.fromkeys(target for place in places for target in scopes.at(place)))
    own = [target for finding in targets for target in scopes.at(finding.location)]
    for module, name in (*own, *(target for found in targets.values() for target in found)):
        asked = wanted.setdefault(module, _Wanted(program.modules[module]))
        asked.names |= {name: None} if name else {}
        asked.claimed = len(asked.names)
    for module, _ in own:
        wanted[module].is_own = True
    for module, name in (target for place in traced for target in scopes.at(place)):
        asked = wanted.setdefault(module, _Wanted(program.modules[module]))
        asked.names |= {name: None} if name else {}
    probes = tuple(dict.fromkeys(span_of(finding.location) for finding in targets))
    several = sum(max(len(asked.names), 1) for asked in wanted.values()) > 1
    common = in_common(program, (asked.module for asked in wanted.values())) if several else None
    slopes = tuple(dict.fromkeys(span_of(finding.location) for finding in targets if finding.code in ABOUT_SLOPES))
    shared = {"lower_for": lower_for, "common": common, "slopes": slopes}
    in_turn = sorted(wanted.values(), key=lambda asked: _turn(program, asked))
    jobs = [replace(_job(program, asked, probes), **shared) for asked in in_turn]  # type: ignore[arg-type]
    return Plan(jobs, targets)


def _turn(program: Program, asked: _Wanted) -> tuple[bool, bool, bool, int]:
    """What sorts the jobs.  A notebook takes as long as it may, and leads to nothing but itself."""
    is_unclaimed, is_notebook = asked.claimed is None, asked.module.path.endswith(".ipynb")
    cost = 0 if is_unclaimed else needed(program, asked.module)
    return is_unclaimed, is_notebook, not asked.is_own, cost


def span_of(place: Location) -> Span:
    return Span(os.path.realpath(place.path), place.line, place.column, place.end_line, place.end_column)


def _job(program: Program, asked: _Wanted, probes: tuple[Span, ...]) -> Job:
    module = asked.module
    recordings = os.path.join(program.root, RECORDINGS)
    declared = tuple(
        (name.partition(":")[2], call)
        for name, call in program.settings.inputs
        if name.partition(":")[0] == module.name
    )
    folder = os.path.dirname(os.path.realpath(module.path))
    around = () if os.path.isfile(os.path.join(folder, "__init__.py")) else (folder,)
    return Job(
        module=module.name,
        path=os.path.realpath(module.path),
        search=tuple(dict.fromkeys((*around, *map(os.path.realpath, program.source_roots), *_below(module)))),
        targets=tuple(asked.names),
        probes=probes,
        sources=tuple(program.by_path),
        recordings=recordings if os.path.isfile(recordings) else "",
        declared=declared,
        claimed=asked.claimed,
    )


def _below(module: Module) -> Iterator[str]:
    """The folder in which the dotted name starts.

    It is no source root where no import could name a folder between (`my-project/train/step.py` is `train.step`).
    """
    place = os.path.realpath(module.path)
    place = os.path.dirname(place) if module.is_package else os.path.splitext(place)[0]
    for part in reversed(module.name.split(".")):
        place, name = os.path.split(place)
        if name != part:
            return
    yield place


class _Scopes:
    """Finds the functions around a place."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.functions: dict[str, list[tuple[int, int, str]]] = {}

    def at(self, place: Location) -> Iterator[Target]:
        """The function that the place is in, and the functions around that one, innermost first."""
        module = self.program.at(place.path)
        if module is None or module.document.tree is None:
            return
        if module.name not in self.functions:
            self.functions[module.name] = list(_functions(module.document.tree.body, ""))
        names = [name for first, last, name in self.functions[module.name] if first <= place.line <= last]
        for name in sorted(names, key=len, reverse=True):
            yield module.name, name
        if not names:
            yield module.name, ""


def _functions(body: Iterable[ast.AST], prefix: str) -> Iterator[tuple[int, int, str]]:
    """(first line, last line, qualified name) of every def below, decorators included."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            name = prefix + node.name
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield first, node.end_lineno or node.lineno, name
            yield from _functions(node.body, f"{name}.<locals>.")
        elif not isinstance(node, ast.expr):
            yield from _functions(ast.iter_child_nodes(node), prefix)
