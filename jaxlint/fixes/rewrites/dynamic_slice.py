"""`x[i : i + 3]` becomes `lax.dynamic_slice_in_dim(x, i, 3)`."""

from __future__ import annotations

import ast

from jaxlint.fixes.imports import name_for
from jaxlint.fixes.rewrites.static_argument import looks_static, made_static
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Fix, Repair


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix unless the upper bound is the lower one and a number, in one dimension, the others whole.

    Never safe: a slice that reaches over the end is shifted to the left, not cut off.
    """
    subscript = source.node(repair.location, ast.expr)
    if not isinstance(subscript, ast.Subscript) or not isinstance(subscript.ctx, ast.Load):
        raise CannotFix
    parts = subscript.slice.elts if isinstance(subscript.slice, ast.Tuple) else [subscript.slice]
    bounded = [part for part in parts if not _is_whole(part)]
    if len(bounded) != 1 or not isinstance(bounded[0], ast.Slice) or not all(isinstance(p, ast.Slice) for p in parts):
        raise CannotFix
    if any(bound is not None and looks_static(source, repair, bound) for bound in _bounds(bounded[0])):
        return made_static(source, repair)
    start, length = _span(source, bounded[0])
    lax, imports = name_for(source, "jax.lax", subscript)
    axis = parts.index(bounded[0])
    ending = f", axis={axis}" if axis else ""
    if source.has_comment(subscript):
        raise CannotFix
    text = f"{lax}.dynamic_slice_in_dim({source.text(subscript.value)}, {start}, {length}{ending})"
    return Fix("Use `dynamic_slice_in_dim`", Applicability.UNSAFE, (*imports, source.replace(subscript, text)))


def _bounds(part: ast.Slice) -> tuple[ast.expr | None, ...]:
    return (part.lower, part.upper, part.step)


def _is_whole(part: ast.expr) -> bool:
    return isinstance(part, ast.Slice) and _bounds(part) == (None, None, None)


def _span(source: Source, part: ast.Slice) -> tuple[str, str]:
    """Where a slice starts and its length: `i : i + 3`, `i : 3 + i`, `i - 1 : i + 2`."""
    if part.lower is None or part.upper is None or part.step is not None:
        raise CannotFix
    start, before = _shifted(part.lower)
    end, behind = _shifted(part.upper)
    if ast.dump(start) != ast.dump(end) or behind <= before:
        raise CannotFix
    return source.text(part.lower), str(behind - before)


def _shifted(node: ast.expr) -> tuple[ast.expr, int]:
    """An expression and the number that is added to it."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        if (number := _integer(node.right)) is not None:
            return node.left, number if isinstance(node.op, ast.Add) else -number
        if (number := _integer(node.left)) is not None and isinstance(node.op, ast.Add):
            return node.right, number
    return node, 0


def _integer(node: ast.expr) -> int | None:
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None
