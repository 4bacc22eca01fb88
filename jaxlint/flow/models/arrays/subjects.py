"""What a condition is about: a text and the values that decide it, by which it is known again."""

from __future__ import annotations

import ast
import re

from jaxlint.flow.domain.values import (
    Array,
    ClassValue,
    Const,
    Container,
    External,
    Frame,
    Function,
    Instance,
    Key,
    ModuleValue,
    Opaque,
    Partial,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
)
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.flags import part_name
from jaxlint.flow.source.handled import handled
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants


def canonical(it: Interpreter, node: ast.expr) -> tuple[str, tuple[Value, ...]] | None:
    """A text for ``node`` and the values its names stand for; None when a call may change its answer.

    What is told by its identity is only numbered in the text: a callee may have another name for it."""
    if node not in it.conditions:
        it.conditions[node] = _shape_of(node)
    shape = it.conditions[node]
    if shape is None:
        return None
    pieces, parts = shape
    objects: list[Value] = []
    told: dict[str, str] = {}
    for name in dict.fromkeys(pieces[1::2]):
        value = None if name in _PURE_BUILTINS else it.lookup(name)
        if value is not None:
            objects.append(value)
        elif name not in _PURE_BUILTINS:
            return None
        told[name] = str(objects.index(value)) if isinstance(value, _TOLD_APART) else name
    text = "".join(told[piece] if number % 2 else piece for number, piece in enumerate(pieces))
    it.guessing = True
    try:
        with it.quiet():
            found = [it.eval(part) for part in parts]
    finally:
        it.guessing = False
    for value in map(_whole, found):
        if value not in objects:
            objects.append(value)
    return about(text, objects)


_TOLD_APART = (Opaque, Tree, Container, Instance)


def _whole(value: Value) -> Value:
    """What decides which value a part is: that which it has been a part of from the start, if nothing has been put in
    its place since.  Which part it is, the text says."""
    return value.root if isinstance(value, Opaque) else value


def about(text: str, values: list[Value]) -> tuple[str, tuple[Value, ...]]:
    """What a condition is about.  A constant is told by what it is: a variable may be bound to another one later."""
    constants = [value.value for value in values if isinstance(value, Const)]
    told = [hex(value) if type(value) is int else repr(value) for value in constants]  # a number may be a long one
    objects = tuple(value for value in values if not isinstance(value, (Const, External)))
    return " of ".join((text, *told)), objects


def asks_for_contents(it: Interpreter, test: ast.expr, objects: tuple[Value, ...]) -> bool:
    """Whether ``test`` asks for what its objects hold, which may be something else when the same is asked once more:
    what is done to them in between is not all seen."""
    subject = it.tested.get(test) if isinstance(test, (ast.Name, ast.Attribute, ast.Subscript)) else None
    asked = objects if subject is None else (subject,)
    if not _is_of_contents(test) or all(map(_is_fixed, asked)):
        return False
    if _is_flag(it, test):
        return False
    parts = list(descendants(test))
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    is_plain = not any(isinstance(part, (ast.Attribute, ast.Subscript)) for part in parts)
    return not (is_plain and all(_is_left_alone(it, name) for name in names - _PURE_BUILTINS))


def _is_flag(it: Interpreter, test: ast.expr) -> bool:
    """Whether an attribute, or an item by a name, is nowhere in the module asked for anything but its truth."""
    name = part_name(test)
    return name is not None and not it.ask_text(it.frame.scope, _is_handled, name)


def _is_handled(scope: ModuleText, name: str) -> bool:
    return name in scope.handled_parts


def _is_left_alone(it: Interpreter, name: str) -> bool:
    """Whether a variable of a function is nowhere used but in conditions."""
    frame: Frame | None = it.frame
    while frame is not None and it.state.read(frame).get(name) is None:
        frame = frame.parent
    function = frame.function if frame is not None else None
    return function is not None and name not in handled(function.node, it.facts_of(function.node))


def _is_of_contents(test: ast.expr) -> bool:
    calls = (part.func for part in descendants(test) if isinstance(part, ast.Call))
    if any(isinstance(function, ast.Name) and function.id in ("len", "hasattr") for function in calls):
        return True
    if not isinstance(test, ast.Compare):
        return isinstance(test, (ast.Name, ast.Attribute, ast.Subscript))
    if not isinstance(test.ops[0], (ast.Eq, ast.NotEq, ast.In, ast.NotIn)):
        return False
    is_search = isinstance(test.ops[0], (ast.In, ast.NotIn))
    sides = test.comparators if is_search else [test.left, *test.comparators]
    return not any(isinstance(side, (ast.Constant, *(_DISPLAYS if is_search else ()))) for side in sides)


_DISPLAYS = (ast.Tuple, ast.List, ast.Set)


def _is_fixed(value: Value) -> bool:
    """Whether it holds the same for ever."""
    if isinstance(value, Union):
        return all(map(_is_fixed, value.options))
    return isinstance(value, _FIXED)


_FIXED = (Const, Static, Tuple, Array, Key, Function, Partial, Transformed, External, ClassValue, ModuleValue)


def _shape_of(node: ast.expr) -> tuple[list[str], list[ast.expr]] | None:
    """What decides whether two tests of a condition agree: its text, in pieces of which every second one is the name of
    a variable, and its parts."""
    parts: list[ast.expr] = []
    for part in descendants(node):
        if isinstance(part, (ast.Attribute, ast.Subscript)):
            parts.append(part)
        elif isinstance(part, ast.Call):
            if not (isinstance(part.func, ast.Name) and part.func.id in ("len", "isinstance", "hasattr", "callable")):
                return None
        elif isinstance(part, (ast.Await, ast.Yield, ast.NamedExpr, ast.Lambda)):
            return None
    return re.split(r"(?<=Name\(id=')(\w+)(?=', ctx)", ast.dump(node)), parts


_PURE_BUILTINS = frozenset(
    ("len", "isinstance", "hasattr", "callable", "int", "float", "str", "bool", "tuple", "list", "dict")
)
