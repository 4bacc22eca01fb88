"""Operands that an operation does not take: `jax.lax` promotes no dtypes or ranks, and booleans are not subtracted."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.avals import Aval
from jaxlint.flow.domain.values import Array, Const, HostArray, Static, Value
from jaxlint.flow.models.arrays import dtypes, results
from jaxlint.flow.port import Interpreter
from jaxlint.semantics.strict_dtypes import OF_FLOATS, OF_ONE_DTYPE, OF_ONE_RANK, OF_SAME_RANK

_WORDS = {"bool": "booleans", "int": "whole numbers", "float": "floats", "complex": "complex numbers"}


def _known(value: Value | None) -> Aval | None:
    """What is known of an operand, other than by its annotation."""
    if isinstance(value, Array) and value.declared:
        return None
    if isinstance(value, (Array, Const, Static, HostArray)):
        return results.aval_of(value)
    return None


def _kind(value: Value | None) -> str:
    aval = _known(value)
    return aval.kind if aval is not None else ""


def check_operator(it: Interpreter, op: ast.operator, left: Value, right: Value, node: ast.AST) -> None:
    """mask - mask, and counts**-1."""
    if isinstance(op, ast.Sub) and _kind(left) == _kind(right) == "bool":
        _tell(it, "-", "two arrays of booleans", node)
    elif isinstance(op, ast.Pow) and isinstance(left, Array) and _kind(left) == "int" and isinstance(right, Const):
        if isinstance(right.value, int) and right.value < 0:
            _tell(it, "**", f"whole numbers and the power {right.value}", node)


def check_negative(it: Interpreter, value: Value, node: ast.AST) -> None:
    """-mask"""
    if isinstance(value, Array) and _kind(value) == "bool":
        _tell(it, "-", "an array of booleans", node)


def check_call(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """lax.add(counts, 1.0), lax.sqrt(counts)"""
    if args.open_ended or args.unsure:
        return
    if name in OF_FLOATS and args.positional and _kind(args.positional[0]) in ("int", "bool"):
        _tell(it, name, _WORDS[_kind(args.positional[0])], node)
        return
    operands = [args.positional[place] for place in OF_ONE_DTYPE.get(name, ()) if place < len(args.positional)]
    kinds = list(dict.fromkeys(kind for kind in map(_kind, operands) if kind))
    if len(kinds) > 1:
        _tell(it, name, " and ".join(_WORDS[kind] for kind in kinds), node)
    else:
        _check_ranks(it, name, args, node)


def _check_ranks(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """lax.add(row, table), lax.select(mask, x, 0.0)"""
    places = OF_ONE_RANK.get(name) or OF_SAME_RANK.get(name, ())
    operands = [_known(args.positional[place]) for place in places if place < len(args.positional)]
    ranks = [aval.ndim for aval in operands if aval is not None and aval.ndim is not None]
    if name in OF_ONE_RANK:
        ranks = [rank for rank in ranks if rank]
    if len(ranks) == 2 and ranks[0] != ranks[1]:
        it.emit(events.RanksRefused(node, name, (ranks[0], ranks[1])))


def _tell(it: Interpreter, operation: str, what: str, node: ast.AST) -> None:
    if not dtypes.is_asked_for(it):
        it.emit(events.DtypeRefused(node, operation, what))
