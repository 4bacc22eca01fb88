"""References of a Pallas kernel where what they hold is meant, and arrays that a kernel takes from outside."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import ABSTRACT, CONCRETE, Array, HostArray, Ref, Slice, Tuple, Value
from jaxlint.flow.port import Interpreter


def check_operands(it: Interpreter, operands: tuple[Value, ...], node: ast.AST) -> None:
    """An operator of a kernel."""
    if not it.ctx.is_of_kernel or it.ctx.concrete:
        return
    if any(isinstance(operand, Ref) for operand in operands):
        it.emit(events.KernelOperand(node, "reference"))
    elif any(map(_is_of_outside, operands)) or (_has_tracer(operands) and any(map(_is_table, operands))):
        it.emit(events.KernelOperand(node, "captured"))


def check_stored(it: Interpreter, owner: Value, index: Value, value: Value, node: ast.AST) -> None:
    """What is written to a reference of a kernel, and where."""
    if isinstance(owner, Ref) and it.ctx.is_of_kernel:
        check_slices(it, index, node)
        if isinstance(value, Ref):
            it.emit(events.KernelOperand(node, "stored"))


def check_slices(it: Interpreter, index: Value, node: ast.AST) -> None:
    """The slices of a reference that a kernel reads or writes: it asks whether a bound is within the block."""
    if not it.ctx.is_of_kernel:
        return
    parts = index.items if isinstance(index, Tuple) else (index,)
    bounds = [bound for part in parts if isinstance(part, Slice) for bound in (part.lower, part.upper, part.step)]
    traced = next((bound for bound in bounds if isinstance(bound, Array) and bound.level == ABSTRACT), None)
    if traced is not None:
        it.emit(events.SliceBound(node, traced, of_reference=True))


def _is_of_outside(value: Value) -> bool:
    """Whether an array was made before the kernel was traced: what jnp makes in it is a tracer."""
    return isinstance(value, Array) and value.level == CONCRETE and not value.declared


def _has_tracer(operands: tuple[Value, ...]) -> bool:
    return any(isinstance(operand, Array) and operand.level for operand in operands)


def _is_table(value: Value) -> bool:
    """Whether it is a NumPy array with axes; with others of its kind NumPy computes while the kernel is traced."""
    return isinstance(value, HostArray) and value.no_scalar
