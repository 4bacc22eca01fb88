"""Whether a function is only there to be timed: nobody looks at what it returns, so that its numbers do not matter."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from jaxlint.flow.limits import MOST_TIMED
from jaxlint.flow.text import dotted
from jaxlint.flow.trees import descendants

if TYPE_CHECKING:
    from jaxlint.flow.modules import ModuleScope

_TIMERS = ("timeit", "repeat", "Timer")
"""What of `timeit` runs a function and says how long that took."""


def is_only_timed(scope: ModuleScope, function: ast.AST) -> bool:
    """Whether a function of a module's top is named nowhere but where `timeit` runs it, or what was made of it."""
    tree = scope.tree
    if not isinstance(tree, ast.Module) or not isinstance(function, ast.FunctionDef) or function not in tree.body:
        return False
    inside = set(descendants(function))
    parts = [part for part in descendants(tree) if part not in inside]
    timed = {inner for part in parts if _runs(part) for inner in descendants(part)}
    makes = {inner: name for name, value in _named(parts) for inner in (value, *descendants(value))}
    loads = [part for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)]
    names, pending = {function.name}, [function.name]
    while pending:
        name = pending.pop()
        for load in loads:
            if load.id == name and load not in timed:
                made = makes.get(load)
                if made is None or len(names) > MOST_TIMED.value:
                    return False
                if made not in names:
                    names.add(made)
                    pending.append(made)
    return any(load in timed and load.id in names for load in loads)


def _runs(node: ast.AST) -> bool:
    """Whether a call has `timeit` run its arguments."""
    if not isinstance(node, ast.Call):
        return False
    module, _, function = dotted(node.func).rpartition(".")
    return function in _TIMERS and module in ("timeit", "") and (function == "timeit" or module == "timeit")


def _named(parts: Iterable[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    """The variables that get what an expression gives, each with that."""
    for part in parts:
        if isinstance(part, ast.Assign) and len(part.targets) == 1 and isinstance(part.targets[0], ast.Name):
            yield part.targets[0].id, part.value
