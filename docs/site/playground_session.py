"""The playground's Python: one session on one text, asked in JSON.  The browser runs this in a worker (`worker.js`).

Places are told as offsets into the text as JavaScript counts: in UTF-16.
"""

from __future__ import annotations

import bisect
import json
import os
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from jaxlint.checks.why import explain_line, explain_name, traced_parameters
from jaxlint.fixes.fixing import accepted, fix
from jaxlint.project.concern import concerns_jax
from jaxlint.project.depth import nesting_depth
from jaxlint.project.documents import Document, document_of_python
from jaxlint.project.layout import LINE_BREAK, spliced, splices
from jaxlint.project.named import name_at
from jaxlint.report.escaping import UNSEEN
from jaxlint.report.fixes import diff_of
from jaxlint.running.session import Session
from jaxlint.settings.configuration import Configuration
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary.findings import Certainty, Edit, Finding, Fix, Location, Related

NAME = "code.py"

MAX_DEPTH = 300
"""Of a tree: parsing a deep one, or letting go of it, overflows the stack of a browser, which ends the worker."""

Answer = dict[str, Any]


class CannotCheck(Exception):
    """The message is the one line to show."""


class Places:
    """Lines and columns of a text, and offsets into it as JavaScript counts them."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self._starts = [0, *(match.end() for match in LINE_BREAK.finditer(text))]

    def offset(self, line: int, column: int) -> int:
        """The offset of a 1-based line and column, or of the text's end."""
        if line > len(self._starts):
            return self._units(len(self.text))
        return self._units(min(self._starts[line - 1] + max(column, 1) - 1, len(self.text)))

    def span(self, place: Location) -> tuple[int, int]:
        start = self.offset(place.line, place.column)
        return start, self.offset(place.end_line, place.end_column) if place.end_line else start

    def location(self, offset: int) -> Location:
        """The place of an offset."""
        characters = offset - bisect.bisect_left(self._wide_units, offset)
        line = bisect.bisect_right(self._starts, characters)
        return Location(self.path, line, characters - self._starts[line - 1] + 1)

    def _units(self, characters: int) -> int:
        return characters + bisect.bisect_left(self._wide, characters)

    @cached_property
    def _wide(self) -> list[int]:
        """Where characters are that JavaScript counts twice."""
        return [] if self.text.isascii() else [at for at, char in enumerate(self.text) if char > "\uffff"]

    @cached_property
    def _wide_units(self) -> list[int]:
        return [at + number for number, at in enumerate(self._wide)]


