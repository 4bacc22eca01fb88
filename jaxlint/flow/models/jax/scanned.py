"""What a scan goes through: arrays with a first axis, all of one length, or nothing and a length."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import Array, Const, HostArray, Key, Value
from jaxlint.flow.limits import LEAF_DEPTH
from jaxlint.flow.models.jax import contracts
from jaxlint.flow.port import Interpreter


def check_scanned(it: Interpreter, operation: str, xs: Value, length: Value, node: ast.AST) -> bool:
    """Whether a scan can go through ``xs``, as far as is known."""
    without_length = isinstance(length, Const) and length.value is None
    if without_length and _is_empty(it, xs):
        it.emit(events.NothingToScan(node, operation))
        return False
    for leaf, place in contracts.leaves(it, xs):
        if _is_scalar(leaf):
            it.emit(events.NoAxisToScan(node, operation, contracts.in_words(it, leaf), place))
            return False
    sizes = list(_sizes(it, xs))
    if isinstance(length, Const) and type(length.value) is int:
        sizes.insert(0, ("length", length.value))
    for other in sizes[1:]:
        if other[1] != sizes[0][1]:
            it.emit(events.LengthsDiffer(node, operation, sizes[0], other))
            return False
    return True


def _is_empty(it: Interpreter, value: Value, depth: int = 0) -> bool:
    """Whether there is no array in it."""
    kind = contracts.kind_of_node(value)
    if kind in ("", "array") or depth > LEAF_DEPTH.value:
        return kind == "None"
    parts = {} if kind == "None" else contracts.children(it, value)
    return parts is not None and all(_is_empty(it, part, depth + 1) for part in parts.values())


def _is_scalar(leaf: Value) -> bool:
    """A number, or an array without axes; what only an annotation says to be a number may be an array."""
    if isinstance(leaf, Const):
        return contracts.is_number(leaf)
    return isinstance(leaf, (Array, HostArray)) and contracts.exact(leaf).shape == ()


def _sizes(it: Interpreter, xs: Value) -> Iterator[tuple[str, int]]:
    for leaf, place in contracts.leaves(it, xs):
        size: int | None = None
        if isinstance(leaf, Key):
            size = leaf.size if leaf.batch and leaf.dims == 1 and leaf.ranked else None
        elif isinstance(leaf, (Array, HostArray)) and (shape := contracts.exact(leaf).shape):
            size = shape[0]
        if size is not None:
            yield f"xs{place}", size
