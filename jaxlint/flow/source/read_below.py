"""Which variables of a notebook are read once more below one of its lines, before they are given another value."""

from __future__ import annotations

import ast

from jaxlint.flow.source.dead import around
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants


def is_read_below(scope: ModuleText, name: str, node: ast.AST) -> bool:
    """Whether the variable may be read after ``node`` as it was above; yes for what is no notebook, since others may
    import it, and for what a function reads."""
    tree, document = scope.tree, scope.module.document
    if tree is None or document.layout is None or not document.is_in_cells:
        return True
    line = getattr(node, "end_lineno", 0)
    uses = [part for part in descendants(tree) if isinstance(part, ast.Name) and part.id == name]
    homes = {use: around(tree, use) or tree for use in uses}
    if any(home is not tree and name not in _own(home) for home in homes.values()):
        return True
    below = [use for use in uses if use.lineno > line and homes[use] is tree]
    first = min((use.lineno for use in below), default=0)
    return any(use.lineno == first and not isinstance(use.ctx, ast.Store) for use in below)


def _own(home: ast.AST) -> set[str]:
    """The parameters of a function and the variables that it gives a value."""
    parts = list(descendants(home))
    names = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return names | {part.arg for part in parts if isinstance(part, ast.arg)}
