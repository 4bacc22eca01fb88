"""Walking syntax trees fast: the generic ``ast.walk`` costs more than the analysis of what it visits."""

from __future__ import annotations

import ast
from collections.abc import Iterator

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

_LEAVES = frozenset((ast.Constant, ast.Name, ast.Global, ast.Nonlocal, ast.alias, ast.Pass, ast.Break, ast.Continue))
_NO_NODES = frozenset(
    "arg asname attr conversion ctx id is_async kind kwd_attrs level lineno module op ops rest simple tag "
    "type_comment".split()
)
"""Fields that hold text, numbers, or the load/store markers and operators, which have no children of their own."""
_WITH_GAPS = frozenset(("keys", "kw_defaults"))
"""Fields whose lists have None among the nodes."""


class _Fields(dict[type, tuple[str, ...]]):
    """Node class to its fields that can hold nodes, found when a class is first met."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        names = () if kind in _LEAVES else kind._fields
        self[kind] = tuple(name for name in names if name not in _NO_NODES)
        return self[kind]


_FIELDS = _Fields()


def children(node: ast.AST) -> list[ast.AST]:
    """The child nodes, without the load/store markers and operators that have no children of their own."""
    found: list[ast.AST] = []
    for name in _FIELDS[node.__class__]:
        value = getattr(node, name)
        if value.__class__ is list:
            found += [item for item in value if item is not None] if name in _WITH_GAPS else value
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def breadth_first(root: ast.AST) -> list[ast.AST]:
    """``root`` and everything below it, outer ones first, in the order of ``ast.walk``."""
    found = [root]
    for node in found:  # which grows meanwhile
        if _FIELDS[node.__class__]:
            found += children(node)
    return found


def descendants(root: ast.AST) -> Iterator[ast.AST]:
    """``root`` and everything below it, in no particular order."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if _FIELDS[node.__class__]:
            stack += children(node)


def parameter_names(node: FunctionNode) -> frozenset[str]:
    """All names that a call binds."""
    stated = node.args
    every = [*stated.posonlyargs, *stated.args, *stated.kwonlyargs, stated.vararg, stated.kwarg]
    return frozenset(one.arg for one in every if one is not None)
