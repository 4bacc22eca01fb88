"""Whether the function that is seen is the very one that will run.

A method that is handed on (`jax.lax.scan(self.step, …)`) is another one where the object is of a derived class that has
its own.  What it takes and gives is then not what this one does.
"""

from __future__ import annotations

import ast

from jaxlint.flow.domain.values import Function, Instance, Partial, Transformed, Value, innermost
from jaxlint.flow.models.jax.contracts import where_returned
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import is_abstract


def may_be_replaced(it: Interpreter, function: Value) -> bool:
    """Whether another function may run in place of this one, or in place of the one whose result it gives."""
    if is_replaced(it, function):
        return True
    inner = innermost(function)[0]
    given = where_returned(function, inner.node)[0] if inner is not None else None
    call = given.value if isinstance(given, ast.Return) else given
    if inner is None or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return False
    return is_replaced(it, it.eval_annotation(call.func, inner))


def is_replaced(it: Interpreter, function: Value) -> bool:
    """Whether it is a method, of an object of nobody knows which class, that some class of the program replaces."""
    inner, receiver = innermost(function)[0], _receiver(function)
    if inner is None or not isinstance(receiver, Instance) or not receiver.symbolic:
        return False
    if is_abstract(inner.node):
        return True
    member = classes.find_member(it, receiver.cls, inner.name)
    return any(
        receiver.cls in classes.linearized(derived) and classes.find_member(it, derived, inner.name) is not member
        for derived in it.all_classes(receiver.cls)
    )


def _receiver(function: Value) -> Value | None:
    """The object whose method it is."""
    while isinstance(function, (Partial, Transformed)):
        if isinstance(function, Transformed) and function.receiver is not None:
            return function.receiver
        function = function.function
    return function.receiver if isinstance(function, Function) else None
