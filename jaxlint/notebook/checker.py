"""The process that checks: it keeps one analysis alive while the kernel runs cells, and draws what it finds.

A request is a line of JSON on standard input, its answer one on standard output.  It is a process of its own because
the kernel belongs to the user: the analysis wants a deep stack and its own ways of collecting garbage, it may
take long or, in the worst case, end; none of that is to be felt there.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TextIO

from jaxlint.checks.why import NoSuchLine, explain_line
from jaxlint.dynamic.observations import Kind
from jaxlint.dynamic.verdicts import EXPECTED
from jaxlint.notebook import html
from jaxlint.notebook.places import CellSources, with_cells
from jaxlint.notebook.shown import plain_lines, shown
from jaxlint.project.cells import Cell
from jaxlint.project.documents import Document, document_of_cells
from jaxlint.report.source import printable
from jaxlint.report.text import Paint
from jaxlint.running.session import Session
from jaxlint.settings.configuration import Configuration, ConfigurationError
from jaxlint.vocabulary.findings import Finding, Location

Answer = dict[str, Any]

Line = Sequence[int]
"""The number of a cell, and of a line in it."""


class Checker:
    """The cells of one kernel, and what was told of them."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.session = Session(Configuration(os.path.dirname(path)))
        self._told: set[tuple[str, Location]] | None = None  # not known: to another process, which has ended

    def warm_up(self, cells: Sequence[Cell]) -> Answer:
        """Gets ready, so that no cell has to wait for it; what is found in the cells until now is not told any more."""
        self.check([*cells, _FIRST], 0, (), False)
        return {}

    def check(self, cells: Sequence[Cell], since: int, raised_at: Iterable[Line], colour: bool) -> Answer:
        """What there is to show when the cells from number ``since`` on have run: nothing, or text and HTML.

        That is what is in these cells, or leads there from them, what they have made true of earlier ones, and
        what is found on the lines that an exception went through.
        """
        document = self._take(cells)
        found = self._findings(document)
        raised = {tuple(line) for line in raised_at}
        new = [
            finding
            for finding in found
            if (self._told is not None and _claim(finding) not in self._told)
            or _is_about(finding, since)
            or (finding.location.cell, finding.location.line) in raised
        ]
        self._told = set(map(_claim, found))
        if not new:
            return {}
        sources = CellSources({os.path.realpath(self.path): document}, os.path.dirname(self.path))
        new_claims = set(map(_claim, new))
        told = [shown(one, document) for one in self._findings(document, fixes=True) if _claim(one) in new_claims]
        lines = plain_lines(told, sources, Paint(colour))
        return {"plain": "\n".join(lines).rstrip("\n"), "html": html.page(told, sources)}

    def why(self, cells: Sequence[Cell], asked: str) -> Answer:
        """What `jaxlint why` says of a line, `3:2` or `2` in the last cell, or of where a name was last defined."""
        document = self._take(cells)
        place = _place(document, cells, asked)
        if place is None:
            return {"error": f"no cell that has run defines {asked}: `%jaxlint why NAME` or `%jaxlint why CELL:LINE`"}
        program = self.session.program(self.path)
        file = program.by_path[os.path.realpath(self.path)].path
        try:
            told = explain_line(program, program.settings, file, place[1], place[0])
        except NoSuchLine as error:
            return {"error": with_cells(str(error))}
        lines = [with_cells(printable(line)) for line in told]
        return {"plain": "\n".join(lines), "html": html.lines_page(lines)}

    def claims(self, cells: Sequence[Cell], name: str) -> Answer:
        """What is found in a function, or in the one that was defined last, as far as an exception can show it."""
        document = self._take(cells)
        name = name or _last_function(document)
        place = _place(document, cells, name) if name else None
        found = self._findings(document) if place is not None else []
        chosen = [one for one in found if _is_in(one, name) and place is not None and one.location.cell == place[0]]
        return {"name": name, "claims": [_as_claim(finding) for finding in chosen]}

    def _take(self, cells: Sequence[Cell]) -> Document:
        document = document_of_cells(self.path, cells)
        self.session.put(document)
        return document

    def _findings(self, document: Document, fixes: bool = False) -> list[Finding]:
        """No module imports the cells: what others showed when they were read stands."""
        return self.session.findings(document.path, fixes=fixes, prompt=True)


_FIRST = Cell(
    0,
    """\
import jax
key = jax.random.key(0)
x = jax.tree_map(jax.jit(jax.random.normal), key) + jax.random.normal(key)
x[0] = jax.random.normal(key)
""",
)
"""A cell that nobody wrote, with something to tell and to mend, so that all that this takes is loaded early."""


