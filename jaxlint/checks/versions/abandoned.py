"""Files that their project has left behind: they import what is not there any more."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

_ENOUGH = 2
"""Missing modules: a single one may be generated when the project is built."""


def cannot_start(tree: ast.Module, missing: Callable[[str], str]) -> bool:
    """Whether a module imports, unconditionally, a package or several modules that its program does not have.

    ``missing`` gives the end of a dotted name for which the program has no file, or an empty string.
    """
    lost = {(name, end) for name in _imported(tree) if (end := missing(name))}
    return len(lost) >= _ENOUGH or any("." in end for _, end in lost)


def _imported(tree: ast.Module) -> Iterator[str]:
    for statement in tree.body:
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names if "." in alias.name)
        elif isinstance(statement, ast.ImportFrom) and not statement.level and "." in (statement.module or ""):
            yield statement.module or ""
