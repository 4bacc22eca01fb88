"""Python's `operator` module: its functions are the operators."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import NONE, Opaque, Static, Value
from jaxlint.flow.models.arrays import arrays
from jaxlint.flow.models.python.items import get_item, store_item
from jaxlint.flow.port import Interpreter

_BINARY: dict[str, ast.operator] = {
    "add": ast.Add(),
    "and_": ast.BitAnd(),
    "floordiv": ast.FloorDiv(),
    "lshift": ast.LShift(),
    "matmul": ast.MatMult(),
    "mod": ast.Mod(),
    "mul": ast.Mult(),
    "or_": ast.BitOr(),
    "pow": ast.Pow(),
    "rshift": ast.RShift(),
    "sub": ast.Sub(),
    "truediv": ast.Div(),
    "xor": ast.BitXor(),
}
_COMPARING: dict[str, ast.cmpop] = {
    "eq": ast.Eq(),
    "ge": ast.GtE(),
    "gt": ast.Gt(),
    "is_": ast.Is(),
    "is_not": ast.IsNot(),
    "le": ast.LtE(),
    "lt": ast.Lt(),
    "ne": ast.NotEq(),
}
_UNARY: dict[str, ast.unaryop] = {
    "inv": ast.Invert(),
    "invert": ast.Invert(),
    "neg": ast.USub(),
    "not_": ast.Not(),
    "pos": ast.UAdd(),
}


def call_operator(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value:
    """What ``operator.name`` gives, with what the operator that it stands for asks of its operands."""
    operands = args.positional
    if len(operands) == 2 and name in _BINARY:
        return arrays.binary(it, operands[0], operands[1], _BINARY[name], node)
    if len(operands) == 2 and name in _COMPARING:
        return arrays.compare(it, operands[0], operands[1], _COMPARING[name], node)
    if len(operands) == 2 and name == "contains":
        return arrays.compare(it, operands[1], operands[0], ast.In(), node)
    if len(operands) == 2 and name == "getitem":
        return get_item(it, operands[0], operands[1], node)
    if len(operands) == 3 and name == "setitem":
        owner, index, value = operands
        store_item(it, owner, index, value, node)
        return NONE
    if len(operands) == 1 and name in _UNARY:
        return _unary(it, operands[0], _UNARY[name], node)
    if len(operands) == 1 and name == "truth":
        return arrays.convert(it, operands[0], node, "bool")
    if len(operands) == 1 and name == "index":
        return arrays.convert(it, operands[0], node, "operator.index")
    return Static("int") if name == "index" else Opaque("a result")


def _unary(it: Interpreter, operand: Value, op: ast.unaryop, node: ast.AST) -> Value:
    if isinstance(op, ast.Not):
        arrays.truth(it, operand, node, "not")
    return arrays.unary(it, operand, op, node)
