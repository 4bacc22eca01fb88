"""Parts that a method of a flax module makes, as only a compact one may, and the names that it gives them: each to
one."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.asked import NeedsCaller
from jaxlint.flow.domain.values import ClassValue, External, Function, Instance
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.making import is_compact
from jaxlint.flow.models.objects.reaching import reached_from
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.done_before import calls_before
from jaxlint.flow.source.mentioned import is_named_in
from jaxlint.flow.source.text import dotted

_PARAM = "param"
_MAKERS = ("setup", "__post_init__", "__init__")


def check_made(it: Interpreter, node: ast.AST) -> None:
    """A module is made, or a parameter: where none may be, or with a name that another one has."""
    function = it.activation.function
    if function is None or it.frame is not it.activation.frame or not isinstance(node, ast.Call):
        return
    owner = function.owner if function.kind != "static" else None
    if owner is not None and not classes.is_module(owner):
        return
    if owner is not None and not is_compact(it, function):
        _check_compact(it, function, node)
        return
    name = _name_in(node)
    if name is None or not _makes_part(it, function, node):
        return
    for earlier in it.ask_text(it.frame.scope, calls_before, function.node, node):
        if _name_in(earlier) == name and _makes_part(it, function, earlier):
            if owner is not None or _is_run_by_compact(it, node):
                it.emit(events.NameTaken(node, name, earlier))
            return


def _is_run_by_compact(it: Interpreter, node: ast.Call) -> bool:
    """Whether a compact method runs the plain function that makes a part: it is one of that method's object."""
    running = it.activation.caller
    while running is not None and running.function is not None:
        owner = running.function.owner
        if owner is not None and classes.is_module(owner):
            return is_compact(it, running.function) and _is_for(it, node, owner)
        running = running.caller
    if running is None and it.state.is_summarised:
        raise NeedsCaller
    return False


def _is_for(it: Interpreter, node: ast.Call, owner: ClassValue) -> bool:
    """Whether what is made is a module, whose parent is the object that runs, or a parameter of such an object."""
    if not (isinstance(node.func, ast.Attribute) and node.func.attr == _PARAM):
        return True
    given = it.lookup(node.func.value.id) if isinstance(node.func.value, ast.Name) else None
    return isinstance(given, Instance) and given.cls in (owner, *classes.linearized(owner))


def _check_compact(it: Interpreter, function: Function, node: ast.Call) -> None:
    """A module that a method makes has its object for a parent, which takes none outside of `setup` and compact
    methods."""
    if isinstance(function.node, ast.Lambda) or function.node.decorator_list:
        return
    if function.owner is None or classes.external_bases(function.owner) != {_MODULE}:
        return
    has_parent = any(keyword.arg in ("parent", None) for keyword in node.keywords)
    made_by_method = isinstance(node.func, ast.Attribute) and node.func.attr == _PARAM
    if has_parent or made_by_method or not _makes_part(it, function, node):
        return
    before = it.ask_text(it.frame.scope, calls_before, function.node, node)
    is_first = not any(_makes_part(it, function, earlier) for earlier in before)  # it raises
    if is_first and (function.name == "__call__" or not _may_run_where_parts_are_made(it, function.owner, function)):
        is_named = function.name == "__call__" or it.ask_text(function.owner.scope, is_named_in, function.name)
        it.emit(events.PartOutsideCompact(node, dotted(node.func), function.name, is_named))


def _may_run_where_parts_are_made(it: Interpreter, owner: ClassValue, method: Function) -> bool:
    """Whether a method is one where parts may be made, or may be called by one of its class, or of one derived from
    that, as the text tells."""
    family = {owner, *(other for other in it.all_classes(owner) if owner in classes.linearized(other))}
    line = {part for cls in family for part in classes.linearized(cls)}
    if any(classes.external_bases(cls) != {_MODULE} for cls in line):
        return True
    members = (member for cls in line for member in it.state.read(cls.frame).values())
    makers = {member.name for member in members if isinstance(member, Function) and is_compact(it, member)}
    makers |= {*_MAKERS, *(name for cls in line for name in _decorated(cls))}
    return method.name in makers or method.name in reached_from(it, line, makers)


def _decorated(cls: ClassValue) -> list[str]:
    """The methods of which a decorator has made something else."""
    return [
        node.name
        for node in cls.node.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.decorator_list
    ]


def _name_in(node: ast.AST) -> str | None:
    """The name that a call gives to what it makes, if it is written there."""
    if not isinstance(node, ast.Call):
        return None
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    value = named.get("name")
    if value is None and isinstance(node.func, ast.Attribute) and node.func.attr == _PARAM and node.args:
        value = node.args[0]
    is_text = isinstance(value, ast.Constant) and isinstance(value.value, str) and "parent" not in named
    return value.value if is_text else None  # type: ignore[union-attr]


def _makes_part(it: Interpreter, function: Function, call: ast.AST) -> bool:
    """Whether a call makes a module of flax linen, or a parameter of the one that the method is of."""
    assert isinstance(call, ast.Call)
    func = call.func
    if isinstance(func, ast.Attribute) and func.attr == _PARAM:
        parameters = function.node.args
        first = next(iter((*parameters.posonlyargs, *parameters.args)), None)
        return isinstance(func.value, ast.Name) and first is not None and func.value.id == first.arg
    value = it.eval_annotation(func, function) if isinstance(func, (ast.Name, ast.Attribute)) else None
    if isinstance(value, ClassValue):
        return classes.external_bases(value) == {_MODULE}
    short = value.name.rpartition(".")[2] if isinstance(value, External) else ""
    return isinstance(value, External) and value.name.startswith("flax.linen.") and short[:1].isupper()


_MODULE = "flax.linen.Module"
