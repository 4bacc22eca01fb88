"""Variables that are updated in place, as NumPy's arrays are, where nobody reads the variable again."""

from __future__ import annotations

import ast

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import FunctionNode, descendants

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def updates_in_vain(_: ModuleText, function: FunctionNode | ast.Module, update: ast.AugAssign) -> bool:
    """Whether ``update`` changes what has just been taken out of something, a list or dict in a loop or an item or
    attribute of an object, and nothing reads it: it can only have been meant for that."""
    assert isinstance(update.target, ast.Name)
    name = update.target.id
    stores = [
        part
        for part in descendants(function)
        if isinstance(part, ast.Name) and part.id == name and not isinstance(part.ctx, ast.Load)
    ]
    around = [part for part in descendants(function) if isinstance(part, _LOOPS) and _covers(part, update)]
    if len(stores) != 2 or _is_outer(function, name) or may_be_read_after(function, name, update.lineno):
        return False
    taken = next(one for one in stores if one is not update.target)
    loop = max(around, key=lambda one: one.lineno, default=None)
    if isinstance(loop, (ast.For, ast.AsyncFor)) and taken in (loop.target, *descendants(loop.target)):
        return True
    own = loop.body if loop is not None else getattr(function, "body", [])
    bindings = [one for one in own if isinstance(one, ast.Assign) and one.targets == [taken]]
    return any(isinstance(one.value, (ast.Subscript, ast.Attribute)) for one in bindings)


def _is_outer(function: FunctionNode | ast.Module, name: str) -> bool:
    """Whether some code of a function, or of a script, binds a variable of the module or of a function around."""
    declared = (part for part in descendants(function) if isinstance(part, (ast.Global, ast.Nonlocal)))
    return any(name in part.names for part in declared)


def may_be_read_after(function: FunctionNode | ast.Module, name: str, line: int) -> bool:
    """Whether a function reads a variable below a line, or one that it defines does, whenever that is called."""
    functions = (part for part in descendants(function) if isinstance(part, _FUNCTIONS) and part is not function)
    inside = {part for inner in functions for part in descendants(inner)}
    return any(
        isinstance(part, ast.Name)
        and part.id == name
        and isinstance(part.ctx, ast.Load)
        and (part.lineno > line or part in inside)
        for part in descendants(function)
    )


def _covers(loop: ast.AST, node: ast.AST) -> bool:
    start, end = getattr(loop, "lineno", 0), getattr(loop, "end_lineno", 0) or 0
    return start <= getattr(node, "lineno", -1) <= end
