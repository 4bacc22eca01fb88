"""Whether a module gives a class a member outside of the statement that makes it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants


def may_be_given(scope: ModuleText, cls: str, member: str) -> bool:
    """Whether a module sets a ``member`` of the class of that name: by an assignment to it, or by handing the class to
    a call where some code sets the member of what it is given, or names it in a string."""
    stores, text = _stores(scope, member), scope.module.document.text
    is_named = f'"{member}"' in text or f"'{member}'" in text
    if scope.tree is None or not (stores or is_named):
        return False
    parts = list(descendants(scope.tree))
    classes = {node.name for node in parts if isinstance(node, ast.ClassDef)}
    set_on = {node.value.id if isinstance(node.value, ast.Name) else "" for node in stores - _set_by_methods(scope)}
    if cls in set_on:
        return True
    is_named = any(isinstance(node, ast.Constant) and node.value == member for node in parts)
    return (is_named or not set_on <= classes) and any(_is_handed(node, cls) for node in parts)


def is_set_from_outside(scope: ModuleText, attribute: str) -> bool:
    """Whether a module sets an attribute of that name on something else than the object of the method that does."""
    stores = _stores(scope, attribute)
    return not stores <= _set_by_methods(scope) if stores else False


def _stores(scope: ModuleText, attribute: str) -> set[ast.Attribute]:
    found = scope.walked().attributes.get(attribute, []) if scope.tree is not None else []
    return {node for node in found if isinstance(node.ctx, ast.Store)}


def _set_by_methods(scope: ModuleText) -> frozenset[ast.Attribute]:
    """Where the methods of a module set attributes of their own objects."""
    walked = scope.walked()
    if walked.set_by_methods is None:
        classes = (node for node in descendants(scope.tree) if isinstance(node, ast.ClassDef)) if scope.tree else ()
        walked.set_by_methods = frozenset(store for cls in classes for store in _stores_of_objects(cls))
    return walked.set_by_methods


def _stores_of_objects(cls: ast.ClassDef) -> Iterator[ast.Attribute]:
    """Where methods set attributes of their own objects."""
    for method in cls.body:
        if isinstance(method, ast.FunctionDef) and method.args.args and not method.decorator_list:
            for node in descendants(method):
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    if isinstance(node.value, ast.Name) and node.value.id == method.args.args[0].arg:
                        yield node


def _is_handed(node: ast.AST, cls: str) -> bool:
    """Whether a call is given a class, and may do more than ask whether something is of it."""
    if not isinstance(node, ast.Call) or (isinstance(node.func, ast.Name) and node.func.id in _ONLY_ASKING):
        return False
    passed = (*node.args, *(keyword.value for keyword in node.keywords))
    return any(isinstance(part, ast.Name) and part.id == cls for part in passed)


_ONLY_ASKING = frozenset(("isinstance", "issubclass", "super"))
