"""What a module gives a class, or its objects, after the statement or the method that makes them."""

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
        walked.set_by_methods = frozenset[ast.Attribute]().union(*scope.parts(_stores_of_classes))
    return walked.set_by_methods


def _stores_of_classes(statement: ast.AST) -> frozenset[ast.Attribute]:
    classes = (node for node in descendants(statement) if isinstance(node, ast.ClassDef))
    return frozenset(store for cls in classes for store in _stores_of_objects(cls))


def _stores_of_objects(cls: ast.ClassDef) -> Iterator[ast.Attribute]:
    """Where methods set attributes of their own objects."""
    for method in cls.body:
        if isinstance(method, ast.FunctionDef) and method.args.args and not method.decorator_list:
            for node in descendants(method):
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    if isinstance(node.value, ast.Name) and node.value.id == method.args.args[0].arg:
                        yield node


def set_in_methods(scope: ModuleText, cls: ast.ClassDef, makers: tuple[str, ...]) -> frozenset[str]:
    """The attributes that methods of a class bind or delete on their objects, those of ``makers`` left out; an empty
    name where they set one by a name that is computed."""
    methods = [one for one in cls.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return frozenset(name for method in methods if method.name not in makers for name in _set_in(method))


def _set_in(method: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    own = next((parameter.arg for parameter in (*method.args.posonlyargs, *method.args.args)), None)
    for node in descendants(method):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and _is_name(node.value, own):
            yield node.attr
        elif isinstance(node, ast.Call) and len(node.args) >= 2 and _is_name(node.args[0], own):
            if (getattr(node.func, "attr", None) or getattr(node.func, "id", None)) in _SETTERS:
                name = node.args[1]
                yield name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ""


def _is_name(node: ast.expr, name: str | None) -> bool:
    return isinstance(node, ast.Name) and node.id == name


_SETTERS = frozenset(("setattr", "delattr", "__setattr__", "__delattr__"))


def _is_handed(node: ast.AST, cls: str) -> bool:
    """Whether a call is given a class, and may do more than ask whether something is of it."""
    if not isinstance(node, ast.Call) or (isinstance(node.func, ast.Name) and node.func.id in _ONLY_ASKING):
        return False
    passed = (*node.args, *(keyword.value for keyword in node.keywords))
    return any(isinstance(part, ast.Name) and part.id == cls for part in passed)


_ONLY_ASKING = frozenset(("isinstance", "issubclass", "super"))
