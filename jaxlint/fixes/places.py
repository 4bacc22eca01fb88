"""Expressions that can be assigned to, for fixes that give a name the new array in the place of the old one."""

from __future__ import annotations

import ast

from jaxlint.fixes.bindings import loads
from jaxlint.fixes.imports import bound_in
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability


def is_place(node: ast.expr) -> bool:
    """Whether an expression can be read and assigned to, and evaluating it twice does no more than once."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, (ast.Constant, ast.Name)) and is_place(node.value)
    if isinstance(node, ast.Attribute):
        return is_place(node.value)
    return isinstance(node, ast.Name)


def rebinding(source: Source, place: ast.expr) -> Applicability:
    """How safe it is to assign a new array to a place instead of changing the old one.

    Safe where the function goes on to use the array under its name; a function that only changes what it was given
    has to be made to return it, too.  Raises CannotFix for what cannot be assigned to, and for a name of an outer
    function, which would become a local one.
    """
    if not is_place(place):
        raise CannotFix
    function = source.function(place)
    if isinstance(place, ast.Attribute):
        return _setting(source, place)
    if not isinstance(place, ast.Name) or function is None:
        return Applicability.SAFE
    if place.id not in source.once(bound_in, function):
        raise CannotFix
    is_used = any(node is not place for node in source.once(_read_whole, (source, function)).get(place.id, ()))
    return Applicability.SAFE if is_used else Applicability.UNSAFE


def _read_whole(asked: tuple[Source, ast.AST]) -> dict[str, list[ast.Name]]:
    """Where each name is read in a function for more than one of its items."""
    source, function = asked
    return {
        name: [node for node in nodes if not isinstance(source.parent(node), ast.Subscript)]
        for name, nodes in source.once(loads, function).items()
    }


def is_assigned_attribute(source: Source, place: ast.Attribute) -> bool:
    """Whether a place is `self.name` in a method of a class whose own code assigns it, to objects that stay as they are
    made: no property, no frozen dataclass, no module of a library that forbids it.
    """
    cls = _class_of_self(source, place)
    if cls is None or place.attr in source.once(_members, cls):
        return False
    assigning = source.once(_assigning, cls).get(place.attr, set())
    is_plain = not cls.bases and not cls.keywords and not cls.decorator_list and "__setattr__" not in _members(cls)
    return bool(assigning if is_plain else assigning - _MAKING)


_MAKING = frozenset(("__init__", "__new__", "__post_init__", "setup"))
"""Methods that may assign what nobody else may."""


def _setting(source: Source, place: ast.Attribute) -> Applicability:
    if is_assigned_attribute(source, place):
        return Applicability.SAFE
    if _class_of_self(source, place) is not None:
        raise CannotFix
    return Applicability.UNSAFE


def _class_of_self(source: Source, place: ast.Attribute) -> ast.ClassDef | None:
    """The class of the method of which a place is an attribute of the first parameter."""
    if not isinstance(place.value, ast.Name):
        return None
    function = source.function(place)
    while function is not None:
        cls = source.parent(function)
        if place.value.id in source.once(bound_in, function):
            first = next(iter((*function.args.posonlyargs, *function.args.args)), None)
            is_self = first is not None and first.arg == place.value.id and not _is_static(function)
            return cls if is_self and isinstance(cls, ast.ClassDef) else None
        function = source.function(function)
    return None


def _is_static(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> bool:
    decorators = getattr(function, "decorator_list", ())
    return any(isinstance(node, ast.Name) and node.id in ("staticmethod", "classmethod") for node in decorators)


def _members(cls: ast.ClassDef) -> set[str]:
    """The functions in a class, properties among them."""
    return {node.name for node in cls.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}


def _assigning(cls: ast.ClassDef) -> dict[str, set[str]]:
    """For each attribute the methods that assign it to their first parameter."""
    found: dict[str, set[str]] = {}
    for method in cls.body:
        if isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)) and method.args.args:
            own = method.args.args[0].arg
            for node in ast.walk(method):
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    if isinstance(node.value, ast.Name) and node.value.id == own:
                        found.setdefault(node.attr, set()).add(method.name)
    return found
