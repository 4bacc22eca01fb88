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
    known = scope.once(_alone) | {name: True for _, name in names_taken(scope) & frozenset(others)}
    outside = scope.once(_outside)
    for name in _MAPS:
        for call in scope.walked().calls.get(name, ()):
            first = call.args[0] if call.args else None
            is_lambda = isinstance(first, ast.Lambda) and _runs_nothing_else(_needs(first), outside)
            if is_lambda or known.get(getattr(first, "id", "")):
                yield call
    for mapped in scope.parts(_partials_in):
        for needs, partials in mapped:
            if _runs_nothing_else(needs, outside):
                yield from partials


def names_taken(scope: ModuleText) -> frozenset[tuple[str, str]]:
    """What a module imports from others by the name that it has there, with the module's."""
    imports = (one for one in (scope.tree.body if scope.tree is not None else ()) if isinstance(one, ast.ImportFrom))
    return frozenset(
        (one.module or "", alias.name) for one in imports if not one.level for alias in one.names if not alias.asname
    )


def functions_alone(scope: ModuleText) -> frozenset[tuple[str, str]]:
    """The functions that run nothing else of the program, by the module and the name that this has for them."""
    alone = scope.once(_alone)
    return frozenset((scope.name, name) for name in alone if alone[name])


def _alone(scope: ModuleText) -> dict[str, bool]:
    """Whether the functions of a module run nothing else of the program, by their names."""
    functions, outside = (one for one in scope.lifted if isinstance(one, _FUNCTIONS)), scope.once(_outside)
    return {one.name: _runs_nothing_else(scope.part(_needs, one), outside) for one in functions}


def _outside(scope: ModuleText) -> frozenset[str]:
    """The names of a module that stand for something of JAX, NumPy or Python."""
    return frozenset((*dir(builtins), *(_imported(scope.tree) if scope.tree is not None else ())))


def _partials_in(statement: ast.AST) -> list[tuple[frozenset[str] | None, list[ast.Call]]]:
    """What functions need that are decorated with partials of maps, and those."""
    found = []
    for part in descendants(statement):
        if isinstance(part, _FUNCTIONS):
            partials = [one for one in part.decorator_list if isinstance(one, ast.Call) and _is_partial_of_map(one)]
            found += [(_needs(part), partials)] if partials else []
    return found


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


def _runs_nothing_else(needs: frozenset[str] | None, outside: frozenset[str]) -> bool:
    """Whether all that a function reads is its own or comes from outside of the program, and it calls what does, or
    methods that arrays have."""
    return needs is not None and needs <= outside


def _needs(function: _Function) -> frozenset[str] | None:
    """The names that a function reads and has not bound itself; None where it calls something else than what one of
    these leads to, or methods that arrays have."""
    body = function.body if isinstance(function.body, list) else [function.body]
    parts = [part for top in (function.args, *body) for part in descendants(top)]
    own = {part.arg for part in parts if isinstance(part, ast.arg)}
    own |= {part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
    if not all(_is_of_others(part.func, own) for part in parts if isinstance(part, ast.Call)):
        return None
    return frozenset(part.id for part in parts if isinstance(part, ast.Name) and part.id not in own)


def _is_of_others(called: ast.expr, own: set[str]) -> bool:
    root = called
    while isinstance(root, ast.Attribute):
        root = root.value
    if isinstance(root, ast.Name) and root.id not in own:
        return True
    return isinstance(called, ast.Attribute) and called.attr in ARRAY_METHODS


def _short(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
