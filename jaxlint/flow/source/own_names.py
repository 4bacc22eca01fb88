"""Which function a name stands for, by nothing but the text."""

from __future__ import annotations

import ast

from jaxlint.flow.source.dead import around
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import FunctionNode


def names_function(scope: ModuleText, name: ast.Name, function: FunctionNode) -> bool:
    """Whether a name that is read is that of the ``function`` that is defined around it, and of no parameter that is
    called the same."""
    if scope.tree is None:
        return False
    holder, inner = around(scope.tree, function), around(scope.tree, name)
    while inner is not None and not _has_parameter(inner, name.id):
        if inner is holder:
            return True
        inner = around(scope.tree, inner) if isinstance(inner, (ast.ClassDef, *_FUNCTIONS)) else None
    return False


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _has_parameter(node: ast.AST, name: str) -> bool:
    if not isinstance(node, _FUNCTIONS):
        return False
    spec = node.args
    given = (*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg)
    return any(one is not None and one.arg == name for one in given)
