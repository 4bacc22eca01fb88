"""Whether a program asks for a generator of which a split's children are no folds: those of threefry and rbg are."""

from __future__ import annotations

import ast

from jaxlint.flow.models.names.imports import scope_of
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants

_OTHER = "unsafe_rbg"


def splits_otherwise(it: Interpreter) -> bool:
    """Whether some module of the program names such a generator."""
    for name, module in it.program.modules.items():
        scope = scope_of(it, name)
        if it.ask_text(scope, _names_it) if scope is not None else _OTHER in module.document.text:
            return True
    return False


def _names_it(scope: ModuleText) -> bool:
    if scope.tree is None or _OTHER not in scope.module.document.text:
        return False
    said = {node.value for node in descendants(scope.tree) if isinstance(node, ast.Expr)}
    return any(
        isinstance(node, ast.Constant) and node.value == _OTHER and node not in said for node in descendants(scope.tree)
    )
