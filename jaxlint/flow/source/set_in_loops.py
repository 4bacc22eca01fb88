"""Items of another module's dict that a module sets anew in each pass of a loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.places import place_of, targets
from jaxlint.flow.source.set_between import sees_globals
from jaxlint.flow.source.trees import descendants

Way = tuple[int, str | None, str]
"""An import: its level, its source, and what of that is meant; empty if it is the source itself."""

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def ways_to_item(scope: ModuleText, name: str, item: str) -> tuple[Way, ...]:
    """The imports by which a loop in the module sets an item of a global ``name`` of what they import."""
    return tuple(way for way, place in _imported(scope, name, item) if _loop_that_sets(scope, place) is not None)


def loop_that_sets(scope: ModuleText, name: str, item: str) -> tuple[ast.AST, ast.AST] | None:
    """The first such statement, with the loop that it is in."""
    found = (_loop_that_sets(scope, place) for _, place in _imported(scope, name, item))
    return next((each for each in found if each is not None), None)


def _imported(scope: ModuleText, name: str, item: str) -> Iterator[tuple[Way, str]]:
    """The imports of a module, and how they would have the item written."""
    if scope.tree is None or name not in scope.module.document.text:
        return
    for node in descendants(scope.tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                known_as = alias.asname or alias.name
                if alias.name == name:
                    yield (node.level, node.module, ""), f"{known_as}[{item}]"
                yield (node.level, node.module, alias.name), f"{known_as}.{name}[{item}]"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield (0, alias.name, ""), f"{alias.asname or alias.name}.{name}[{item}]"


def _loop_that_sets(scope: ModuleText, place: str) -> tuple[ast.AST, ast.AST] | None:
    if place not in scope.set_places or scope.tree is None:
        return None
    functions = [node for node in descendants(scope.tree) if sees_globals(node, place)]
    for body in (scope.tree.body, *(node.body for node in functions)):
        for statement in body:
            for loop in _outside_functions(statement):
                if isinstance(loop, _LOOPS):
                    write = next((part for part in descendants(loop) if _computes(part, place)), None)
                    if write is not None:
                        return write, loop
    return None


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
        return
    yield node
    for part in ast.iter_child_nodes(node):
        yield from _outside_functions(part)


def _computes(part: ast.AST, place: str) -> bool:
    """Whether a statement sets the place to what may be another value in each pass."""
    is_set = any(found is not None and found[1] == place for found in map(place_of, targets(part)))
    return is_set and (isinstance(part, ast.AugAssign) or not isinstance(getattr(part, "value", None), ast.Constant))
