"""Which functions of a notebook its cells come to: nobody else calls them, for a notebook is imported by no one."""

from __future__ import annotations

import ast

from jaxlint.flow.source.modules import ModuleText

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def reached_in_cells(scope: ModuleText) -> frozenset[str]:
    """The functions and classes at the top of a notebook that code in the cells names, or what it names in turn; none
    of another file."""
    document, tree = scope.module.document, scope.tree
    if tree is None or document.layout is None or not document.is_in_cells:
        return frozenset()
    defined: dict[str, set[str]] = {}
    pending = set[str]()
    for statement in tree.body:
        if isinstance(statement, _DEFINITIONS):
            defined.setdefault(statement.name, set()).update(scope.mentions(statement))
        else:
            pending |= scope.mentions(statement)
    found = set[str]()
    while pending:
        found |= pending
        pending = {name for one in pending for name in defined.get(one, ())} - found
    return frozenset(found & defined.keys())
