"""Methods that a transform is put around, and that get their object as an argument like any other."""

from __future__ import annotations

import ast
import re

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import ClassValue, Const, External, Function, Transformed
from jaxlint.flow.models.jax.transforms import static_parameters
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.model import Abstracts

_TRACING = frozenset((Abstracts.ALL, Abstracts.MAPPED, Abstracts.DIFFERENTIATED, Abstracts.NODES))
_PLAIN_BASES = frozenset(
    "builtins.object abc.ABC typing.Generic typing.Protocol flax.linen.Module haiku.Module torch.nn.Module".split()
)
"""Classes from outside whose objects are no pytrees, and that make none of classes derived from them."""
_PLAIN_DECORATORS = frozenset(("dataclasses.dataclass", "functools.total_ordering", "typing.final"))
_REGISTERS = re.compile(r"\bregister_(?:pytree|dataclass|static|with_keys|attrs|node)")


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
    if not _may_be_pytree(it, cls):
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
    """Whether the first parameter is an object of the class: it is called as all call that, or the function reads what
    the class has of it."""
    if name == "self":
        return True
    members = {member for part in classes.linearized(cls) for member in it.state.read(part.frame)}
    return any(
        isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == name
        for part in descendants(function.node)
        if getattr(part, "attr", None) in members
    )


def _may_be_pytree(it: Interpreter, cls: ClassValue) -> bool:
    """Whether objects of a class, or of one derived from it, may be pytrees: by what they are derived from or decorated
    with, or by a call that registers them."""
    family = [other for other in it.classes.values() if cls in classes.linearized(other)]
    parts = {part for other in (cls, *family) for part in classes.linearized(other)}
    return any(map(_is_of_unknown_kind, parts)) or any(_is_registered(it, part.name) for part in parts)


def _is_of_unknown_kind(cls: ClassValue) -> bool:
    bases = [base for base in cls.bases if not isinstance(base, ClassValue)]
    if not all(isinstance(base, External) and base.name in _PLAIN_BASES for base in bases):
        return True
    if cls.node.keywords or any(getattr(node, "name", "") == "__init_subclass__" for node in cls.node.body):
        return True
    known = classes.decorator_names(cls)
    return len(known) != len(cls.node.decorator_list) or not known <= _PLAIN_DECORATORS


def _is_registered(it: Interpreter, name: str) -> bool:
    """Whether some module names a class and registers classes."""
    for scope in it.scopes.values():
        it.note_text(scope)
        text = scope.module.document.text
        if name in text and _REGISTERS.search(text):
            return True
    return False
