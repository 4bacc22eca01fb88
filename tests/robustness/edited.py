"""Programs as trees that can be changed: each place of what is printed of them knows the lines that it comes from."""

from __future__ import annotations

import ast
import copy
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeVar

Node = TypeVar("Node", bound=ast.AST)
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Line(NamedTuple):
    """A line of the program as it was."""

    path: str
    number: int


class Printed(NamedTuple):
    """The text of an edited program, and for each line and column (from 1) the lines of the original it stands for."""

    files: dict[str, str]
    places: dict[str, dict[tuple[int, int], frozenset[Line]]]

    def lines_at(self, path: str, line: int, column: int) -> frozenset[Line]:
        """The original lines of a place; of one that is inside an expression, those of where the expression starts."""
        before = [at for at in self.places[path] if at[0] == line and at[1] <= column]
        return self.places[path][max(before)] if before else frozenset()


class Trees:
    """The files of a program as syntax trees, by path; the last one is the one that runs.

    Every node stands for lines of the original: those that were parsed for the line they start on, others for what
    `place` or `copied` says.  Raises SyntaxError for a text that is none of Python.
    """

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = {path: ast.parse(text) for path, text in files.items()}
        self._lines: dict[ast.AST, frozenset[Line]] = {}
        self._words = {word for tree in self.files.values() for word in _words(tree)}
        for path, tree in self.files.items():
            for node in ast.walk(tree):
                if (number := getattr(node, "lineno", None)) is not None:
                    self._lines[node] = frozenset({Line(path, number)})

    def place(self, node: Node, *like: ast.AST) -> Node:
        """The node, standing with all of its parts that stand for nothing yet for the lines of others."""
        lines = frozenset().union(*(self._lines[one] for one in like))
        for part in ast.walk(node):
            self._lines.setdefault(part, lines)
        return node

    def copied(self, node: Node, *like: ast.AST) -> Node:
        """A copy whose parts stand for the lines of the originals and of others."""
        lines = frozenset().union(*(self._lines[one] for one in like))
        twin = copy.deepcopy(node)
        for old, new in zip(ast.walk(node), ast.walk(twin), strict=True):
            self._lines[new] = self._lines.get(old, frozenset()) | lines
        return twin

    def fresh(self, stem: str) -> str:
        """A name that nothing in the program has."""
        number = 1
        while f"{stem}_{number}" in self._words:
            number += 1
        self._words.add(f"{stem}_{number}")
        return f"{stem}_{number}"

    def functions(self) -> Iterator[Function]:
        """The functions of all files, outer ones first."""
        for tree in self.files.values():
            yield from functions_in(tree)

    def printed(self) -> Printed:
        """The program as text.  Raises ValueError where the text does not say what the trees do."""
        texts = {path: ast.unparse(ast.fix_missing_locations(tree)) + "\n" for path, tree in self.files.items()}
        places = {path: self._places(self.files[path], text) for path, text in texts.items()}
        return Printed(texts, places)

    def _places(self, tree: ast.Module, text: str) -> dict[tuple[int, int], frozenset[Line]]:
        lines = text.encode().split(b"\n")
        places: dict[tuple[int, int], frozenset[Line]] = defaultdict(frozenset)
        for old, new in zip(ast.walk(tree), ast.walk(ast.parse(text)), strict=True):
            if type(old) is not type(new):
                raise ValueError(f"{ast.dump(old)} is printed as {ast.dump(new)}")
            if isinstance(new, ast.stmt | ast.expr | ast.arg | ast.keyword | ast.alias | ast.excepthandler):
                column = len(lines[new.lineno - 1][: new.col_offset].decode()) + 1
                places[new.lineno, column] |= self._lines.get(old, frozenset())
        return dict(places)


def functions_in(node: ast.AST) -> Iterator[Function]:
    return (inner for inner in ast.walk(node) if isinstance(inner, Function))


def _words(tree: ast.AST) -> Iterator[str]:
    """Everything in a tree that may be a name."""
    for node in ast.walk(tree):
        for value in vars(node).values():
            if isinstance(value, str):
                yield value
            elif isinstance(value, list):
                yield from (item for item in value if isinstance(item, str))
