"""What a function does with a parameter, by its text: whether it computes with it as no tuple can be computed with."""

from __future__ import annotations

import ast

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import FunctionNode, descendants

_REFUSED = (ast.Sub, ast.Div, ast.Pow, ast.MatMult)


def computes_with(_: ModuleText, function: FunctionNode, position: int) -> bool:
    """Whether the parameter at a position, alone or times a float, is taken from something or divided, and is read for
    nothing else."""
    parameters = [parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args)]
    if position >= len(parameters):
        return False
    parts = list(descendants(function))
    read = [part for part in parts if _is_read(part, parameters[position])]
    operands = {operand for part in parts if isinstance(part, ast.BinOp) for operand in _refusing(part)}
    return bool(read) and all(name in operands for name in read)


def _is_read(part: ast.AST, name: str) -> bool:
    return isinstance(part, ast.Name) and part.id == name


def _refusing(operation: ast.BinOp) -> list[ast.AST]:
    """The operands of an operation that cannot be tuples beside an array."""
    if isinstance(operation.op, _REFUSED):
        sides = [operation.left, operation.right]
        factors = [side for side in sides if isinstance(side, ast.BinOp) and isinstance(side.op, ast.Mult)]
        return [*sides, *(factor for side in factors for factor in (side.left, side.right))]
    return []
