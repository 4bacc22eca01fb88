"""Whether a function is made under a name that nobody ever reads: in a cell of a notebook, or in a function.

What a module has may be imported by whoever likes; a notebook, and the variables of a function, are all there is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from jaxlint.flow.source.dead import FunctionNode, around
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants


def is_never_read(scope: ModuleText, made: ast.AST) -> bool:
    """Whether the call ``made`` gives a name a function, which is handed on nowhere and called nowhere."""
    if not isinstance(made, ast.Call) or scope.tree is None:
        return False
    root = around(scope.tree, made)
    if isinstance(root, ast.Module):
        document = scope.module.document
        if document.layout is None or document.layout.goes_on or not document.is_in_cells:
            return False
    elif not isinstance(root, FunctionNode):
        return False
    parts = list(descendants(root))
    name = _name_of(made, parts)
    return name is not None and not _is_read(name, parts) and _is_own(name, parts)


def _name_of(made: ast.Call, parts: Iterable[ast.AST]) -> str | None:
    """The variable that gets what a call makes."""
    statement = next((part for part in parts if isinstance(part, ast.Assign) and part.value is made), None)
    target = statement.targets[0] if statement is not None and len(statement.targets) == 1 else None
    return target.id if isinstance(target, ast.Name) else None


def _is_read(name: str, parts: Iterable[ast.AST]) -> bool:
    """Whether anything reads the variable, or might: by its name in a text."""
    return any(
        (isinstance(part, ast.Name) and part.id == name and not isinstance(part.ctx, ast.Store))
        or (isinstance(part, ast.Constant) and isinstance(part.value, str) and name in part.value)
        or (isinstance(part, ast.Name) and part.id in _ALL_NAMES)
        for part in parts
    )


_ALL_NAMES = frozenset(("globals", "locals", "vars", "exec", "eval"))


def _is_own(name: str, parts: Iterable[ast.AST]) -> bool:
    return not any(isinstance(part, (ast.Global, ast.Nonlocal)) and name in part.names for part in parts)
