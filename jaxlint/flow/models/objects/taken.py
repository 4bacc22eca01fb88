"""What an argument without an annotation is taken for, of which nothing is known but that it is traced, or nothing at
all: an object of the one class of pytrees of the program that has all attributes which the function asks it for."""

from __future__ import annotations

import ast
from collections import namedtuple

from jaxlint.flow.domain.contexts import Provenance, Why
from jaxlint.flow.domain.values import ClassValue, Function, Instance, Tree, Value
from jaxlint.flow.models.objects import classes, instances
from jaxlint.flow.models.objects.declared import traced_record, unknown_record
from jaxlint.flow.models.objects.registered import is_registered
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.mentioned import attributes_of, is_read_in
from jaxlint.semantics.array_members import ARRAY_METHODS, NO_METHODS

_OF_ANY = ARRAY_METHODS | NO_METHODS | {"at", "item", "tolist"} | {*dir(dict), *dir(list), *dir(tuple)}
"""What arrays and plain containers have, too."""


_OF_NAMED_TUPLES = frozenset(dir(namedtuple("_", ()))) - frozenset(dir(tuple))


def taken_for(it: Interpreter, function: Function, parameter: ast.arg, value: Tree) -> Value:
    """The argument with the fields of that class; as it is where none has the attributes, or several do."""
    cls = _class_having(it, _asked_of(it, function, parameter)) if value.sure else None
    if cls is None:
        return value
    taken = value.renamed(value.parameter, value.key)
    taken.provenance = Provenance(Why.TAKEN, (parameter.arg, cls.name), function.scope, parameter, value.provenance)
    if classes.is_named_tuple(cls):
        return traced_record(it, taken, cls)
    found = instances.traced_object(it, taken, cls)
    return value if found is taken else found


def unknown_taken_for(it: Interpreter, function: Function, parameter: ast.arg) -> Value | None:
    """The same of an argument that some caller passes, if the program has none that would tell."""
    cls = _class_having(it, _asked_of(it, function, parameter)) if parameter.annotation is None else None
    if cls is None or it.ask_program(is_read_anywhere, function.name):
        return None
    return unknown_record(it, cls) if classes.is_named_tuple(cls) else Instance(cls, None, symbolic=True)


def is_read_anywhere(it: Interpreter, name: str) -> bool:
    """Whether any module reads a name or an attribute, or imports it by another name."""
    return any(it.ask_text(scope, is_read_in, name) for scope in it.scopes.values())


def _asked_of(it: Interpreter, function: Function, parameter: ast.arg) -> tuple[str, ...]:
    """The attributes that the function asks of a parameter; none where arrays and containers have them all."""
    words = it.ask_text(function.scope, attributes_of, function.node).get(parameter.arg, ())
    return () if _OF_ANY.issuperset(words) else tuple(sorted(words))


def _class_having(it: Interpreter, words: tuple[str, ...]) -> ClassValue | None:
    cls = _class_of(it, it.ask_program(class_having, *words)) if words else None
    if cls is not None:
        it.note_classes(cls)
    return cls


def class_having(it: Interpreter, *words: str) -> list[str]:
    """The module and the name of the one class of pytrees that has these attributes; where others are derived from it,
    the one that they are derived from.  Empty if there is none, or more."""
    it.note_classes()
    having = _by_attribute(it)
    for scope in {cls.scope: None for cls in having.get("", ())}:
        for word in words:
            it.note_global(scope, f"self.{word}")
    alike = [cls for cls in having.get(words[0], ()) if all(cls in having.get(word, ()) for word in words[1:])]
    if not any(_is_tree(it, cls) for cls in alike):
        return []
    found = [cls for cls in alike if _is_tree(it, cls) or it.ask_program(is_registered, cls.name)]
    first = next((one for one in found if all(one in classes.linearized(other) for other in found)), None)
    if first is None or not _is_tree(it, first) or _class_of(it, [first.scope.name, first.name]) is not first:
        return []
    return [first.scope.name, first.name]


def _by_attribute(it: Interpreter) -> dict[str, list[ClassValue]]:
    """The classes by the names of what their objects have; by no name those without declared fields."""
    if it.by_attribute is None or it.by_attribute[0] != len(it.classes):
        found: dict[str, list[ClassValue]] = {}
        for cls in it.all_classes():
            for name in _members(it, cls):
                found.setdefault(name, []).append(cls)
        it.by_attribute = len(it.classes), found
    return it.by_attribute[1]


def _members(it: Interpreter, cls: ClassValue) -> set[str]:
    """What the bodies bind, the fields, and where none are declared what the module's methods set on their objects."""
    line, fields = classes.linearized(cls), classes.fields_in_order(cls)
    names = {name for part in line for name in it.state.read(part.frame) if isinstance(name, str)}
    names |= _OF_NAMED_TUPLES if classes.is_named_tuple(cls) else {"replace"} if fields is not None else set()
    if fields is not None:
        return names | set(fields)
    return names.union({""}, *(part.scope.set_on_self for part in line))


def _class_of(it: Interpreter, name: list[str]) -> ClassValue | None:
    """The class that a module knows by its name; none for one that was made in a function."""
    scope = it.scopes.get(name[0]) if name else None
    cls = it.state.read(scope.frame).get(name[1]) if scope is not None else None
    return cls if isinstance(cls, ClassValue) else None


def _is_tree(it: Interpreter, cls: ClassValue) -> bool:
    return classes.is_named_tuple(cls) or classes.is_pytree(it, cls)
