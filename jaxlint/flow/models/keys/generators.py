"""Whether a program asks for a generator of which a split's children are no folds: those of threefry and rbg are."""

from __future__ import annotations

import ast

from jaxlint.flow.models.names.imports import some_module_says
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants

_OTHER = "unsafe_rbg"


def splits_otherwise(it: Interpreter) -> bool:
    """Whether some module of the program names such a generator."""
    return some_module_says(it, _OTHER, _names_it)


def _names_it(scope: ModuleText) -> bool:
    if scope.tree is None or _OTHER not in scope.module.document.text:
        return False
    said = {node.value for node in descendants(scope.tree) if isinstance(node, ast.Expr)}
    return any(
        isinstance(node, ast.Constant) and node.value == _OTHER and node not in said for node in descendants(scope.tree)
    )
