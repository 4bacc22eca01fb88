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


def maps_alone(tree: ast.Module, others: Collection[tuple[str, str]]) -> Iterator[ast.Call]:
    """The calls of `vmap` and `pmap`, and the decorators that are partials of them, whose function is seen to call
    nothing but what JAX, NumPy and Python have.  ``others`` are such functions of the program, with their modules."""
    outside = {*dir(builtins), *_imported(tree)}
    known = dict(_alone(tree, outside))
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
    if scope.tree is None:
        return frozenset()
    alone = dict(_alone(scope.tree, {*dir(builtins), *_imported(scope.tree)}))
    return frozenset((scope.name, name) for name in alone if alone[name])


def _alone(tree: ast.Module, outside: set[str]) -> Iterator[tuple[str, bool]]:
    """Whether all functions of a name run nothing else of the program, by the names that stand for functions alone:
    where they are defined, and where a class or a function that has them hands them on."""
    parts = list(descendants(tree))
    defined: dict[str, list[_Function]] = {}
    for part in parts:
        if isinstance(part, _FUNCTIONS):
            defined.setdefault(part.name, []).append(part)
    handed = {id(part.targets[0]) for part in parts if isinstance(part, ast.Assign) and _hands_on(part, defined)}
    bound = {part.arg for part in parts if isinstance(part, ast.arg)}
    stored = (part for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load))
    bound.update(part.id for part in stored if id(part) not in handed)
    bound.update(part.asname or part.name for part in parts if isinstance(part, ast.alias))
    for name in defined.keys() - bound:
        yield name, all(_runs_nothing_else(one, outside) for one in defined[name])


def _hands_on(assignment: ast.Assign, defined: dict[str, list[_Function]]) -> bool:
    """Whether a name is given to what is defined by that name: as an attribute, or in the function that is called."""
    name, value = getattr(assignment.targets[0], "id", ""), assignment.value
    if isinstance(value, ast.Call):
        inside = (part for one in defined.get(getattr(value.func, "id", ""), ()) for part in descendants(one))
        return any(isinstance(part, _FUNCTIONS) and part.name == name for part in inside)
    return isinstance(value, ast.Attribute) and value.attr == name


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
