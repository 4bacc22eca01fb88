"""Which names a pass of a loop may read before it binds them: what the last pass left in any other does not count."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from jaxlint.flow.source.trees import children, descendants

_NONE: frozenset[str] = frozenset()

Loop = ast.For | ast.AsyncFor | ast.While
Names = frozenset[str]
Reads = tuple[Names, Names | None]
"""The names that are read first, and those that are bound wherever the path goes on; None if it goes on nowhere."""


class ReadFirst:
    """What has been found out about loops, each once."""

    def __init__(self) -> None:
        self.known: dict[ast.AST, Names] = {}

    def of(self, loop: Loop) -> Names:
        """The names that a pass reads while they hold what was there before it."""
        found = self.known.get(loop)
        if found is None:
            if isinstance(loop, ast.While):
                found = self._after(_loads(loop.test), _NONE, loop.body)[0]
            else:
                found = self._after(_NONE, stores(loop.target), loop.body)[0] | _loads(loop.target)
            self.known[loop] = found
        return found

    def _after(self, reads: Names, bound: Names | None, body: Iterable[ast.stmt]) -> Reads:
        """What statements read and bind after others."""
        for statement in body:
            if bound is None:
                break
            its_reads, its_bound = _STATEMENTS.get(type(statement), ReadFirst._any)(self, statement)
            reads = reads | (its_reads - bound)
            bound = None if its_bound is None else bound | its_bound
        return reads, bound

    def _any(self, node: ast.stmt) -> Reads:
        return _loads(node), _NONE

    def _ends(self, node: ast.stmt) -> Reads:
        return _loads(node), None

    def _assign(self, node: ast.Assign) -> Reads:
        return _loads(node), frozenset(name for target in node.targets for name in stores(target))

    def _ann_assign(self, node: ast.AnnAssign) -> Reads:
        return _loads(node), stores(node.target) if node.value is not None else _NONE

    def _aug_assign(self, node: ast.AugAssign) -> Reads:
        return _loads(node) | stores(node.target), _NONE

    def _if(self, node: ast.If) -> Reads:
        sides = [self._after(_loads(node.test), _NONE, body) for body in (node.body, node.orelse)]
        bound = [names for _, names in sides if names is not None]
        return sides[0][0] | sides[1][0], frozenset.intersection(*bound) if bound else None

    def _for(self, node: ast.For | ast.AsyncFor) -> Reads:
        return _loads(node.iter) | self.of(node) | self._after(_NONE, _NONE, node.orelse)[0], _NONE

    def _while(self, node: ast.While) -> Reads:
        return self.of(node) | self._after(_NONE, _NONE, node.orelse)[0], _NONE

    def _with(self, node: ast.With | ast.AsyncWith) -> Reads:
        reads, bound = _NONE, _NONE
        for item in node.items:
            reads |= _loads(item) - bound
            bound |= stores(item.optional_vars) if item.optional_vars is not None else _NONE
        return self._after(reads, bound, node.body)


_STATEMENTS: dict[type, Callable[[ReadFirst, Any], Reads]] = {
    ast.Assign: ReadFirst._assign,
    ast.AnnAssign: ReadFirst._ann_assign,
    ast.AugAssign: ReadFirst._aug_assign,
    ast.If: ReadFirst._if,
    ast.For: ReadFirst._for,
    ast.AsyncFor: ReadFirst._for,
    ast.While: ReadFirst._while,
    ast.With: ReadFirst._with,
    ast.AsyncWith: ReadFirst._with,
    ast.Return: ReadFirst._ends,
    ast.Raise: ReadFirst._ends,
    ast.Break: ReadFirst._ends,
    ast.Continue: ReadFirst._ends,
}


def _loads(node: ast.AST) -> Names:
    """All names that are read in there, or deleted; functions inside read theirs."""
    return frozenset(
        part.id for part in descendants(node) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Store)
    )


def stores(node: ast.AST) -> Names:
    """All names that are bound in there, without those that functions, classes and comprehensions inside have of
    their own."""
    found, pending = set[str](), [node]
    while pending:
        part = pending.pop()
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            found.add(part.id)
        elif isinstance(part, ast.comprehension):
            pending += [part.iter, *part.ifs]
        elif not isinstance(part, _SCOPES):
            pending += children(part)
    return frozenset(found)


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
