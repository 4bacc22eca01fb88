"""What can be said of an expression by looking at it: whether it is a boolean array, can be evaluated twice, needs
to be evaluated last, or has no `at`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.fixes.bindings import binding_of
from jaxlint.fixes.imports import dotted_name
from jaxlint.fixes.source import Source
from jaxlint.vocabulary.findings import Repair

_BOOLEAN_FUNCTIONS = frozenset(
    f"jax.numpy.{name}"
    for name in """
    all allclose any array_equal equal greater greater_equal isclose isfinite isin isinf isnan less less_equal
    logical_and logical_not logical_or logical_xor not_equal
    """.split()
)
_GUARDING_FUNCTIONS = frozenset(("isinstance", "issubclass", "hasattr", "callable", "len"))
STATIC_ATTRIBUTES = frozenset(("shape", "ndim", "size", "dtype"))
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult)


def is_always_traced(repair: Repair) -> bool:
    """Whether the code runs under a trace only, so that static values it was never given cannot become arrays."""
    return dict(repair.facts).get("always") == "yes"


def is_boolean(source: Source, node: ast.expr, known: ast.expr | None = None) -> bool:
    """Whether an expression is a truth value or an array of them; ``known`` is one of which the analysis says so."""
    if node is known:
        return True
    if isinstance(node, ast.Compare):
        return True
    if isinstance(node, ast.BoolOp):
        return all(is_boolean(source, value, known) for value in node.values)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not) or (
            isinstance(node.op, ast.Invert) and is_boolean(source, node.operand, known)
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.BitXor)):
        return is_boolean(source, node.left, known) and is_boolean(source, node.right, known)
    if isinstance(node, ast.Call):
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr in ("any", "all")
        return is_method or dotted_name(source, node.func) in _BOOLEAN_FUNCTIONS
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


def is_guard(node: ast.expr) -> bool:
    """Whether a condition asks for structure: what comes after it may make no sense where it does not hold."""
    for part in ast.walk(node):
        if isinstance(part, ast.Compare) and any(isinstance(op, (ast.Is, ast.IsNot)) for op in part.ops):
            return True
        if isinstance(part, ast.Attribute) and part.attr in STATIC_ATTRIBUTES:
            return True
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in _GUARDING_FUNCTIONS:
            return True
    return False


def is_repeatable(source: Source, node: ast.expr) -> bool:
    """Whether evaluating an expression twice does what evaluating it once does: it calls nothing but jax.numpy."""
    return all(
        not isinstance(part, (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await))
        and (not isinstance(part, ast.Call) or dotted_name(source, part.func).startswith("jax.numpy."))
        for part in ast.walk(node)
    )


def is_plain(node: ast.expr) -> bool:
    """Whether an expression is names, numbers, and sums and products of them: it has a value where they do."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, _ARITHMETIC) and is_plain(node.left) and is_plain(node.right)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, (ast.USub, ast.UAdd)) and is_plain(node.operand)
    return isinstance(node, ast.Name) or is_number(node)


def is_number(node: ast.expr) -> bool:
    """A number as it is written, with or without a sign; True and False are none."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return is_number(node.operand)
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, (int, float, complex))
        and not isinstance(node.value, bool)
    )


MAX_STEPS = 20
"""An expression made in more steps from a literal or by numpy is taken for one that nothing is known of."""


def has_no_at(source: Source, node: ast.expr, steps: int = MAX_STEPS) -> bool:
    """Whether an expression looks like a number, a list, a tuple or an array of numpy, itself or where it was made."""
    if steps == 0:
        return False
    if isinstance(node, (ast.Constant, ast.List, ast.Tuple, ast.ListComp)):
        return True
    if isinstance(node, (ast.UnaryOp, ast.BinOp)):
        sides = (node.operand,) if isinstance(node, ast.UnaryOp) else (node.left, node.right)
        return any(not isinstance(side, ast.Constant) and has_no_at(source, side, steps - 1) for side in sides)
    if isinstance(node, ast.Call):
        if dotted_name(source, node.func).startswith("numpy."):
            return True
        return isinstance(node.func, ast.Attribute) and has_no_at(source, node.func.value, steps - 1)
    if isinstance(node, ast.Name):
        made = binding_of(source, node, node.id).statement
        if isinstance(made, ast.Assign) and any(isinstance(target, ast.Name) for target in made.targets):
            return has_no_at(source, made.value, steps - 1)
    return False


def names_in(node: ast.AST) -> set[str]:
    """The names that an expression or statement reads or binds."""
    return set(_names(node))


def _names(node: ast.AST) -> Iterator[str]:
    return (part.id for part in ast.walk(node) if isinstance(part, ast.Name))
