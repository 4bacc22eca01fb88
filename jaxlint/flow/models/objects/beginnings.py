"""What an object begins with: the attributes that its `__init__`, or another maker, sets whatever it is given.

The makers are run once, with arguments of which nothing is known, in a state that goes away.
"""

from __future__ import annotations

import ast
from typing import TypeGuard

from jaxlint.flow.domain.contexts import EAGER
from jaxlint.flow.domain.values import (
    ATTRIBUTE,
    SET_BY_NAME,
    Array,
    ClassValue,
    Const,
    Container,
    External,
    ExternalInstance,
    Frame,
    Function,
    Instance,
    Key,
    Method,
    Opaque,
    Partial,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
)
from jaxlint.flow.limits import INITIAL_DEPTH, KNOWN_ITEMS
from jaxlint.flow.models.objects.classes import find_member, linearized
from jaxlint.flow.models.objects.declared import unknown_arguments
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.given_later import set_in_methods
from jaxlint.flow.source.trees import FunctionNode, descendants

ITSELF = ""
"""The name under which the object stands of which the first attributes were found out: no attribute has it."""

MAKERS = ("__init__", "__post_init__", "setup")
"""The methods that give an object its first attributes."""


def is_set_at_start(it: Interpreter, cls: ClassValue, name: str) -> bool:
    """Whether each object of the class is given the attribute when it is made."""
    return name in initial_of(it, cls)


def initial_of(it: Interpreter, cls: ClassValue) -> dict[str, Value]:
    """The attributes that __init__ (or setup) sets, evaluated once with unknown arguments."""
    return it.initial_of(cls, lambda initial: _fill_initial(it, cls, initial))


def _fill_initial(it: Interpreter, cls: ClassValue, initial: dict[str, Value]) -> None:
    initial[ITSELF] = probe = Instance(cls, None, symbolic=True)
    for name in MAKERS:
        member = find_member(it, cls, name)
        if not isinstance(member, Function):
            continue
        if it.depth >= INITIAL_DEPTH.value:
            it.meets(INITIAL_DEPTH, member.node, member.scope)
        else:
            with it.scratch(), it.quiet(), it.context(EAGER), it.apart_from(_makers(it, cls)):
                it.run_function(member.bind(probe), unknown_arguments(it, member, probe))
                written = it.state.read(probe)
                for key, value in written.items():
                    initial[key] = _settled(it, value)
    rebound = attributes_set_elsewhere(it, cls)
    if SET_BY_NAME in rebound:
        rebound = {name for name in initial if name != ITSELF} | rebound
        initial[SET_BY_NAME] = Opaque("an attribute")
    for name in rebound & initial.keys():
        value = initial[name]
        if not isinstance(value, (Key, Array)):
            initial[name] = Opaque(f"self.{name}")


def _makers(it: Interpreter, cls: ClassValue) -> list[FunctionNode]:
    """The methods that make an object, of the class and of its bases: what they leave is the same whoever runs them
    already, for another object."""
    members = (it.state.read(part.frame).get(name) for part in linearized(cls) for name in MAKERS)
    return [member.node for member in members if isinstance(member, Function)]


def _settled(it: Interpreter, value: Value) -> Value:
    """Containers keep their contents in the state that goes away: outside they are unknown."""
    if isinstance(value, Container):
        return Container(value.kind, None, ATTRIBUTE)
    if isinstance(value, Union) and _is_one_of_several(value):
        alternatives = Union(tuple([_settled(it, option) for option in value.options]), value.guards)
        return alternatives if _is_one_of_several(alternatives) else Opaque("an attribute")
    if isinstance(value, (Tuple, Union, Tree, Method)):
        return Opaque("an attribute")
    if isinstance(value, Function) and value.frame is not None:
        if value.receiver is not None:
            return Opaque("a closure")
        _keep_around(it, value)
    elif isinstance(value, Transformed) and closures(value):
        options = {name: _constants(it, option) for name, option in value.options.items()}
        return Transformed(value.wrapper, value.name, _settled(it, value.function), options, value.scope, value.node)
    elif isinstance(value, Partial) and closures(value):
        kwargs = {name: _settled(it, given) for name, given in value.kwargs.items()}
        args = tuple(_settled(it, given) for given in value.args)
        return Partial(_settled(it, value.function), args, kwargs, value.more)
    return value


