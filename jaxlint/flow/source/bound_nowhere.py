"""Whether nothing in the text of a module gives a name to anything: whoever reads it gets no further."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants

_BINDING_ALL = frozenset(("__builtins__", "__dict__", "builtins", "exec", "globals", "locals", "setattr", "vars"))


def is_bound_nowhere(scope: ModuleText, name: str) -> bool:
    """Whether a module, no part of a notebook, binds ``name`` in no function and imports it from nowhere."""
    if scope.tree is None or scope.module.document.is_in_cells:
        return False
    found = {bound for node in descendants(scope.tree) for bound in _bound_by(node)}
    return found.isdisjoint((name, "*", *_BINDING_ALL))


def _bound_by(node: ast.AST) -> Iterator[str]:
    """The names that a node binds, or by which all names can be."""
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load) or node.id in _BINDING_ALL:
            yield node.id
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        yield from node.names
    elif isinstance(node, ast.Attribute):
        yield node.attr if node.attr in _BINDING_ALL else ""
    else:  # definitions, parameters, handlers, patterns
        names = (getattr(node, field, None) for field in ("name", "arg", "rest"))
        yield from (name for name in names if isinstance(name, str))