class Playground:
    """A text that changes, and what is known of it; with ``possible`` findings, and those of rules in ``preview``."""

    def __init__(self, folder: str, possible: bool = False, preview: bool = False) -> None:
        os.makedirs(folder, exist_ok=True)
        self.folder, self.path = folder, os.path.join(folder, NAME)
        self.settings = Settings(certainty=Certainty.POSSIBLE if possible else Certainty.LIKELY, preview=preview)
        self._begin()

    def _begin(self) -> None:
        self.session = Session(Configuration(self.folder, fixed=self.settings), mends=True)
        self.places = Places(self.path, "")

    def check(self, text: str, fixes: bool) -> Answer:
        """The findings in the text, which it is from now on; with their ``fixes`` once libcst is there."""
        if nesting_depth(text) > MAX_DEPTH:
            raise CannotCheck(
                f"This text nests deeper than {MAX_DEPTH:,} levels, which is too deep for the playground."
            )
        self.session.change(self.path, text)
        self.places = Places(self.path, text)
        found = self.session.findings(self.path, fixes=fixes)
        program = self.session.program(self.path)
        return {
            "findings": [self._finding(finding) for finding in found],
            "concerns jax": concerns_jax(program),
            "can fix": not self.session.is_broken(self.path) and any(map(accepted(unsafe=False), found)),
        }

    def why(self, line: int) -> Answer:
        """What `jaxlint why` says of a line."""
        program = self.session.program(self.path)
        return {"lines": [self._seen(told) for told in explain_line(program, program.settings, self.path, line)]}

    def hover(self, offset: int) -> Answer:
        """What is known of the name at an offset: as in the editor.  No lines where there is no name."""
        program, document = self.session.program(self.path), self.session.document(self.path)
        place = document.virtual(self.places.location(offset))
        found = name_at(document, document.tree, place) if document.tree is not None and place is not None else None
        if found is None:
            return {"lines": []}
        behind = self.session.modules_behind(self.path)
        lines = explain_name(program, program.settings, self.path, found[0], _never, behind)
        start, end = self.places.span(document.place(document.location(found[0])))
        return {"lines": list(map(self._seen, lines)), "start": start, "end": end}

    def traced(self) -> Answer:
        """The parameters that are tracers under some transform."""
        program, document = self.session.program(self.path), self.session.document(self.path)
        if document.tree is None:
            return {"spans": []}
        behind = self.session.modules_behind(self.path)
        found = traced_parameters(program, program.settings, self.path, _never, behind)
        told = ((document.location(parameter), len(parameter.arg)) for parameter, _ in found)
        shown = ((document.place(place), length) for place, length in told if not _is_broken(document, place))
        starts = ((self.places.offset(place.line, place.column), length) for place, length in shown)
        return {"spans": sorted((start, start + length) for start, length in starts)}

    def fix_all(self) -> Answer:
        """The text with all safe fixes, and those that then become possible; as it is where it does not parse."""
        before = self.session.document(self.path)
        if before.tree is None or self.session.is_broken(self.path):
            return {"text": self.places.text, "count": 0}
        real = os.path.realpath(self.path)

        def lint(documents: dict[str, Document]) -> list[Finding]:
            self.session.put(documents[real])
            return self.session.findings(self.path)

        try:
            fixed = fix(lint, {real: before}, accepted(unsafe=False))
        finally:
            self.session.put(before)
        after = fixed.documents.get(real)
        return {"text": before.text if after is None else after.text, "count": len(fixed.applied)}

    def warm_up(self) -> Answer:
        """Imports libcst and the fixers before somebody waits for them."""
        text = "import jax\n\n@jax.jit\ndef f(x):\n    print(x)\n"
        other = Session(Configuration(self.folder, fixed=Settings()))
        other.put(document_of_python(self.path, text))
        other.findings(self.path)
        return {}

    def answer(self, asked: str) -> str:
        """The answer to a question, both in JSON.  An error is one line, and the next question finds a new session."""
        question = json.loads(asked)
        ways: dict[str, Callable[[], Answer]] = {
            "check": lambda: self.check(question["text"], question["fixes"]),
            "why": lambda: self.why(question["line"]),
            "hover": lambda: self.hover(question["offset"]),
            "traced": self.traced,
            "fix all": self.fix_all,
            "warm up": self.warm_up,
        }
        try:
            told = ways[question["do"]]()
        except CannotCheck as error:
            told = {"error": str(error)}
        except Exception as error:
            self._begin()
            told = {"error": self._seen(f"This text could not be checked ({type(error).__name__}: {error}).")}
        return json.dumps(told)

    def _finding(self, finding: Finding) -> Answer:
        start, end = self.places.span(finding.location)
        certain = finding.certainty is Certainty.CERTAIN
        return {
            "code": finding.code,
            "name": finding.name,
            "severity": finding.severity.value,
            "certainty": "" if certain else finding.certainty.label,
            "message": self._seen(finding.message),
            "help": self._seen(finding.help or ""),
            "line": finding.location.line,
            "start": start,
            "end": end,
            "steps": self._steps(finding.related),
            "fix": None if finding.fix is None else self._fix(finding.fix),
        }

    def _steps(self, steps: Iterable[Related]) -> list[Answer]:
        told = []
        for step in steps:
            start, end = self.places.span(step.location)
            told.append({"message": self._seen(step.message), "line": step.location.line, "start": start, "end": end})
        return told

    def _fix(self, made: Fix) -> Answer:
        text = self.places.text
        after = spliced(text, splices(text, sorted(set(made.edits))))
        return {
            "title": self._seen(made.message),
            "safe": made.applicability.is_safe,
            "edits": [self._edit(edit) for edit in sorted(set(made.edits))],
            "diff": [self._seen(line) for line in diff_of(text, after, NAME)][2:],
        }

    def _edit(self, edit: Edit) -> Answer:
        start, end = self.places.span(edit.location)
        return {"start": start, "end": end, "content": edit.content}

    def _seen(self, text: str) -> str:
        """Text with the characters made visible that nobody can see, and without the folder, which is nobody's."""
        return text.replace(self.folder + os.sep, "").translate(UNSEEN)


def _is_broken(document: Document, place: Location) -> bool:
    return document.layout is not None and document.layout.is_broken(place.line)


def _never() -> bool:
    return False
