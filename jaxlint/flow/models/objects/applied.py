"""What the program's own decorators do to a class that they are given: which functions of libraries they hand it to."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain.values import External, Function, Value
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics import libraries

_WITH_OPTIONS = frozenset(("dataclasses.dataclass",)) | libraries.FROZEN_DECORATORS.keys()
"""What makes fields of annotations, whatever else it is told.  How a class is registered may be told, too."""


def applied_to(it: Interpreter, decorator: Value) -> Iterator[str]:
    """The functions of libraries that a decorator of the program hands the class to, on every path, with nothing that
    says which fields are leaves."""
    if not isinstance(decorator, Function) or isinstance(decorator.node, ast.Lambda):
        return
    parameters = (*decorator.node.args.posonlyargs, *decorator.node.args.args)
    names = {parameters[0].arg} if parameters else set()
    for statement in decorator.node.body:
        value = getattr(statement, "value", None)
        calls = list(_calls_on(value, names)) if isinstance(value, ast.expr) else []
        for call in calls:
            function = it.eval_annotation(_called(call), decorator)
            if isinstance(function, External) and (not _options(call) or function.name in _WITH_OPTIONS):
                yield function.name
        if _may_return(statement):
            return
        if isinstance(statement, ast.Assign):
            names = _bound(statement, names, bool(calls))


def _may_return(statement: ast.stmt) -> bool:
    is_definition = isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    return not is_definition and any(isinstance(part, ast.Return) for part in descendants(statement))


def _calls_on(value: ast.expr, names: set[str]) -> Iterator[ast.Call]:
    """The calls of an expression that are given the class, or what another such call makes of it."""
    while isinstance(value, ast.Call) and value.args:
        if _ends_in(value, names):
            yield value
        value = value.args[0]


def _ends_in(value: ast.expr, names: set[str]) -> bool:
    while isinstance(value, ast.Call) and value.args:
        value = value.args[0]
    return isinstance(value, ast.Name) and value.id in names


def _called(call: ast.Call) -> ast.expr:
    """The function that a call is of: `dataclass` of `dataclass(frozen=True)(cls)`, too."""
    return call.func.func if isinstance(call.func, ast.Call) and not call.func.args else call.func


def _options(call: ast.Call) -> bool:
    made = call.func if isinstance(call.func, ast.Call) else None
    return len(call.args) > 1 or bool(call.keywords) or (made is not None and bool(made.keywords))


def _bound(statement: ast.Assign, names: set[str], is_class: bool) -> set[str]:
    """The names of the class behind an assignment, of what a call made of it or of something else."""
    bound = {part.id for target in statement.targets for part in descendants(target) if isinstance(part, ast.Name)}
    is_class = is_class or (isinstance(statement.value, ast.Name) and statement.value.id in names)
    return names | bound if is_class else names - bound
