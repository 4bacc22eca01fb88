"""Methods that a transform is put around, and that get their object as an argument like any other."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import ClassValue, Const, Function, Transformed
from jaxlint.flow.models.jax.transforms import static_parameters
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.registered import may_be_pytree
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.model import Abstracts

_TRACING = frozenset((Abstracts.ALL, Abstracts.MAPPED, Abstracts.DIFFERENTIATED, Abstracts.NODES))


def check_receiver(it: Interpreter, made: Transformed, function: Function) -> None:
    """A transformed function of which nobody knows the callers: whether it is a method that cannot be called."""
    cls = function.owner
    decorators = getattr(function.node, "decorator_list", ())
    if cls is None or function.receiver is not None or function.kind or made.node not in decorators:
        return
    spec = function.node.args
    first = next(iter((*spec.posonlyargs, *spec.args)), None)
    if first is None or not _takes_objects(it, cls, first.arg, function) or _is_left_alone(it, made, first.arg):
        return
    if not may_be_pytree(it, cls):
        it.emit(
            events.TracedReceiver(function.node, function.qualified, first.arg, made.name, cls.name), function.scope
        )


def _is_left_alone(it: Interpreter, made: Transformed, name: str) -> bool:
    """Whether the transform leaves the first argument as it is."""
    kind = made.wrapper.abstracts
    if kind not in _TRACING or not made.name.startswith(("jax.", "flax.nnx.")):
        return True
    if kind is Abstracts.MAPPED and made.wrapper.in_axes in made.options:
        return True
    if kind is Abstracts.DIFFERENTIATED and made.wrapper.argnums in made.options:
        numbers = made.options[made.wrapper.argnums]
        return not (isinstance(numbers, Const) and numbers.value == 0)
    return name in static_parameters(it, made)


def _takes_objects(it: Interpreter, cls: ClassValue, name: str, function: Function) -> bool:
    """Whether the first parameter is an object of the class: Python calls the function with one, or it reads of it, or
    sets, what objects of the class have."""
    if function.name in _CALLED_BY_PYTHON:
        return True
    has = {member for part in classes.linearized(cls) for member in it.state.read(part.frame)} | _set_by_methods(cls)
    return any(attribute.attr in has for attribute in _attributes_of(function.node, name))


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
