"""Attributes that are set without being written: by `setattr`, or in the dict that an object keeps them in.

No event comes from here: what is known of an attribute ends where another value may have taken its place.
"""

from __future__ import annotations

import ast

from jaxlint.flow.domain.state import join_values
from jaxlint.flow.domain.values import (
    SET_BY_NAME,
    Const,
    ExternalInstance,
    Function,
    Instance,
    Opaque,
    Tree,
    Value,
)
from jaxlint.flow.port import Interpreter

_BY_NAME = (Instance, Function, ExternalInstance)
"""Whose attributes the state keeps under their names; those of what is not known have a selector."""


def set_attribute(it: Interpreter, owner: Value, name: Value | None, value: Value) -> None:
    """setattr(owner, name, value)"""
    if not isinstance(owner, (*_BY_NAME, Opaque, Tree)):
        return
    cell = it.state.write(owner)
    if isinstance(name, Const) and isinstance(name.value, str):
        cell[name.value if isinstance(owner, _BY_NAME) else ("attr", name.value)] = value
        return
    for selector, old in list(cell.items()):
        if isinstance(owner, _BY_NAME) or (isinstance(selector, tuple) and selector[0] == "attr"):
            cell[selector] = join_values(old, it.state, value, it.state, it.state)
    if isinstance(owner, Instance):
        cell[SET_BY_NAME] = Opaque("an attribute")


def attributes_changed(it: Interpreter, written: ast.expr, call: ast.Call | None = None) -> None:
    """Something is done to what ``written`` stands for, by the method that is called: if that is the dict of an object,
    any attribute may have been set, or those that `update(x=x)` names."""
    kept = _owner(written)
    if kept is None:
        return
    with it.scratch(), it.quiet():
        owner = it.eval(kept)
        given = {Const(name): it.eval(value) for name, value in _named(call).items()}
    for name, value in given.items() or [(None, Opaque("an attribute"))]:
        set_attribute(it, owner, name, value)


def _named(call: ast.Call | None) -> dict[str, ast.expr]:
    """What `update` is given by name, if that is all."""
    if call is None or call.args or getattr(call.func, "attr", "") != "update":
        return {}
    named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    return named if len(named) == len(call.keywords) else {}


def _owner(written: ast.expr) -> ast.expr | None:
    """Whose dict it is: `config.__dict__`, `vars(config)`."""
    if isinstance(written, ast.Attribute) and written.attr == "__dict__":
        return written.value
    if isinstance(written, ast.Call) and isinstance(written.func, ast.Name) and written.func.id == "vars":
        return written.args[0] if len(written.args) == 1 and not written.keywords else None
    return None
