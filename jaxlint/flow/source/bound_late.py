"""Variables of a loop that functions made in it look up when they run: by then each is what the last pass has left."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import children, descendants

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def bound_around(scope: ModuleText, function: ast.AST) -> frozenset[str]:
    """What the loop, or comprehension, binds in each pass that is next around a function, in the same function."""
    for around in _around(scope.tree, function) if scope.tree is not None else ():
        if isinstance(around, _FUNCTIONS):
            return frozenset()
        if isinstance(around, _COMPREHENSIONS):
            return frozenset(name for generator in around.generators for name in _bound(generator.target))
        if isinstance(around, _LOOPS):
            return frozenset(_bound(around))
    return frozenset()


def _around(root: ast.AST, inner: ast.AST) -> Iterator[ast.AST]:
    """What is around a node, from the inside."""
    parents = {child: node for node in descendants(root) for child in children(node)}
    node = parents.get(inner)
    while node is not None:
        yield node
        node = parents.get(node)


def _bound(root: ast.AST) -> Iterator[str]:
    """The variables that code binds; functions in it have their own."""
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        if not isinstance(node, (*_FUNCTIONS, *_COMPREHENSIONS)):
            pending += children(node)
