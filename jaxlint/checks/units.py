"""Units of work: what starting in one module of a program finds, whichever others are run, and wherever they are."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from jaxlint.project.program import Program
from jaxlint.vocabulary.findings import Finding, Location

WORTH_IT = 400_000
"""Characters of Python that are left to analyse before processes are begun: below, one core is done as soon."""


@dataclass
class Unit:
    """What running one unit has come to, the modules that it has looked at, and what it has asked of the program."""

    name: str
    reports: list[Finding]
    failures: list[Finding]
    modules: list[str]
    questions: list[tuple[Any, ...]]


@dataclass
class Found:
    """What running some units has come to: data, which any process may have made."""

    reports: list[Finding] = field(default_factory=list)
    failures: list[Finding] = field(default_factory=list)
    traced: set[Location] = field(default_factory=set)
    units: list[Unit] = field(default_factory=list)

    def add(self, other: Found) -> None:
        self.reports += other.reports
        self.failures += other.failures
        self.traced |= other.traced
        self.units += other.units

    def add_unit(self, unit: Unit) -> None:
        self.reports += unit.reports
        self.failures += unit.failures


class Kept(Protocol):
    """What earlier runs have found in units of this program, and who keeps what this one finds."""

    def recall(self, name: str) -> tuple[Unit, list[str]] | None:
        """A unit that has looked at no module which is another one now, with what tells the answers to its questions
        from others."""
        ...

    def keep(self, unit: Unit, answers: list[str]) -> None:
        """Keeps a unit for runs to come."""
        ...


class Runner(Protocol):
    """Who runs units, of which ``names`` are the modules."""

    names: list[str]

    def run(self, names: list[str]) -> Found:
        """What is found by some of them."""
        ...


def usable(names: list[str], program: Program, jobs: int) -> int:
    """Of so many processes those that make it quicker to run some units of the program.

    They are forked, which takes a system where that is safe, and a process without threads of libraries such as JAX.
    """
    forks = sys.platform.startswith("linux") and "jax" not in sys.modules
    size = sum(len(program.modules[name].document.text) for name in names)
    return max(1, min(jobs, len(names))) if forks and size >= WORTH_IT else 1


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
