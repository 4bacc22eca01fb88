"""Methods that spend the key which their object keeps, and leave it there: each call spends the same one.

That an object hands out new keys is seen by a method of its class that gives the attribute another value.
"""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.state import Use
from jaxlint.flow.domain.values import ClassValue, Function, Instance, KeyId, Opaque, Value
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.beginnings import MAKERS, attributes_set_elsewhere
from jaxlint.flow.models.objects.registered import may_be_pytree
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.given_later import is_set_from_outside
from jaxlint.flow.source.mentioned import functions_of
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants


def check(it: Interpreter, function: Function, receiver: Value | None) -> None:
    """After a method has run for a caller nobody knows."""
    if not isinstance(receiver, Instance):
        return
    for name, value in it.state.read(receiver).items():
        key = keys.key_of(value) if isinstance(value, Opaque) else None
        uses = it.state.uses.get(key, ()) if key is not None and _is_as_found(key) else ()
        spent = next((use for use in uses if use.how in keys.STRONG and _is_in(use, function)), None)
        if spent is None or not isinstance(name, str) or not _is_given(spent.node, name):
            continue
        if _is_left(it, function, receiver.cls, name):
            it.emit(events.KeyLeftSpent(spent.node, spent.how, spent.callee, function.name, name), function.scope)


def _is_as_found(key: KeyId) -> bool:
    """Whether nothing that is seen has made the key: the attribute had it before."""
    return key.parent is None and key.site is None and not key.alternatives


def _is_in(use: Use, function: Function) -> bool:
    """Whether a use stands in the method, and happens in each call of it."""
    return use.function is function.node and not use.loops and not use.guards


def _is_given(call: ast.AST, attribute: str) -> bool:
    """Whether a call is given the attribute as it is, and not one of several keys."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)] if isinstance(call, ast.Call) else []
    return any(isinstance(one, ast.Attribute) and one.attr == attribute for one in given)


def _is_left(it: Interpreter, function: Function, cls: ClassValue, name: str) -> bool:
    """Whether other methods give the attribute new keys, this one is for whoever has the object, and nobody else sets
    the attribute."""
    node = function.node
    is_plain = isinstance(node, ast.FunctionDef) and not node.decorator_list and not _sets(node, name)
    if not is_plain or classes.is_pytree(cls) or name not in attributes_set_elsewhere(it, cls):
        return False
    if not all(it.ask_text(part.scope, _moves_on, part.node, name) is not False for part in classes.linearized(cls)):
        return False
    family = {part.scope: None for other in it.all_classes(cls) for part in classes.linearized(other)}
    names = tuple(sorted({part.name for other in it.all_classes(cls) for part in classes.linearized(other)}))
    if any(it.ask_text(scope, _is_called_by_methods, names, function.name) for scope in family):
        return False
    if any(it.ask_text(scope, is_set_from_outside, name) for scope in it.scopes.values()):
        return False
    return not may_be_pytree(it, cls)


def _sets(method: ast.FunctionDef, attribute: str) -> bool:
    parts = (part for part in descendants(method) if isinstance(part, ast.Attribute) and part.attr == attribute)
    return any(not isinstance(part.ctx, ast.Load) for part in parts)


def _moves_on(scope: ModuleText, cls: ast.ClassDef, attribute: str) -> bool | None:
    """Whether all methods that set an attribute make its value of the one before; None where none does."""
    found: bool | None = None
    for method in cls.body:
        if isinstance(method, ast.FunctionDef) and method.name not in MAKERS:
            statements = [one for one in descendants(method) if isinstance(one, ast.Assign)]
            for one in statements:
                if any(_mentions(target, attribute) for target in one.targets):
                    found = found is not False and _is_made_of(one.value, attribute, statements)
    return found


def _is_made_of(value: ast.expr, attribute: str, statements: list[ast.Assign]) -> bool:
    """Whether a value is computed of the attribute, or of names that are."""
    names = {part.id for part in descendants(value) if isinstance(part, ast.Name)}
    sources = [one.value for one in statements if not names.isdisjoint(_bound(one))]
    return any(_mentions(part, attribute) for part in (value, *sources))


def _bound(statement: ast.Assign) -> set[str]:
    parts = (part for target in statement.targets for part in descendants(target))
    return {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def _mentions(node: ast.AST, attribute: str) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr == attribute for part in descendants(node))


def _is_called_by_methods(scope: ModuleText, owners: tuple[str, ...], method: str) -> bool:
    """Whether a method of these classes names another one, which it may run after it has set the attribute."""
    return any(one.owner in owners and method in one.words and one.name != method for one in scope.once(functions_of))
