"""What jaxlint says of a program, and whether it says the same after an edit that means nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from jaxlint.project.documents import document_of_python
from jaxlint.running.once import Run
from jaxlint.settings.configuration import Configuration
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary.findings import Certainty, Location
from tests.robustness.edited import Line, Printed, Trees
from tests.robustness.kinds_of_edits import EDITS

ROOT = os.path.join(os.sep, "edited")
"""Where the programs would be, were they on the disk."""


class Place(NamedTuple):
    path: str
    line: int
    column: int

    @classmethod
    def of(cls, location: Location) -> Place:
        return cls(os.path.relpath(location.path, ROOT), location.line, location.column)


class Said(NamedTuple):
    """One finding, with the places that it is told with."""

    code: str
    certainty: str
    place: Place
    related: tuple[Place, ...]


def said_of(files: Mapping[str, str]) -> list[Said]:
    """Everything that is found in a program, which need not be on the disk."""
    documents = {os.path.join(ROOT, path): text for path, text in files.items()}
    settings = Configuration(ROOT, fixed=Settings(certainty=Certainty.POSSIBLE, preview=True))
    read = {path: document_of_python(path, text) for path, text in documents.items()}
    found = Run(settings, sorted(read), [ROOT], read).findings(fixes=False)
    return [
        Said(
            one.code,
            one.certainty.label,
            Place.of(one.location),
            tuple(Place.of(step.location) for step in one.related),
        )
        for one in found
    ]


_USED_UP = ("JAX4", "JAX508")
"""What tells of keys that are used again, and of arrays that are read after they were donated."""


_COMPILED_ANEW = {"JAX502", "JAX503"}
"""What tells of a function that is compiled anew in each pass of a loop: in the loop itself, or in what it calls."""


class Told(NamedTuple):
    """One finding by lines of the original: those that its place stands for, and those of the places around it."""

    code: str
    certainty: str
    lines: frozenset[Line]
    related: frozenset[Line]

    @classmethod
    def of(cls, said: Said, printed: Printed | None = None) -> Told:
        places = (said.place, *said.related)
        lines = [frozenset({Line(*at[:2])}) if printed is None else printed.lines_at(*at) for at in places]
        return cls(said.code, said.certainty, lines[0], frozenset().union(*lines[1:]))

    def is_same(self, other: Told, in_helper: bool) -> bool:
        """Whether another program's finding tells the same; ``in_helper``: if what it is about is in a new function.

        Who uses a key, or donates an array, and hands it back is told of, not the caller that uses it.  And what is
        only possible for what the function around is there for is not of a function that anybody may call for anything.
        """
        swapped = in_helper and (self.lines & other.related or self.related & other.lines)
        graded = in_helper and self.certainty == "possible"
        same_place = self.lines & other.lines or (self.code.startswith(_USED_UP) and swapped)
        same_rule = self.code == other.code or {self.code, other.code} == _COMPILED_ANEW
        return bool(same_place) and same_rule and (graded or self.certainty == other.certainty)


class Difference(NamedTuple):
    """A finding that only the program, or only the edited program has, on one of these lines of the program."""

    sign: str  # "-": it is gone, "+": it is new
    code: str
    certainty: str
    lines: tuple[Line, ...]

    def __str__(self) -> str:
        return f"{self.sign}{self.code} {self.certainty}, line {' or '.join(str(one.number) for one in self.lines)}"


MAKES_HELPERS = "extracted helpers"


class Edited(NamedTuple):
    """A program after an edit."""

    kind: str
    printed: Printed


def edited(files: Mapping[str, str], kind: str) -> Edited | None:
    """The program after an edit of one kind; None where there is nothing to edit."""
    trees = Trees(files)
    as_it_was = Trees(files).printed().files
    EDITS[kind](trees)
    printed = trees.printed()
    return None if printed.files == as_it_was and kind != "printed anew" else Edited(kind, printed)


def differences(before: list[Said], after: Edited) -> list[Difference]:
    """What is told of an edited program only, or is not told of it."""
    in_helper = after.kind == MAKES_HELPERS
    old = [Told.of(one) for one in before]
    new = [Told.of(one, after.printed) for one in said_of(after.printed.files)]
    gone = [one for one in old if not any(one.is_same(other, in_helper) for other in new)]
    come = [other for other in new if not any(one.is_same(other, in_helper) for one in old)]
    signed = [*(("-", one) for one in gone), *(("+", one) for one in come)]
    return sorted({Difference(sign, one.code, one.certainty, tuple(sorted(one.lines))) for sign, one in signed})
