"""What `in_axes` says of the parts of an argument, held against the argument: it has the form of its first levels.  So
has `out_axes` that of what the function gives."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import Array, Instance, Key, Tuple, Value
from jaxlint.flow.limits import LEAF_DEPTH
from jaxlint.flow.models.jax.contracts import children, described, kind_of_node
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter

_NODES = ("tuple", "list", "dict")


def is_refused(
    it: Interpreter, transform: str, axes: Sequence[Value], arguments: Sequence[tuple[str, Value]], node: ast.AST
) -> bool:
    """Whether JAX raises, since an entry of ``in_axes`` is for a tree that the argument, which has a name, is not."""
    for given, (name, value) in zip(axes, arguments):
        found = _misfit(it, given, value)
        if found is not None:
            place, part, told = found
            return it.emit(events.AxesForOtherTree(node, transform, name + place, described(it, part), told))
    return False


def check_result(it: Interpreter, transform: str, axes: Value, result: Value, node: ast.AST) -> None:
    """The same of ``out_axes`` and what a mapped function gives."""
    found = _misfit(it, axes, result)
    if found is not None:
        place, part, told = found
        it.emit(events.AxesForOtherTree(node, transform, f"the result{place}", described(it, part), told, "out_axes"))


def _misfit(
    it: Interpreter, axes: Value, value: Value, place: str = "", depth: int = 0
) -> tuple[str, Value, str] | None:
    """Where the argument has another node than the axes, with theirs and what it is."""
    kind = kind_of_node(axes)
    if kind not in _NODES or depth > LEAF_DEPTH.value:
        return None
    if isinstance(value, Instance):
        is_node = classes.is_pytree(it, value.cls) and not value.symbolic
        return (place, axes, f"an object of `{value.cls.name}`") if is_node else None
    if isinstance(value, Key) or (isinstance(value, Array) and value.declared):
        return None  # an array of keys may be a list of them, and what an annotation says may not be so
    if isinstance(value, Tuple) and value.declared:
        return None
    other = kind_of_node(value)
    if other == "array" or (other in _NODES and other != kind):
        return place, axes, described(it, value)
    mine, others = (children(it, axes), children(it, value)) if other == kind else (None, None)
    if mine is None or others is None:
        return None
    if mine.keys() != others.keys():
        return place, axes, described(it, value)
    found = (_misfit(it, part, others[name], place + name, depth + 1) for name, part in mine.items())
    return next((one for one in found if one is not None), None)
