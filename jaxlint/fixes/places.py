"""Expressions that can be assigned to, for fixes that give a name the new array in the place of the old one."""

from __future__ import annotations

import ast

from jaxlint.findings import Applicability
from jaxlint.fixes.imports import bound_in
from jaxlint.fixes.source import CannotFix, Source


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
    if not isinstance(place, ast.Name) or function is None:
        return Applicability.SAFE
    if place.id not in bound_in(function):
        raise CannotFix
    is_used = any(
        isinstance(node, ast.Name)
        and node.id == place.id
        and isinstance(node.ctx, ast.Load)
        and not isinstance(source.parent(node), ast.Subscript)
        for node in ast.walk(function)
        if node is not place
    )
    return Applicability.SAFE if is_used else Applicability.UNSAFE
