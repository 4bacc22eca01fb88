"""Making a program small that shows something.

What is left of a program may never end, or take all memory: it is tried in a process of its own.
"""

from __future__ import annotations

import ast
import copy
import itertools
import multiprocessing
import resource
import time
from collections.abc import Callable, Iterator
from multiprocessing.pool import Pool
from typing import Any, Self

SECONDS = 15.0
BYTES = 3 << 30
"""What one program may take, the time with what a process takes to start."""


class Elsewhere:
    """A process that asks a question of one program after the other, and another one once a program does not end."""

    def __init__(self, begin: Callable[[], None], seconds: float = SECONDS) -> None:
        self._begin = begin
        self._seconds = seconds
        self._process: Pool | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def says(self, question: Callable[..., bool], *about: Any) -> bool:
        """The answer; a program that does not run, or runs too long, shows nothing."""
        if self._process is None:
            self._process = multiprocessing.get_context("spawn").Pool(1, _bounded, (self._begin,))
        try:
            return self._process.apply_async(question, about).get(self._seconds)
        except multiprocessing.TimeoutError:  # also where the process was killed
            self._end()
            return False
        except Exception:
            return False

    def _end(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.join()
            self._process = None


def _bounded(begin: Callable[[], None]) -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))
    begin()


def shrunk(text: str, shows: Callable[[str], bool], seconds: float = 90.0) -> str:
    """A smaller program that shows the same: statements go first, half a body at a time, then expressions."""
    deadline, tree = time.monotonic() + seconds, ast.parse(text)
    for smaller in (_without_statements, _without_statements, _with_simpler_expressions):
        position = 0
        while time.monotonic() < deadline:
            candidate = next(itertools.islice(smaller(tree), position, None), None)
            if candidate is None:
                break
            if shows(ast.unparse(candidate)):
                tree = candidate
            else:
                position += 1
    return ast.unparse(tree)


def _without_statements(tree: ast.Module) -> Iterator[ast.Module]:
    """The programs that lack some statements of one body, the many first, or have a block in the place of its `if`."""
    for number, node in enumerate(ast.walk(tree)):
        for name in ("body", "orelse"):
            body = getattr(node, name, None)
            if not isinstance(body, list) or not body:
                continue
            size = len(body)
            while size:
                for first in reversed(range(0, len(body), size)):
                    if size < len(body) or name == "orelse":
                        yield _changed(tree, number, name, first, size, [])
                size //= 2
            for index, statement in enumerate(body):
                if isinstance(statement, (ast.If, ast.For, ast.While, ast.Try, ast.With)):
                    yield _changed(tree, number, name, index, 1, statement.body)


def _changed(tree: ast.Module, number: int, name: str, first: int, size: int, new: list[ast.stmt]) -> ast.Module:
    tree = copy.deepcopy(tree)
    getattr(_nth(tree, number), name)[first : first + size] = copy.deepcopy(new)
    return tree


_MADE_OF_PARTS = (ast.Call, ast.BinOp, ast.IfExp, ast.Subscript, ast.BoolOp, ast.Dict, ast.ListComp)


def _with_simpler_expressions(tree: ast.Module) -> Iterator[ast.Module]:
    """The programs that have a part of an expression in its place; what a parameter is declared to be stays."""
    declared = [node.annotation for node in ast.walk(tree) if isinstance(node, ast.arg) and node.annotation]
    for number, node in enumerate(ast.walk(tree)):
        if node not in declared and isinstance(node, _MADE_OF_PARTS):
            for child in [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]:
                if not isinstance(child, (ast.Lambda, ast.Slice, ast.Starred)) and child is not getattr(
                    node, "func", None
                ):
                    yield _replaced(tree, number, child)


def _replaced(tree: ast.Module, number: int, child: ast.expr) -> ast.Module:
    new = copy.deepcopy(tree)
    old = _nth(new, number)

    class Replace(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return copy.deepcopy(child) if node is old else self.generic_visit(node)

    return Replace().visit(new)


def _nth(tree: ast.AST, number: int) -> Any:
    return next(node for index, node in enumerate(ast.walk(tree)) if index == number)
