"""Maps of functions that run nothing else of the program: the axis that such a map names is there for no other code."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.array_members import ARRAY_METHODS

_MAPS = ("vmap", "pmap")
_OUTSIDE = ("functools", "jax", "math", "numpy", "operator")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def maps_alone(tree: ast.Module) -> Iterator[ast.Call]:
    """The calls of `vmap` and `pmap`, and the decorators that are partials of them, whose function is seen to call
    nothing but what JAX, NumPy and Python have."""
    defined = {part.name: part for part in tree.body if isinstance(part, _FUNCTIONS)}
    outside = {*dir(builtins), *_imported(tree)}
    for part in descendants(tree):
        if isinstance(part, ast.Call) and _short(part.func) in _MAPS and part.args:
            first = part.args[0]
            mapped = first if isinstance(first, ast.Lambda) else defined.get(getattr(first, "id", ""))
            if mapped is not None and _runs_nothing_else(mapped, outside):
                yield part
        elif isinstance(part, _FUNCTIONS):
            partials = [one for one in part.decorator_list if isinstance(one, ast.Call) and _is_partial_of_map(one)]
            if partials and _runs_nothing_else(part, outside):
                yield from partials


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
