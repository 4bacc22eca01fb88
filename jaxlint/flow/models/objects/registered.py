"""Whether objects of a class of the program may be pytrees: of a class that is known to be one, `classes` tells."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.flow.domain.values import ClassValue, External, Function, Lazy, ModuleScope, ModuleValue
from jaxlint.flow.models.names.imports import resolve
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import EVERY, Interpreter
from jaxlint.flow.source.mentioned import imported_modules

_PLAIN_BASES = (
    classes.OF_IDENTITY
    | {"flax.linen.Module"}
    | {f"builtins.{name}" for name in ("dict", "list", "set")}
    | {f"collections.{name}" for name in ("OrderedDict", "UserDict", "UserList", "defaultdict", "deque")}
)
"""Classes from outside whose objects are no pytrees, and that make none of classes derived from them."""
_PLAIN_DECORATORS = frozenset(("dataclasses.dataclass", "functools.total_ordering", "typing.final"))


def may_be_pytree(it: Interpreter, cls: ClassValue) -> bool:
    """Whether objects of a class, or of one derived from it, may be pytrees: by what they are derived from or decorated
    with, or by a call that registers them.  What only fits a protocol may be of any class.

    A call, or decorator, of JAX registers that one class and none that is derived from it.
    """
    if classes.is_protocol(cls):
        return True
    family = {cls, *(other for other in it.all_classes(cls) if cls in classes.linearized(other))}
    bases = {part for other in family for part in classes.linearized(other)} - family
    if any(_is_of_unknown_kind(one) or it.ask_program(is_registered, one.name) for one in family):
        return True
    return any(
        _is_of_unknown_kind(base, classes.REGISTERING) or it.ask_program(may_be_registered, base.name) for base in bases
    )


def _is_of_unknown_kind(cls: ClassValue, also_plain: frozenset[str] = frozenset()) -> bool:
    bases = [base for base in cls.bases if not isinstance(base, ClassValue)]
    if not all(isinstance(base, External) and base.name in _PLAIN_BASES for base in bases):
        return True
    if cls.node.keywords or any(getattr(node, "name", "") == "__init_subclass__" for node in cls.node.body):
        return True
    known = classes.decorator_names(cls)
    return len(known) != len(cls.node.decorator_list) or not known <= _PLAIN_DECORATORS | also_plain


def is_registered(it: Interpreter, name: str) -> bool:
    """Whether some module that names a class may register it, or imports a function that registers classes."""
    it.note_registrations()
    return any(name in (scope.registered or ()) for scope in _naming(it, name)) or may_be_registered(it, name)


def may_be_registered(it: Interpreter, name: str) -> bool:
    """Whether some module that names a class may register it, or others with it, and its text does not tell."""
    it.note_registrations()
    naming = _naming(it, name)
    if any(scope.registered is None for scope in naming):
        return True
    if not naming or not any(scope.registering for scope in it.scopes.values()):
        return False
    return any(part.node in part.scope.registering for scope in naming for part in _imported(it, scope))


def _naming(it: Interpreter, name: str) -> list[ModuleScope]:
    """The modules in whose text a name is written."""
    return [scope for scope in it.scopes.values() if name in scope.words]


def _imported(it: Interpreter, scope: ModuleScope) -> Iterator[Function]:
    """The functions of other modules that a module names, by themselves or by their modules."""
    it.note_global(scope, EVERY)
    it.ask_text(scope, imported_modules)
    for value in list(it.state.read(scope.frame).values()):
        found = resolve(it, value) if isinstance(value, Lazy) else value
        parts = it.state.read(found.scope.frame).values() if isinstance(found, ModuleValue) else (found,)
        yield from (part for part in parts if isinstance(part, Function) and part.scope is not scope)
