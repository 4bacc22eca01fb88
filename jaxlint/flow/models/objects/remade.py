"""Containers that a class may make something else of than was written: a tuple of a list, as a rule."""

from __future__ import annotations

import ast
from collections.abc import Collection

from jaxlint.flow.domain.values import (
    ClassValue,
    Container,
    External,
    ExternalInstance,
    Function,
    Instance,
    Opaque,
    Value,
)
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.given_later import is_set_from_outside, may_be_given
from jaxlint.flow.source.trees import descendants

_HOOKS = ("__setattr__", "__getattribute__")
_PLAIN_METACLASSES = frozenset(("abc.ABCMeta", "builtins.type"))


def as_kept(it: Interpreter, owner: Instance, name: str, value: Value) -> Value:
    """What an object has after a ``value`` was set as its attribute, or was left by what made it."""
    if not isinstance(value, Container):
        return value
    member = classes.find_member(it, owner.cls, name)
    is_hooked = isinstance(member, (Instance, ExternalInstance)) or (
        isinstance(member, Function) and member.kind == "property"
    )
    is_hooked = is_hooked or any(isinstance(classes.find_member(it, owner.cls, hook), Function) for hook in _HOOKS)
    return Opaque(f"self.{name}") if is_hooked or _is_changed(it, owner.cls) else value


def may_be_another(it: Interpreter, owner: Instance, name: str) -> bool:
    """Whether an object of which only the class is known may have something else as an attribute than what makes
    objects of the class has set: a class derived from it has, or some code that is none of its methods sets it."""
    return is_replaced_below(it, owner.cls, (name,)) or any(
        it.ask_text(scope, is_set_from_outside, name) for scope in it.scopes.values()
    )


def is_replaced_below(it: Interpreter, cls: ClassValue, names: Collection[str]) -> bool:
    """Whether a class derived from this one has another member by one of these names, or sets such an attribute."""
    return any(
        not it.state.read(part.frame).keys().isdisjoint(names) or _sets_one_of(it, part, names)
        for derived in it.all_classes(cls)
        if derived is not cls and cls in classes.linearized(derived)
        for part in classes.linearized(derived)
        if part not in classes.linearized(cls)
    )


def _sets_one_of(it: Interpreter, cls: ClassValue, names: Collection[str]) -> bool:
    it.note_class(cls)
    return any(
        isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr in names
        for node in descendants(cls.node)
    )


def as_member(it: Interpreter, cls: ClassValue, name: str, value: Value) -> Value:
    """What a class has as an attribute for which its body, or that of a base, binds a ``value``."""
    if not isinstance(value, Container):
        return value
    line = classes.linearized(cls)
    is_remade = _is_changed(it, cls) or any(
        (part is not cls and isinstance(it.state.read(part.frame).get("__init_subclass__"), Function))
        or it.ask_text(part.scope, may_be_given, part.name, name)
        for part in line
    )
    return Opaque(name) if is_remade else value


def _is_changed(it: Interpreter, cls: ClassValue) -> bool:
    """Whether a metaclass of the program, or a decorator of its that sets attributes, has a say in what its objects
    are."""
    return any(_is_changed_by(it, part) for part in classes.linearized(cls) if part.decorators or part.node.keywords)


def _is_changed_by(it: Interpreter, cls: ClassValue) -> bool:
    for decorator in cls.decorators:
        if isinstance(decorator, Function) and any(map(_sets, descendants(decorator.node))):
            it.note_function(decorator)
            return True
    given = (it.eval_annotation(one.value, cls) for one in cls.node.keywords if one.arg == "metaclass")
    return any(not (isinstance(one, External) and one.name in _PLAIN_METACLASSES) for one in given)


def _sets(node: ast.AST) -> bool:
    return (isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)) or (
        isinstance(node, ast.Name) and node.id == "setattr"
    )
