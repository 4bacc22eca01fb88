"""Who sets, reads and resets an attribute, by the text of a module: whether a trace finds what it has left itself."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Collection, Sequence

from jaxlint.flow.source.dead import around
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import FunctionNode, descendants
from jaxlint.flow.source.walked import called
from jaxlint.semantics.array_members import STATIC_ATTRIBUTES

_OF_FORM = frozenset("len shape ndim size zeros_like ones_like empty_like full_like".split())
_MAKES = frozenset(("__init__", "__post_init__", "setup"))


def setters(scope: ModuleText, attribute: str) -> frozenset[str]:
    """The names of a module's functions that give an attribute of that name another value, but where an object is
    made."""
    found = {getattr(one, "name", "") for one in _around(scope, attribute, ast.Store)}
    return frozenset(found - _MAKES - {""})


def is_set_later(scope: ModuleText, attribute: str) -> bool:
    """Whether a module gives an attribute of that name another value, or an item of it, but where an object is made."""
    if any(getattr(one, "name", "") not in _MAKES for one in _around(scope, attribute, ast.Store)):
        return True
    return scope.tree is not None and attribute in scope.walked().items_set


def only_form(function: ast.AST, node: ast.AST) -> bool:
    """Whether a function asks only for the shape or dtype of what an expression in it gives."""
    for part in descendants(function):
        if isinstance(part, ast.Attribute) and part.value is node:
            return part.attr in STATIC_ATTRIBUTES
        if isinstance(part, ast.Call) and node in part.args:
            return called(part) in _OF_FORM
    return False


def is_looked_into(function: ast.AST, node: ast.AST) -> bool:
    """Whether a function asks an object for an attribute, calls it, or asks whether it is there, and nothing else."""
    for part in descendants(function):
        if isinstance(part, (ast.Attribute, ast.Call)) and node is (
            part.value if isinstance(part, ast.Attribute) else part.func
        ):
            return True
        if isinstance(part, ast.Compare) and part.left is node:
            return all(isinstance(one, (ast.Is, ast.IsNot)) for one in part.ops)
    return False


def makes_argument(scope: ModuleText, call: ast.AST, attribute: str) -> bool:
    """Whether an argument of a call may be made of an attribute of that name, so that another value can give another
    shape: what it is computed of, by the names that the function binds, reads it or calls something that does."""
    root = around(scope.tree, call) or scope.tree if scope.tree is not None else None
    if root is None or not isinstance(call, ast.Call):
        return True
    reading = {getattr(one, "name", "") for one in readers(scope, attribute)}
    bindings = [node for node in descendants(root) if isinstance(node, ast.Assign)]
    pending: list[ast.AST] = [*call.args, *call.keywords]
    seen: set[str] = set()
    while pending:
        for part in (node := pending.pop(), *descendants(node)):
            if isinstance(part, ast.Attribute) and part.attr == attribute:
                return True
            if isinstance(part, ast.Call) and part is not call and called(part) in reading:
                return True
            if isinstance(part, ast.Name) and part.id not in seen:
                seen.add(part.id)
                pending.extend(one.value for one in bindings if part.id in _bound(one))
    return False


def _bound(statement: ast.Assign) -> set[str]:
    parts = (part for target in statement.targets for part in (target, *descendants(target)))
    return {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def readers(scope: ModuleText, attribute: str) -> frozenset[ast.AST]:
    """The functions of a module that read an attribute of that name, or the module itself."""
    return frozenset(_around(scope, attribute, ast.Load))


def _around(scope: ModuleText, attribute: str, kind: type[ast.expr_context]) -> set[ast.AST]:
    tree = scope.tree
    found = scope.walked().attributes.get(attribute, []) if tree is not None else []
    return {around(tree, node) or tree for node in found if isinstance(node.ctx, kind)} if tree is not None else set()


def callers(scope: ModuleText, names: frozenset[str]) -> frozenset[ast.AST]:
    """The functions of a module that call one of these names, or the module itself."""
    tree = scope.tree
    if tree is None:
        return frozenset()
    walked = scope.walked()
    for name in names - walked.callers.keys():
        walked.callers[name] = frozenset(around(tree, node) or tree for node in walked.calls.get(name, ()))
    return frozenset().union(*(walked.callers[name] for name in names))


def is_set_before(running: Sequence[FunctionNode], names: Collection[str]) -> bool:
    """Whether one of the functions that are running, outermost first, has called one of these names before it called
    the next of them."""
    for function, following in itertools.pairwise(running):
        calls = [node for node in descendants(function) if isinstance(node, ast.Call)]
        onward = [node.lineno for node in calls if called(node) == getattr(following, "name", "")]
        resets = [node.lineno for node in calls if called(node) in names]
        if onward and resets and min(resets) < min(onward):
            return True
    return False
