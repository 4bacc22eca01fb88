"""How what a class has becomes what its objects have: functions become methods, properties are called."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import ClassValue, Function, Instance, Partial, Transformed, Value, innermost
from jaxlint.flow.models.objects.classes import find_member
from jaxlint.flow.port import Interpreter


def bind_member(it: Interpreter, member: Value, receiver: Value, cls: ClassValue, node: ast.AST) -> Value:
    """A class attribute read through an instance: functions become methods, properties are called."""
    if isinstance(member, Function):
        if member.kind == "static":
            return member
        if member.kind == "class":
            return member.bind(cls)
        if member.kind == "property":
            return it.call(member.bind(receiver), Arguments([], {}), node)
        return member.bind(receiver)
    if isinstance(member, Transformed):
        kind = kind_inside(member)
        if kind == "static":
            return member
        of = cls if kind == "class" else receiver
        bound = Transformed(member.wrapper, member.name, member.function, member.options, member.scope, member.node, of)
        return it.call(bound, Arguments([], {}), node) if kind == "property" else bound
    return member


def kind_inside(made: Function | Transformed) -> str:
    """Of what kind a function is, also a transformed one: the decorator may stand around the transforms."""
    function, _, _ = innermost(made)
    return function.kind if function is not None else ""


def ask(it: Interpreter, owner: Value, name: str, given: list[Value], node: ast.AST) -> Value | None:
    """What a method of Python's protocols gives, such as the `__getitem__` that `owner[index]` calls: looked up in the
    class, never in the object.  None if no class of the project has one for this object."""
    if not isinstance(owner, Instance):
        return None
    member = find_member(it, owner.cls, name)
    if not isinstance(member, (Function, Transformed, Partial)):
        return None
    return it.call(bind_member(it, member, owner, owner.cls, node), Arguments(given, {}), node)


OF_BUILTINS: dict[str, tuple[str, ...]] = {
    **{name: (f"__{name}__",) for name in "abs complex divmod float hash int pow repr reversed round".split()},
    "str": ("__str__", "__repr__"),
    "format": ("__format__", "__str__", "__repr__"),
}
"""The methods that builtins ask an object for: the first one that its class has."""


def ask_first(it: Interpreter, owner: Value, names: Iterable[str], given: list[Value], node: ast.AST) -> Value | None:
    """What the first of several methods of Python's protocols gives that the object's class has; None without one."""
    return next((found for name in names if (found := ask(it, owner, name, given, node)) is not None), None)
