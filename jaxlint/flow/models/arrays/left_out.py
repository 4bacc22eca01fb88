"""Arguments that a caller may leave out: who asks for the truth of one asks whether it was given."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.values import External, Function, Tree
from jaxlint.flow.limits import LOOKED_AT
from jaxlint.flow.models.objects import declared
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import operands_of
from jaxlint.flow.source.trees import FunctionNode


def may_be_left_out(it: Interpreter, value: Tree) -> bool:
    """Whether it is an optional parameter, and nothing tells that an array is meant: any object has a truth."""
    functions = [it.ran[node] for node in it.running(LOOKED_AT.value)]
    if not any(_is_optional(it, function, value.parameter) for function in functions):
        return False
    names = {value.parameter, *(name for name, held in it.state.read(it.frame).items() if held is value)}
    return not any(_is_computed_with(it, function.node, names) for function in functions)


def _is_optional(it: Interpreter, function: Function, name: str) -> bool:
    """Whether a parameter is None where it is not given, and not declared to be an array."""
    spec = function.node.args
    ordered = [*spec.posonlyargs, *spec.args]
    optional = [
        *zip(ordered[len(ordered) - len(spec.defaults) :], spec.defaults),
        *zip(spec.kwonlyargs, spec.kw_defaults),
    ]
    return any(
        parameter.arg == name
        and isinstance(default, ast.Constant)
        and default.value is None
        and not declared.is_array(it, parameter, function)
        for parameter, default in optional
    )


def _is_computed_with(it: Interpreter, node: FunctionNode, names: set[str]) -> bool:
    """Whether a function hands what it calls by one of these names to an operator, or to a function of arrays."""
    for name, callee in operands_of(node, it.facts_of(node)):
        if name in names:
            root, _, rest = callee.partition(".")
            module = it.lookup(root) if root else None
            if not callee or (isinstance(module, External) and f"{module.name}.{rest}".startswith(_OF_ARRAYS)):
                return True
    return False


_OF_ARRAYS = ("jax.numpy.", "jax.nn.", "numpy.")
