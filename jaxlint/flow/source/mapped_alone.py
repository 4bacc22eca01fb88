"""Maps of functions that run nothing else of the program: the axis that such a map names is there for no other code."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.array_members import ARRAY_METHODS

_MAPS = ("vmap", "pmap")
_OUTSIDE = ("functools", "jax", "math", "numpy", "operator")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def maps_alone(scope: ModuleText, others: Collection[tuple[str, str]]) -> Iterator[ast.Call]:
    """The calls of `vmap` and `pmap`, and the decorators that are partials of them, whose function is seen to call
    nothing but what JAX, NumPy and Python have.  ``others`` are such functions of the program, with their modules."""
    tree = scope.tree or ast.Module([], [])
    outside = {*dir(builtins), *_imported(tree)}
    known = _alone(scope, outside)
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and not statement.level:
            names = (one.name for one in statement.names if one.asname is None)
            known |= {name: True for name in names if (statement.module, name) in others}
    for part in descendants(tree):
        if isinstance(part, ast.Call) and _short(part.func) in _MAPS and part.args:
            first = part.args[0]
            is_lambda = isinstance(first, ast.Lambda) and _runs_nothing_else(first, outside)
            if is_lambda or known.get(getattr(first, "id", "")):
                yield part
        elif isinstance(part, _FUNCTIONS):
            partials = [one for one in part.decorator_list if isinstance(one, ast.Call) and _is_partial_of_map(one)]
            if partials and _runs_nothing_else(part, outside):
                yield from partials


def functions_alone(scope: ModuleText) -> frozenset[tuple[str, str]]:
    """The functions that run nothing else of the program, by the module and the name that this has for them."""
    alone = _alone(scope, {*dir(builtins), *_imported(scope.tree)}) if scope.tree is not None else {}
    return frozenset((scope.name, name) for name in alone if alone[name])


def _alone(scope: ModuleText, outside: set[str]) -> dict[str, bool]:
    """Whether the functions of a module run nothing else of the program, by their names."""
    return {one.name: _runs_nothing_else(one, outside) for one in scope.lifted if isinstance(one, _FUNCTIONS)}


def _is_partial_of_map(call: ast.Call) -> bool:
    return _short(call.func) == "partial" and bool(call.args) and _short(call.args[0]) in _MAPS


def _imported(tree: ast.Module) -> Iterator[str]:
    """The names that imports bind to something of JAX, NumPy or Python."""
    for part in tree.body:
        if isinstance(part, ast.Import):
            yield from (one.asname or one.name.partition(".")[0] for one in part.names if _is_outside(one.name))
        elif isinstance(part, ast.ImportFrom) and not part.level and _is_outside(part.module or ""):
            yield from (one.asname or one.name for one in part.names)


def _is_outside(module: str) -> bool:
    return module.partition(".")[0] in _OUTSIDE


def _runs_nothing_else(function: _Function, outside: set[str]) -> bool:
    """Whether all that a function reads is its own or comes from outside of the program, and it calls what does, or
    methods that arrays have."""
    body = function.body if isinstance(function.body, list) else [function.body]
    parts = [part for top in (function.args, *body) for part in descendants(top)]
    own = {part.arg for part in parts if isinstance(part, ast.arg)}
    own |= {part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
    if any(isinstance(part, ast.Name) and part.id not in own | outside for part in parts):
        return False
    return all(_is_of_others(part.func, own, outside) for part in parts if isinstance(part, ast.Call))


def _is_of_others(called: ast.expr, own: set[str], outside: set[str]) -> bool:
    root = called
    while isinstance(root, ast.Attribute):
        root = root.value
    if isinstance(root, ast.Name) and root.id in outside - own:
        return True
    return isinstance(called, ast.Attribute) and called.attr in ARRAY_METHODS


def _short(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
