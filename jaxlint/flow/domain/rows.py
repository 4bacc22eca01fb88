"""The rows that hold for one program: its own, and those of installed packages."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.project.program import Program
    from jaxlint.semantics.rows import Row


class Rows:
    """Rows by the qualified names of functions and methods.

    ``like`` has the names that merely stand for another one.
    """

    def __init__(self, rows: Iterable[Row], transforms: Iterable[tuple[str, str]]) -> None:
        self._functions: dict[str, Row] = {}
        self._methods: dict[str, Row] = {}
        self.like: dict[str, str] = dict(transforms)
        self._sources = dict.fromkeys(self.like, "the settings")
        for row in rows:
            if not row.is_method and row.name in self._sources:
                continue  # who comes first knows better
            self._sources.setdefault(row.name, row.source)
            if row.is_method:
                self._methods.setdefault(row.name, row)
            elif row.stands_for:
                self.like[row.name] = row.stands_for
            else:
                self._functions[row.name] = row
        self._owners = frozenset(name.rpartition(".")[0] for name in self._methods)
        self._names = frozenset(
            part for name in (*self._functions, *self._methods, *self.like) for part in _beginnings(name)
        )

    @classmethod
    def of(cls, program: Program) -> Rows:
        """Those that hold for a program."""
        return cls(rows_for(program), program.settings.transforms)

    def __bool__(self) -> bool:
        return bool(self._names)

    def function(self, name: str) -> Row | None:
        """What is said of the function of this qualified name."""
        return self._functions.get(name)

    def method(self, name: str) -> Row | None:
        """What is said of a method, by the name of its class or of what makes its objects."""
        return self._methods.get(name)

    def source(self, name: str) -> str:
        """The file that speaks of the function, or empty."""
        return self._sources.get(name, "")

    def owns(self, name: str) -> bool:
        """Whether it is a class, or makes objects, of which methods are known."""
        return name in self._owners

    def speak_of(self, name: str) -> bool:
        """Whether it is a name that a row has, or one that leads there."""
        return name in self._names

    def shorts(self) -> frozenset[str]:
        """The last parts of all names."""
        return frozenset(name.rpartition(".")[2] for name in (*self._functions, *self._methods, *self.like))


def rows_for(program: Program) -> tuple[Row, ...]:
    """The rows of a program's settings, then those that packages ship which are not the program itself.

    What is wrong with a file of a package is among the program's problems afterwards.
    """
    rows = list(program.settings.libraries)
    for package, path in program.around.shipped:
        if any(name.partition(".")[0] == package for name in program.modules):
            continue
        found, problem = _shipped(package, path)
        rows += found
        if problem and problem not in program.problems:
            program.problems.append(problem)
    return tuple(rows)


def _beginnings(name: str) -> Iterable[str]:
    while name:
        yield name
        name = name.rpartition(".")[0]


@cache
def _shipped(package: str, path: str) -> tuple[tuple[Row, ...], str]:
    """The rows in a file of a package, and what is wrong with it."""
    from jaxlint.settings.row_files import read_rows

    try:
        rows = read_rows(path, path)
    except ValueError as error:
        return (), str(error)
    foreign = next((row.name for row in rows if row.name.partition(".")[0] != package), None)
    if foreign is not None:
        return (), f"{path}: `{foreign}` is not in {package}: a package speaks of its own functions only"
    return rows, ""
