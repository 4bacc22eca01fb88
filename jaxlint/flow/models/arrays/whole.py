"""Whole numbers, where JAX takes nothing else: indices, and what says how large something is."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Array, Const, Container, Slice, Static, Tree, Tuple, Union, Value
from jaxlint.flow.limits import KNOWN_ITEMS
from jaxlint.flow.models.arrays import dtypes
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import parameters

_NO_INDEX = ("float", "complex")


def check_index(it: Interpreter, owner: Value, index: Value, node: ast.AST) -> None:
    """x[[0, 1]], x[n / 2], x[: n / 2]: where NumPy takes a list, and neither takes a float."""
    if not _is_of_jax(owner):
        return
    if isinstance(index, Container) and index.kind == "list":
        it.emit(events.IndexRefused(node, "list"))
        return
    for part in index.items if isinstance(index, Tuple) else (index,):
        is_slice = isinstance(part, Slice)
        bounds = (part.lower, part.upper, part.step) if isinstance(part, Slice) else (part,)
        if any(_is_float(bound) or (not is_slice and _is_of_floats(it, bound)) for bound in bounds):
            it.emit(events.IndexRefused(node, "float", is_slice))
            return


def _is_of_jax(owner: Value) -> bool:
    """Whether it is certainly an array of jax: what is only declared to be one may be of NumPy."""
    if isinstance(owner, Union):
        return all(map(_is_of_jax, owner.options))
    if isinstance(owner, Tree):
        return owner.array_like
    return isinstance(owner, Array) and not owner.declared


def _is_float(value: Value) -> bool:
    if isinstance(value, Const):
        return isinstance(value.value, (float, complex))
    if isinstance(value, Union):
        return all(map(_is_float, value.options))
    return isinstance(value, Static) and value.kind in _NO_INDEX


def _is_of_floats(it: Interpreter, value: Value) -> bool:
    return isinstance(value, Array) and value.aval.kind in _NO_INDEX and not dtypes.is_asked_for(it)


def check_size(it: Interpreter, function: str, argument: str, value: Value, node: ast.AST) -> None:
    """jnp.zeros(n / 2), jnp.ones((n / 2, 3)), jnp.linspace(0, 1, 1e3)."""
    is_many = isinstance(value, Tuple) or (isinstance(value, Container) and value.kind == "list")
    parts = known_items(it, value, KNOWN_ITEMS.value) or [] if is_many else [value]
    if any(map(_is_float, parts)) and not _is_only_declared(it, value):
        it.emit(events.FloatSize(node, function, argument))


FILLED = frozenset(f"jax.numpy.{name}" for name in ("zeros", "ones", "empty"))
"""Functions that are given a shape, and after it a dtype."""


def check_in_parts(it: Interpreter, function: str, args: Arguments, node: ast.AST) -> None:
    """jnp.zeros(2, 3)."""
    second = args.positional[1] if len(args.positional) > 1 and function in FILLED else None
    is_number = isinstance(second, Const) and type(second.value) is int
    if is_number or (isinstance(second, Static) and second.kind == "int" and not _is_only_declared(it, second)):
        it.emit(events.ShapeInParts(node, function))


def _is_only_declared(it: Interpreter, value: Value) -> bool:
    """Whether it is a parameter of which nothing but its annotation tells what it is: that a size is a float is wrong
    then, and not that a float is given for one."""
    function = it.frame.function
    if function is None or it.calls or not isinstance(value, Static):
        return False
    variables = it.state.read(it.frame)
    return any(
        parameter.annotation is not None and variables.get(parameter.arg) is value
        for parameter in parameters(function.node)
    )
