"""What a method of a class sets an attribute to, by the text: something else than it was, or what it makes of what it
was, as each step of a training does with the weights."""

from __future__ import annotations

import ast
from typing import NamedTuple, TypeGuard

from jaxlint.flow.source.dead import around
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants

_MAKES = ("__init__", "__post_init__")
_METHODS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Step(NamedTuple):
    """``write`` sets the attribute in a ``method``, ``goes_on``: once in a call, to what is made of what it was."""

    method: str
    write: ast.AST
    goes_on: bool


def step_of(
    scope: ModuleText, cls: ast.ClassDef, name: str, kept: frozenset[str], running: frozenset[ast.AST]
) -> Step | None:
    """How a method that makes no object sets the attribute, preferably from what it was; not one that sets one of those
    that are ``kept``, too: the compiled functions; nor one that leads from those ``running``, or has a decorator."""
    steps, traced = [], _reached(cls, running)
    for method in cls.body:
        if not isinstance(method, _METHODS) or method.name in (*_MAKES, *traced) or method.decorator_list:
            continue
        owner = _owner(method)
        stored = [one for one in descendants(method) if owner and _is_stored(one, owner)]
        writes = [one for one in stored if one.attr == name]
        if writes and kept.isdisjoint(one.attr for one in stored):
            loops = [part for part in descendants(method) if isinstance(part, (ast.For, ast.While))]
            once = [one for one in writes if not any(one in descendants(loop) for loop in loops)]
            going_on = next((one for one in once if owner and _is_made_of_itself(method, one, owner, name)), None)
            steps.append(Step(method.name, going_on or writes[0], going_on is not None))
    return max(steps, key=lambda one: one.goes_on, default=None)


def kept_by(scope: ModuleText, cls: ast.ClassDef, compiling: ast.AST) -> frozenset[str] | None:
    """The attributes that a class keeps a compiled function in, which ``compiling`` makes where an object is made; none
    of a decorator of a method; None where it is made anywhere else."""
    if any(compiling in (method, *method.decorator_list) for method in cls.body if isinstance(method, _METHODS)):
        return frozenset()
    maker = around(scope.tree, compiling) if scope.tree is not None else None
    if maker not in cls.body or not isinstance(maker, _METHODS) or maker.name not in _MAKES:
        return None
    owner = _owner(maker)
    statements = [part for part in descendants(maker) if isinstance(part, (ast.Assign, ast.AnnAssign))]
    holding = [one for one in statements if one.value is not None and compiling in (one.value, *descendants(one.value))]
    found = {part.attr for one in holding for part in descendants(one) if owner and _is_stored(part, owner)}
    return frozenset(found) or None


def _reached(cls: ast.ClassDef, running: frozenset[ast.AST]) -> set[str]:
    """The names of what functions ask their object for, and of what that asks it for, and so on."""
    methods = {method.name: method for method in cls.body if isinstance(method, _METHODS)}
    found, pending = {name for name, method in methods.items() if method in running}, list(running)
    while pending:
        asked = {part.attr for part in descendants(pending.pop()) if isinstance(part, ast.Attribute)}
        pending += [methods[name] for name in (asked & methods.keys()) - found]
        found |= asked
    return found


def _owner(method: ast.FunctionDef | ast.AsyncFunctionDef) -> str | None:
    names = [*method.args.posonlyargs, *method.args.args]
    return names[0].arg if names else None


def _is_stored(node: ast.AST, owner: str) -> TypeGuard[ast.Attribute]:
    """Whether an attribute of the object is set."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Store):
        return False
    return isinstance(node.value, ast.Name) and node.value.id == owner


def _is_made_of_itself(method: ast.AST, write: ast.AST, owner: str, name: str) -> bool:
    """Whether what is stored is computed of what was there, also by way of variables of the method."""
    bindings = [part for part in descendants(method) if isinstance(part, (ast.Assign, ast.AugAssign, ast.AnnAssign))]
    setting = next((one for one in bindings if write in _targets(one)), None)
    if setting is None or setting.value is None:
        return False
    if isinstance(setting, ast.AugAssign):
        return True
    pending, seen = [setting.value], set[str]()
    while pending:
        for part in (value := pending.pop(), *descendants(value)):
            if isinstance(part, ast.Attribute) and part.attr == name and isinstance(part.value, ast.Name):
                if part.value.id == owner:
                    return True
            elif isinstance(part, ast.Name) and part.id not in seen:
                seen.add(part.id)
                pending += [one.value for one in bindings if one.value is not None and part.id in _names(one)]
    return False


def _targets(statement: ast.Assign | ast.AugAssign | ast.AnnAssign) -> list[ast.AST]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return [part for target in targets for part in (target, *descendants(target))]


def _names(statement: ast.Assign | ast.AugAssign | ast.AnnAssign) -> set[str]:
    return {part.id for part in _targets(statement) if isinstance(part, ast.Name)}
