"""What only an array of one element has, its truth and a number of Python, asked of one that has another number."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import ABSTRACT, Array
from jaxlint.flow.models.arrays import results
from jaxlint.flow.port import Interpreter

_OF_ANY_NUMBER = (".tolist()", ".tobytes()", ".item(…)", ".__array__()", ".__dlpack__()", ".__reduce__()")
"""Conversions that take an array of any number of elements, or are told which one is meant."""


def check(it: Interpreter, value: Array, node: ast.AST, how: str) -> None:
    """if x == y, float(x): one axis that has not one element is enough.  A tracer raises before that."""
    aval = results.aval_of(value)
    if how.strip("`") in _OF_ANY_NUMBER:
        return
    if value.level == ABSTRACT or value.declared or all(size in (None, 1) for size in aval.ends):
        return
    it.emit(events.NotOneElement(node, str(aval), how))
