"""Classes derived from that of a method which have the method as it is, and replace what it comes to."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.values import ClassValue, Function, Value
from jaxlint.flow.limits import DERIVED_CLASSES
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.reaching import reached_from
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import parameters
from jaxlint.flow.source.trees import descendants


def replacing(
    it: Interpreter, function: Function, owner: ClassValue, roots: frozenset[str], node: ast.AST
) -> tuple[list[ClassValue], list[Value | None]]:
    """The classes that have the method ``function`` of ``owner`` and another one for one of the methods ``roots``, or
    for something that these come to, and what the owner has for all that."""
    others = _inheriting(it, function, owner)
    if not others:
        return [], []
    words = {word: classes.find_member(it, owner, word) for word in reached_from(it, classes.linearized(owner), roots)}
    words |= {root: classes.find_member(it, owner, root) for root in roots}
    hooks: dict[str, Value | None] = {
        word: found for word, found in words.items() if isinstance(found, Function) or (found is None and word in roots)
    }
    derived = [one for one in others if _replaces(it, one, hooks)]
    if len(derived) > DERIVED_CLASSES.value:
        it.meets(DERIVED_CLASSES, node)
        derived = derived[: DERIVED_CLASSES.value]
    return derived, [*hooks.values()]


def handed_on(function: Function) -> frozenset[str]:
    """The attributes of its object that a method reads in functions that it makes, or hands on without calling them:
    who traces those comes to what a derived class has in their place."""
    first, parts = next(iter(parameters(function.node)), None), list(descendants(function.node))
    own = [
        part
        for part in parts
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)
        if first is not None and part.value.id == first.arg
    ]
    if not own:
        return frozenset()
    called = {part.func for part in parts if isinstance(part, ast.Call)}
    inner = [part for part in parts if isinstance(part, _FUNCTIONS) and part is not function.node]
    inside = {part for node in inner for part in descendants(node)}
    return frozenset(part.attr for part in own if part in inside or part not in called)


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _inheriting(it: Interpreter, function: Function, owner: ClassValue) -> list[ClassValue]:
    """The classes derived from the method's own that have the very same method."""
    found = []
    for other in it.all_classes(owner):
        line = classes.linearized(other)
        if other is not owner and owner in line:
            before = line[: line.index(owner)]
            if not any(function.name in it.state.read(part.frame) for part in before):
                found.append(other)
    return sorted(found, key=lambda cls: (cls.scope.name, cls.name))


def _replaces(it: Interpreter, cls: ClassValue, hooks: dict[str, Value | None]) -> bool:
    found = ((classes.find_member(it, cls, name), hook) for name, hook in hooks.items())
    return any(one is not hook and (hook is not None or isinstance(one, Function)) for one, hook in found)
