"""What the project's own context managers do with the exceptions of their blocks."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.values import Function, Instance, Value
from jaxlint.flow.models.names import expectations
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.swallowed import keeps_exceptions, swallowing
from jaxlint.flow.source.trees import parameter_names


def caught_by(it: Interpreter, written: ast.expr, manager: Value) -> frozenset[str] | None:
    """The exceptions that a context manager of the project's own keeps to itself; None for one that does not, or is of
    somebody else."""
    if isinstance(manager, Instance):
        method = classes.find_member(it, manager.cls, "__exit__")
        return expectations.ANYTHING if isinstance(method, Function) and keeps_exceptions(method.node) else None
    if not isinstance(written, ast.Call):
        return None
    with it.quiet():
        function = it.eval(written.func)
    node = function.node if isinstance(function, Function) else None
    handlers = list(swallowing(node)) if isinstance(node, ast.FunctionDef) else []
    if not handlers:
        return None
    assert isinstance(function, Function)
    assert isinstance(node, ast.FunctionDef)
    names, caught = parameter_names(node), frozenset[str]()
    for handler in handlers:
        if handler.type is None:
            return expectations.ANYTHING
        if isinstance(handler.type, ast.Name) and handler.type.id in names:
            with it.quiet():
                given = [it.eval(one) for one in (*written.args, *(keyword.value for keyword in written.keywords))]
        else:
            given = [it.eval_annotation(handler.type, function)]
        caught |= expectations.caught_by(it, given)
    return caught
