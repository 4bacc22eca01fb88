"""Whether a function of a class is one that objects of it are given to, as Python gives them to methods."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain.values import ClassValue, Function, Instance, Value
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants


def is_supposed(it: Interpreter, value: Value) -> bool:
    """Whether a value is what the running function was entered with for an object of its class, as nobody calls it, or
    a copy of that, and the function reads nothing of it: callers may give it something else through the class."""
    function = it.activation.function
    if function is None or function.owner is None or function.kind or not isinstance(value, Instance):
        return False
    first = next(iter((*function.node.args.posonlyargs, *function.node.args.args)), None)
    given = it.state.read(it.frame).get(first.arg) if first is not None else None
    if first is None or not isinstance(given, Instance) or not (given.symbolic and value.symbolic):
        return False
    return given.cls is value.cls and not takes_objects(it, function.owner, first.arg, function)


def takes_objects(it: Interpreter, cls: ClassValue, name: str, function: Function) -> bool:
    """Whether the first parameter is an object of the class: Python calls the function with one, or it reads of it, or
    sets, what objects of the class have.  Of one that it does not use at all another function of the class may tell,
    which has an object of the same name."""
    has = {member for part in classes.linearized(cls) for member in it.state.read(part.frame)} | _set_by_methods(cls)
    if _is_of_objects(function.node, name, has):
        return True
    if any(isinstance(part, ast.Name) and part.id == name for part in descendants(function.node)):
        return False
    return any(_is_of_objects(other, name, has) for other in _with_first(cls, name))


def _is_of_objects(function: ast.AST, name: str, has: set[str]) -> bool:
    if getattr(function, "name", "") in _CALLED_BY_PYTHON:
        return True
    return any(attribute.attr in has for attribute in _attributes_of(function, name))


def _with_first(cls: ClassValue, name: str) -> Iterator[ast.AST]:
    """The methods whose first parameter has this name; what a class method is given is a class."""
    for statement in (statement for part in classes.linearized(cls) for statement in part.node.body):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and not any(
            getattr(decorator, "id", "") in ("staticmethod", "classmethod") for decorator in statement.decorator_list
        ):
            first = next(iter((*statement.args.posonlyargs, *statement.args.args)), None)
            if first is not None and first.arg == name:
                yield statement


_CALLED_BY_PYTHON = frozenset(name for name in dir(int) if name.startswith("__")) | {"__call__", "__getitem__"}


def _attributes_of(node: ast.AST, name: str) -> Iterator[ast.Attribute]:
    """The attributes of a variable that are read or set."""
    for part in descendants(node):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == name:
            yield part


def _set_by_methods(cls: ClassValue) -> set[str]:
    """What methods set on their first parameter, and what is declared in the class."""
    found = set[str]()
    for statement in (statement for part in classes.linearized(cls) for statement in part.node.body):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            found.add(statement.target.id)
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = next(iter((*statement.args.posonlyargs, *statement.args.args)), None)
            attributes = _attributes_of(statement, first.arg) if first is not None else ()
            found.update(attribute.attr for attribute in attributes if isinstance(attribute.ctx, ast.Store))
    return found
