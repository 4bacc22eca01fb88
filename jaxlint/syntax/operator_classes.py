"""Operators: one class of libcst for one class of ``ast``."""

from __future__ import annotations

import ast

import libcst as cst

from jaxlint.syntax.lowering import REGISTRY

OPERATORS: dict[type[cst.CSTNode], type[ast.AST]] = {
    cst.Add: ast.Add,
    cst.BitAnd: ast.BitAnd,
    cst.BitOr: ast.BitOr,
    cst.BitXor: ast.BitXor,
    cst.Divide: ast.Div,
    cst.FloorDivide: ast.FloorDiv,
    cst.LeftShift: ast.LShift,
    cst.MatrixMultiply: ast.MatMult,
    cst.Modulo: ast.Mod,
    cst.Multiply: ast.Mult,
    cst.Power: ast.Pow,
    cst.RightShift: ast.RShift,
    cst.Subtract: ast.Sub,
    cst.AddAssign: ast.Add,
    cst.BitAndAssign: ast.BitAnd,
    cst.BitOrAssign: ast.BitOr,
    cst.BitXorAssign: ast.BitXor,
    cst.DivideAssign: ast.Div,
    cst.FloorDivideAssign: ast.FloorDiv,
    cst.LeftShiftAssign: ast.LShift,
    cst.MatrixMultiplyAssign: ast.MatMult,
    cst.ModuloAssign: ast.Mod,
    cst.MultiplyAssign: ast.Mult,
    cst.PowerAssign: ast.Pow,
    cst.RightShiftAssign: ast.RShift,
    cst.SubtractAssign: ast.Sub,
    cst.And: ast.And,
    cst.Or: ast.Or,
    cst.Equal: ast.Eq,
    cst.GreaterThan: ast.Gt,
    cst.GreaterThanEqual: ast.GtE,
    cst.In: ast.In,
    cst.Is: ast.Is,
    cst.IsNot: ast.IsNot,
    cst.LessThan: ast.Lt,
    cst.LessThanEqual: ast.LtE,
    cst.NotEqual: ast.NotEq,
    cst.NotIn: ast.NotIn,
    cst.BitInvert: ast.Invert,
    cst.Minus: ast.USub,
    cst.Not: ast.Not,
    cst.Plus: ast.UAdd,
}

REGISTRY.update({operator: lambda low, node: OPERATORS[type(node)]() for operator in OPERATORS})
