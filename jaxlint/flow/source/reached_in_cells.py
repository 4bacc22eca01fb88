"""Which functions of a notebook its cells come to: nobody else calls them, for a notebook is imported by no one."""

from __future__ import annotations

import ast

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import children

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def reached_in_cells(scope: ModuleText) -> frozenset[str]:
    """The functions and classes at the top of a notebook that code in the cells names, or what it names in turn, on no
    condition, which may be a switch; none of another file."""
    document, tree = scope.module.document, scope.tree
    if tree is None or document.layout is None or not document.is_in_cells:
        return frozenset()
    defined: dict[str, set[str]] = {}
    pending = set[str]()
    for statement in tree.body:
        if isinstance(statement, _DEFINITIONS):
            defined.setdefault(statement.name, set()).update(scope.part(_named, statement))
        else:
            pending |= scope.part(_named, statement)
    found = set[str]()
    while pending:
        found |= pending
        pending = {name for one in pending for name in defined.get(one, ())} - found
    return frozenset(found & defined.keys())


def _named(statement: ast.AST) -> frozenset[str]:
    """The names that a statement reads, but those in the branches of a condition."""
    found, pending = set[str](), [statement]
    while pending:
        part = pending.pop()
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            found.add(part.id)
        pending += [part.test] if isinstance(part, (ast.If, ast.IfExp)) else children(part)
    return frozenset(found)
