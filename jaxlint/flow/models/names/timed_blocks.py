"""`with timer():` of a generator that looks at the clock before the block and after it."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.values import External, Function
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.looks_around import looks_around
from jaxlint.semantics.clocks import CLOCKS

_MANAGING = "contextlib.contextmanager"


def is_timed(it: Interpreter, manager: ast.expr) -> bool:
    """Whether what a `with` calls to get its manager times the block."""
    if it.ctx.tracing or not isinstance(manager, ast.Call):
        return False
    with it.quiet():
        function = it.eval(manager.func)
    if not isinstance(function, Function) or not isinstance(function.node, ast.FunctionDef):
        return False
    if not any(_is(it, decorator, function, {_MANAGING}) for decorator in function.node.decorator_list):
        return False
    found = it.ask_text(function.scope, looks_around, function.node)
    return found is not None and all(_is(it, look, function, CLOCKS) for look in found)


def _is(it: Interpreter, node: ast.expr, function: Function, names: frozenset[str] | set[str]) -> bool:
    value = it.eval_annotation(node, function)
    return isinstance(value, External) and value.name in names
