"""Handlers of AttributeError that run for other values than the one at hand.

``try: return x.astype(dtype)`` with a handler for what is no array: where ``x`` is a tracer it has the attribute, so
that what the handler does (a warning, the value as it came) happens to no tracer.
"""

from __future__ import annotations

import ast

from jaxlint.flow.domain.state import is_tracer
from jaxlint.flow.domain.values import Array, External
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.array_members import ARRAY_METHODS, STATIC_ATTRIBUTES


def has_nothing_to_handle(it: Interpreter, handler: ast.ExceptHandler, body: list[ast.stmt]) -> bool:
    """Whether all whose attributes a body reads have them, at least one array among them.

    Whether something in a function that is called lacks an attribute is not looked for, nor whether a release of a
    module does: what the handler does then is not looked at, which only loses claims.
    """
    if handler.type is None or dotted(handler.type) != "AttributeError":
        return False
    reads = [part for statement in body for part in descendants(statement) if isinstance(part, ast.Attribute)]
    with it.scratch(), it.quiet():
        owners = [(it.eval(read.value), read.attr) for read in reads]
    of_arrays = [(owner, name) for owner, name in owners if not isinstance(owner, External)]
    return bool(of_arrays) and all(
        (is_tracer(owner) or isinstance(owner, Array)) and (name in STATIC_ATTRIBUTES or name in ARRAY_METHODS)
        for owner, name in of_arrays
    )