def _claim(finding: Finding) -> tuple[str, Location]:
    return finding.code, finding.location


def _is_about(finding: Finding, since: int) -> bool:
    """Whether the finding is in one of the cells from a number on, or they are the reason."""
    steps = (step.location for reason in finding.reasons for step in reason)
    return any(place.cell >= since for place in (finding.location, *steps))


def _place(document: Document, cells: Sequence[Cell], asked: str) -> tuple[int, int] | None:
    """The cell and the line that are asked for."""
    by_number = re.fullmatch(r"(?:(\d+):)?(\d+)", asked)
    if by_number is not None:
        return (int(by_number[1] or (cells[-1].number if cells else 0)), int(by_number[2]))
    line = _definition(document, asked)
    return None if line is None or document.layout is None else document.layout.lines[line - 1][:2]


def _definition(document: Document, name: str) -> int | None:
    """The line of the text on which a name was last defined: of a method, `Class.method`."""
    body: list[ast.stmt] = document.tree.body if document.tree is not None else []
    *classes, last = name.split(".")
    for outer in classes:
        found = [one for one in body if isinstance(one, ast.ClassDef) and one.name == outer]
        body = found[-1].body if found else []
    lines = [node.lineno for statement in body for node in _defining(statement, last)]
    return max(lines, default=None)


def _defining(statement: ast.stmt, name: str) -> list[ast.stmt | ast.expr]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement] if statement.name == name else []
    names = (node for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return [node for node in names if node.id == name]


def _last_function(document: Document) -> str:
    body = document.tree.body if document.tree is not None else []
    return next((one.name for one in reversed(body) if isinstance(one, ast.FunctionDef)), "")


def _is_in(finding: Finding, name: str) -> bool:
    return f"{finding.definition}.".startswith(f"{name}.")


_RAISED = {
    Kind.BOOL: "TracerBoolConversionError",
    Kind.INT: "ConcretizationTypeError",
    Kind.FLOAT: "ConcretizationTypeError",
    Kind.COMPLEX: "ConcretizationTypeError",
    Kind.CONCRETE: "ConcretizationTypeError",
    Kind.INDEX: "TracerIntegerConversionError",
    Kind.ARRAY: "TracerArrayConversionError",
}
"""What JAX raises where a tracer is asked for its value, by how it is asked."""


def _raised_by(kinds: Iterable[Kind]) -> set[str]:
    return {_RAISED[kind] for kind in kinds if kind in _RAISED}


def _as_claim(finding: Finding) -> Answer:
    """A finding as `confirming.py` asks for it."""
    place, expected = finding.location, EXPECTED.get(finding.code)
    kinds = expected.kinds if expected is not None else frozenset()
    return {
        "code": finding.code,
        "message": printable(finding.message),
        "cell": place.cell,
        "lines": [place.line, max(place.end_line, place.line)],
        "raises": sorted({*(expected.exceptions if expected is not None else ()), *_raised_by(kinds)}),
        "only raises": kinds <= _RAISED.keys(),
    }


def answer(checker: Checker, request: dict[str, Any]) -> Answer:
    """The answer to one request.  An error is told in a line, and the next request finds the checker as it was."""
    cells = [Cell(*fields) for fields in request["cells"]]
    asked: dict[str, Callable[[], Answer]] = {
        "warm up": lambda: checker.warm_up(cells),
        "check": lambda: checker.check(cells, request["since"], request["raised at"], request["colour"]),
        "claims": lambda: checker.claims(cells, request["name"]),
        "why": lambda: checker.why(cells, request["name"]),
    }
    try:
        return asked[request["do"]]()
    except ConfigurationError as error:
        return {"error": printable(str(error))}
    except Exception as error:
        return {"error": printable(f"this cell could not be checked ({type(error).__name__}: {error})")}


def serve(requests: TextIO, answers: TextIO, path: str) -> None:
    """Answers until nobody asks any more."""
    gc.enable()
    checker = Checker(path)
    for line in requests:
        request = json.loads(line)
        print(json.dumps({**answer(checker, request), "id": request["id"]}), file=answers, flush=True)


def main() -> None:
    """The process: `sys.argv[1]` is the path that the cells have together."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="ascii")
    requests = os.fdopen(os.dup(sys.stdin.fileno()), encoding="ascii")
    with contextlib.redirect_stdout(sys.stderr):  # what anything prints must not end up between the answers
        serve(requests, answers, sys.argv[1])
