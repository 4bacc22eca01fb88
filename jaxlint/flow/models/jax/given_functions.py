"""What loops and branches are given for the functions that they run: whether it is one, and takes what it is given."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import Value
from jaxlint.flow.models.jax import contracts
from jaxlint.flow.models.jax.arity import taken_by
from jaxlint.flow.port import Interpreter


def check_functions(
    it: Interpreter, operation: str, functions: Mapping[str, Value], given: int | None, node: ast.AST
) -> bool:
    """Whether ``functions``, by their roles, are some, and take ``given`` arguments by position (None: nobody knows how
    many), as far as is known."""
    for role, function in functions.items():
        if contracts.kind_of_node(function):
            it.emit(events.NoFunction(node, operation, role, contracts.in_words(it, function)))
            return False
    for role, function in functions.items():
        taken = taken_by(it, function) if given is not None else None
        if taken is not None and given is not None and taken.refuses(given):
            clash = taken.filled if taken.most is not None and given > taken.most else ""
            lacks = taken.asked[0] if taken.asked else ""
            it.emit(
                events.ParametersDiffer(node, operation, role, taken.name, given, taken.least, taken.most, clash, lacks)
            )
            return False
    return True