def _keep_around(it: Interpreter, function: Function) -> None:
    """Has the frames around a function remember what the state that goes away knows of their variables."""
    frame = function.frame
    while frame is not None and frame.left is None and frame is not frame.scope.frame and frame not in it.base:
        frame.left = {}
        rebound = _rebound_later(frame)
        for name, value in it.state.read(frame).items():
            if name in rebound:
                frame.left[name] = Opaque(str(name))
            else:
                frame.left[name] = value if isinstance(value, Const) else remembered(_settled(it, value), str(name))
        frame = frame.parent


def _rebound_later(frame: Frame) -> set[str]:
    """The variables that a function in the one that the frame is of may bind anew."""
    inside = descendants(frame.function.node) if frame.function is not None else ()
    return {name for part in inside if isinstance(part, ast.Nonlocal) for name in part.names}


def closures(value: Value | None) -> list[Function]:
    """The functions in a value that have variables of a running function around them."""
    if isinstance(value, (Transformed, Partial)):
        return closures(value.function)
    return [value] if isinstance(value, Function) and value.frame is not None else []


def bring_back(it: Interpreter, value: Value) -> None:
    """Has the interpreter know the variables around a function that an object began with, as a module's are known."""
    for closure in closures(value):
        frame = closure.frame
        while frame is not None and frame.left is not None and frame not in it.base:
            it.base[frame] = frame.left
            for inner in frame.left.values():
                bring_back(it, inner)
            frame = frame.parent


def _constants(it: Interpreter, value: Value) -> Value:
    """A constant, or a tuple of constants, also one that is written as a list."""
    if isinstance(value, Const):
        return value
    is_sequence = isinstance(value, Tuple) or (isinstance(value, Container) and value.kind == "list")
    items = known_items(it, value, KNOWN_ITEMS.value) if is_sequence else None
    if items is not None and all(isinstance(item, Const) for item in items):
        return Tuple(tuple(items))
    return Opaque("an option")


def attributes_set_elsewhere(it: Interpreter, cls: ClassValue) -> set[str]:
    """Attributes that other methods than the constructor bind: theirs is not the value that __init__ left."""
    names: set[str] = set()
    for part in linearized(cls):
        it.note_class(part)
        names |= it.ask_text(part.scope, set_in_methods, part.node, MAKERS)
    return {SET_BY_NAME if name == "" else name for name in names}


def remembered(value: Value | None, name: str) -> Value:
    """What another method may find in an attribute: the kind of value, not the constant of the moment."""
    if isinstance(value, Const) and value.value is not None:
        return Static(type(value.value).__name__)
    if isinstance(value, (Function, Transformed, Partial, External, ClassValue, ExternalInstance, Static, Container)):
        return value
    if isinstance(value, Key):
        return Opaque(f"self.{name}", key=None)
    if isinstance(value, (Array, Instance)) and getattr(value, "level", 0) == 0:
        return value
    if isinstance(value, Tuple):
        return value.with_other(tuple(remembered(item, name) for item in value.items))
    return value if _is_one_of_several(value) else Opaque(f"self.{name}")


def _is_one_of_several(value: Value | None) -> TypeGuard[Union]:
    """Whether a value is one of several functions, or an object of one of several classes that nobody knows more of, or
    None."""
    return isinstance(value, Union) and all(
        (isinstance(option, Instance) and option.symbolic)
        or isinstance(option, (ExternalInstance, Function, External, Transformed, Partial))
        or (isinstance(option, Const) and option.value is None)
        for option in value.options
    )
