"""Units of work: what starting in one module of a program finds, whichever others are run, and wherever they are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from jaxlint.files.records import decoded, to_json
from jaxlint.flow.source.parts import Parts
from jaxlint.project.program import Program
from jaxlint.vocabulary.findings import Finding, Location


@dataclass
class Unit:
    """What running one unit has come to, and, where that is to be kept, the ``parts`` of modules (`flow.source.parts`)
    that it has looked at and what it has asked of the program."""

    name: str
    reports: list[Finding]
    failures: list[Finding]
    parts: list[tuple[str, str]] = field(default_factory=list)
    questions: list[tuple[Any, ...]] = field(default_factory=list)


@dataclass
class Found:
    """What running some units has come to: data, which any process may have made."""

    units: list[Unit] = field(default_factory=list)
    traced: list[Location] = field(default_factory=list)

    def as_text(self) -> str:
        return to_json(self)

    @staticmethod
    def in_text(text: str) -> Found:
        found: Found = decoded(Found, json.loads(text))
        return found


def digest_of(findings: list[Finding], beside: Any) -> str:
    """What tells these findings, with what stands ``beside`` them, from others."""
    text = "\n".join([json.dumps(beside), *map(to_json, findings)])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Kept(Protocol):
    """What earlier runs have found in units of this program, and who keeps what this one finds.

    ``parts`` are those of all modules, by name.
    """

    parts: dict[str, Parts]

    def recall(self, name: str) -> tuple[Unit, list[str]] | None:
        """A unit that has looked at no module which is another one now, with what tells the answers to its questions
        from others."""
        ...

    def keep(self, unit: Unit, answers: list[str]) -> None:
        """Keeps a unit for runs to come."""
        ...


class Runner(Protocol):
    """Who runs units of a program, of which ``names`` are the modules; ``is_noting`` what they depend on."""

    program: Program
    names: list[str]
    is_noting: bool

    def run(self, names: list[str]) -> Found:
        """What is found by some of them."""
        ...


def size_of(names: list[str], program: Program) -> int:
    """How many characters of Python there are in the modules of these names."""
    return sum(len(program.modules[name].document.text) for name in names)


def in_parts(names: list[str], program: Program, count: int) -> Iterator[list[str]]:
    """The units in about so many parts of alike size, neighbours together: they look into the same modules."""
    sizes = {name: len(program.modules[name].document.text) for name in names}
    most, part, size = sum(sizes.values()) / max(count, 1), list[str](), 0
    for name in names:
        if part and size + sizes[name] > most:
            yield part
            part, size = [], 0
        part.append(name)
        size += sizes[name]
    if part:
        yield part
