"""Functions that differ in what they transform and in nothing else: one shows what the other does better."""

from __future__ import annotations

import ast
import re

from jaxlint.flow.source.modules import ModuleText, parameters
from jaxlint.flow.source.trees import descendants
from jaxlint.flow.source.walked import called


def is_set_against(scope: ModuleText, function: ast.AST, made: ast.AST) -> bool:
    """Whether another function of the module is ``function`` but for the argument of the transform ``made``."""
    if not isinstance(function, ast.FunctionDef) or not isinstance(made, ast.Call) or not made.args:
        return False
    alike = _alike(scope, made)
    own = _but_for(function, made) if alike else ""
    others = scope.once(_functions_by_kinds).get(_kinds(function), ()) if alike else ()
    return any(
        _but_for(other, call) == own
        for other in others
        if other is not function
        for call in alike
        if other.lineno <= call.lineno <= (other.end_lineno or 0)
    )


def _alike(scope: ModuleText, made: ast.Call) -> list[ast.Call]:
    """The calls in a module that apply the same transform to something else."""
    transform, argument = _written(made)
    written = scope.once(_calls_by_name, called(made))
    return [call for call, (function, first) in written if function == transform and first != argument]


def _functions_by_kinds(scope: ModuleText) -> dict[tuple[type, ...], list[ast.FunctionDef]]:
    found: dict[tuple[type, ...], list[ast.FunctionDef]] = {}
    for functions in scope.parts(_functions_in):
        for one in functions:
            found.setdefault(_kinds(one), []).append(one)
    return found


def _functions_in(statement: ast.AST) -> list[ast.FunctionDef]:
    return [one for one in descendants(statement) if isinstance(one, ast.FunctionDef)]


def _kinds(function: ast.FunctionDef) -> tuple[type, ...]:
    """Of which kinds the statements of a function are."""
    return tuple(map(type, function.body))


def _calls_by_name(scope: ModuleText, name: str) -> list[tuple[ast.Call, tuple[str, str]]]:
    found = []
    for statement in scope.tree.body if scope.tree is not None else ():
        found += scope.part(_calls_in, statement, name)
    return found


def _calls_in(statement: ast.AST, name: str) -> list[tuple[ast.Call, tuple[str, str]]]:
    calls = (part for part in descendants(statement) if isinstance(part, ast.Call) and part.args)
    return [(call, _written(call)) for call in calls if called(call) == name]


def _written(call: ast.Call) -> tuple[str, str]:
    """What a call calls, and what it is given first."""
    return ast.dump(call.func), ast.dump(call.args[0])


def _but_for(function: ast.FunctionDef, call: ast.Call) -> str:
    """What is written in a function, whatever it calls its own variables, without what a call in it is given first."""
    written = ast.dump(function.args) + "".join(map(ast.dump, function.body))
    pieces = _NAME.split(written.replace(ast.dump(call.args[0]), "…"))
    stored = (part for part in descendants(function) if isinstance(part, ast.Name))
    own = {part.id for part in stored if not isinstance(part.ctx, ast.Load)} | {
        each.arg for each in parameters(function)
    }
    numbers: dict[str, str] = {}
    for place in range(1, len(pieces), 2):
        if pieces[place] in own:
            pieces[place] = numbers.setdefault(pieces[place], str(len(numbers)))
    return "".join(pieces)


_NAME = re.compile(r"(?<=(?:Name\(id|arg\(arg)=')(\w+)")
"""A variable, or a parameter, in what `ast.dump` writes."""
