"""Whether code may be given references, which look like arrays and dicts and may be changed."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.values import Function, Lazy, ModuleScope, ModuleValue, Transformed
from jaxlint.flow.models.names.imports import resolve
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText


def may_be_given(it: Interpreter) -> bool:
    """Whether the module that runs has to do with references, or one that imports something of it."""
    return it.ask_program(is_given_references, it.frame.scope.name)


def is_given_references(it: Interpreter, module: str) -> bool:
    """Whether a module has to do with references, or one that imports something of it."""
    scope = it.scopes[module]
    return scope.uses_references or any(_imports(it, other, scope) for other in it.referring() if other is not scope)


def _imports(it: Interpreter, other: ModuleScope, scope: ModuleScope) -> bool:
    """Whether a module has a function of the other one, from wherever it is imported, or that module itself."""
    it.ask_text(other, _bindings)
    values = (resolve(it, one) if isinstance(one, Lazy) else one for one in list(it.state.read(other.frame).values()))
    return any(isinstance(value, (Function, ModuleValue, Transformed)) and value.scope is scope for value in values)


def _bindings(module: ModuleText) -> list[ast.stmt]:
    """The statements of a module that may bind something of another one."""
    body = module.tree.body if module.tree is not None else []
    return [one for one in body if not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
