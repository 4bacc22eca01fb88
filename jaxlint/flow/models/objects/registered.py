"""Whether objects of a class of the program may be pytrees: of a class that is known to be one, `classes` tells."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.flow.domain.values import ClassValue, External, Function, Lazy, ModuleScope, ModuleValue
from jaxlint.flow.models.names.imports import resolve
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.registering import registers
from jaxlint.flow.source.trees import descendants

_PLAIN_BASES = classes.OF_IDENTITY | {"flax.linen.Module"}
"""Classes from outside whose objects are no pytrees, and that make none of classes derived from them."""
_PLAIN_DECORATORS = frozenset(("dataclasses.dataclass", "functools.total_ordering", "typing.final"))


def may_be_pytree(it: Interpreter, cls: ClassValue) -> bool:
    """Whether objects of a class, or of one derived from it, may be pytrees: by what they are derived from or decorated
    with, or by a call that registers them.  What only fits a protocol may be of any class."""
    if classes.is_protocol(cls):
        return True
    family = [other for other in it.all_classes(cls) if cls in classes.linearized(other)]
    parts = {part for other in (cls, *family) for part in classes.linearized(other)}
    return any(map(_is_of_unknown_kind, parts)) or any(it.ask_program(is_registered, part.name) for part in parts)


def _is_of_unknown_kind(cls: ClassValue) -> bool:
    bases = [base for base in cls.bases if not isinstance(base, ClassValue)]
    if not all(isinstance(base, External) and base.name in _PLAIN_BASES for base in bases):
        return True
    if cls.node.keywords or any(getattr(node, "name", "") == "__init_subclass__" for node in cls.node.body):
        return True
    known = classes.decorator_names(cls)
    return len(known) != len(cls.node.decorator_list) or not known <= _PLAIN_DECORATORS


def is_registered(it: Interpreter, name: str) -> bool:
    """Whether some module that names a class may register it, or imports a function that registers classes."""
    it.note_registrations()
    naming = [scope for scope in it.scopes.values() if name in scope.module.document.text]
    if any(scope.registered is None or name in scope.registered for scope in naming):
        return True
    return any(_is_registering(function) for scope in naming for function in _imported(it, scope))


def _imported(it: Interpreter, scope: ModuleScope) -> Iterator[Function]:
    """The functions of other modules that a module names, by themselves or by their modules."""
    it.note_text(scope)
    for value in list(it.state.read(scope.frame).values()):
        found = resolve(it, value) if isinstance(value, Lazy) else value
        parts = it.state.read(found.scope.frame).values() if isinstance(found, ModuleValue) else (found,)
        yield from (part for part in parts if isinstance(part, Function) and part.scope is not scope)


def _is_registering(function: Function) -> bool:
    """Whether a function of a module that registers classes does so itself."""
    if not registers(function.scope.module.document.text):
        return False
    names = (getattr(part, "attr", getattr(part, "id", "")) for part in descendants(function.node))
    return any(isinstance(name, str) and registers(name) for name in names)
