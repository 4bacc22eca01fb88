"""Handlers that tell of a failure and go on, as around the jobs of a script: whoever wrote them expected none.

What is called there is wrong all the same.  A handler that computes something in place of what has failed is another
matter: the failure is one of the ways that the code is meant to take.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from jaxlint.flow.domain.values import External, Function, Transformed
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.trees import descendants


def only_reports(it: Interpreter, handler: ast.ExceptHandler) -> bool:
    """Whether a handler has a word for what was raised, and computes nothing."""
    raised = handler.name or ""
    told = any(_names(raised, part) for part in handler.body)
    for call, is_statement in _calls(handler.body):
        if is_statement and _names(raised, call):
            continue  # it is about what was raised, and nobody takes what it gives
        with it.quiet():
            function = it.eval(call.func)
        if _computes(function, call.func, is_statement):
            return False
        told = True
    return told


def _computes(function: object, called: ast.expr, is_statement: bool) -> bool:
    """Whether a call may be for its value: of code of the project, of a library, or of what the function was given."""
    if isinstance(function, External):
        return function.name.partition(".")[0] not in sys.stdlib_module_names
    return not is_statement or isinstance(function, (Function, Transformed)) or not isinstance(called, ast.Attribute)


def _calls(body: list[ast.stmt]) -> Iterator[tuple[ast.Call, bool]]:
    """The calls in a handler, and whether each is in a statement that is nothing but an expression."""
    parts = [part for each in body for part in descendants(each)]
    shown = {inner for part in parts if isinstance(part, ast.Expr) for inner in descendants(part)}
    return ((part, part in shown) for part in parts if isinstance(part, ast.Call))


def _names(name: str, node: ast.AST) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in descendants(node))
