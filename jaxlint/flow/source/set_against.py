"""Functions that differ in what they transform and in nothing else: one shows what the other does better."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants


def is_set_against(scope: ModuleText, function: ast.AST, made: ast.AST) -> bool:
    """Whether another function of the module is ``function`` but for the argument of the transform ``made``."""
    if not isinstance(function, ast.FunctionDef) or not isinstance(made, ast.Call) or not made.args:
        return False
    body: list[ast.stmt] = scope.tree.body if scope.tree is not None else []
    own = _but_for(function, made)
    others = (one for one in body if isinstance(one, ast.FunctionDef) and one is not function)
    return any(_but_for(other, call) == own for other in others for call in _alike(other, made))


def _alike(function: ast.FunctionDef, made: ast.Call) -> Iterator[ast.Call]:
    """The calls in a function that apply the same transform."""
    transform = ast.dump(made.func)
    calls = (part for part in descendants(function) if isinstance(part, ast.Call) and part.args)
    return (call for call in calls if ast.dump(call.func) == transform)


def _but_for(function: ast.FunctionDef, call: ast.Call) -> str:
    """What is written in a function, without what a call in it is given first."""
    written = ast.dump(function.args) + "".join(map(ast.dump, function.body))
    return written.replace(ast.dump(call.args[0]), "…")
