"""Arrays of `jnp.empty` that a sum begins with: what is in them is whatever was in the memory."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import Array, Value
from jaxlint.flow.models.arrays import results
from jaxlint.flow.port import Interpreter
from jaxlint.semantics.array_members import AT_UPDATES

_MAKING = frozenset(f"jax.numpy.{name}" for name in ("empty", "empty_like"))
_COMBINING = AT_UPDATES - {"set"}
"""Updates that read the place before they write it."""

_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.BitOr, ast.BitAnd, ast.BitXor)


def note_made(it: Interpreter, result: Value, name: str) -> None:
    """An array is made without values.  One with no element has none to miss."""
    if name in _MAKING and isinstance(result, Array) and 0 not in (results.aval_of(result).shape or ()):
        result.unset = (name, it.frame)


def check_update(it: Interpreter, array: Value, method: str, node: ast.AST) -> None:
    """jnp.empty(n).at[i].add(x)"""
    if method in _COMBINING:
        _check(it, array, node)


def check_operator(it: Interpreter, op: ast.operator, left: Value, right: Value, node: ast.AST) -> None:
    """total += x, and total = total + x: the sum is to begin with what `jnp.empty` gave."""
    statement = it.statement
    if not isinstance(op, _OPERATORS):
        return
    if isinstance(node, ast.AugAssign):
        _check(it, left, node)
    elif isinstance(node, ast.BinOp) and isinstance(statement, ast.Assign) and statement.value is node:
        targets = {ast.dump(target) for target in statement.targets}
        for written, value in ((node.left, left), (node.right, right)):
            if isinstance(written, ast.Name) and ast.dump(ast.Name(written.id, ast.Store())) in targets:
                _check(it, value, node)


def _check(it: Interpreter, value: Value, node: ast.AST) -> None:
    """In the function that has made the array: what comes from elsewhere may be there for its shape alone."""
    if isinstance(value, Array) and value.unset is not None and value.unset[1] is it.frame:
        it.emit(events.UnsetRead(node, value.unset[0], it.program.jax_of(it.frame.scope.module)))
