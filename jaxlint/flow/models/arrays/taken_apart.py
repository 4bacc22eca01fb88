"""Arrays that are unpacked, and have no rows or another number of them."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import Array, Value
from jaxlint.flow.models.arrays.handed_back import LOSS
from jaxlint.flow.port import Interpreter


def is_refused(it: Interpreter, value: Value, count: int, star: int | None, node: ast.AST) -> bool:
    """Whether `a, b = x` raises for want of rows, or for too many of them."""
    shape = value.aval.shape if isinstance(value, Array) and not value.declared else None
    if not isinstance(value, Array) or shape is None or (value.origin is not None and value.origin.name == LOSS):
        return False
    rows = shape[0] if shape else None
    fits = rows is None or (rows == count if star is None else rows >= count - 1)
    return not (shape and fits) and it.emit(events.TakenApart(node, value, rows, count))
