"""Names that a compact method of a flax module gives to its parts: each to one."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import ClassValue, External, Function
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.making import is_compact
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.done_before import calls_before

_PARAM = "param"


def check_named(it: Interpreter, node: ast.AST) -> None:
    """A module is made, or a parameter, which may have a name that another one has."""
    name, function = _name_in(node), it.activation.function
    if name is None or function is None or it.frame is not it.activation.frame or not is_compact(it, function):
        return
    if function.owner is None or not classes.is_module(function.owner):
        return
    if not _makes_part(it, function, node):
        return
    for earlier in it.ask_text(it.frame.scope, calls_before, function.node, node):
        if _name_in(earlier) == name and _makes_part(it, function, earlier):
            it.emit(events.NameTaken(node, name, earlier))
            return


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
