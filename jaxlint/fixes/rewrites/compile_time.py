"""The body of a cached function goes into `with jax.ensure_compile_time_eval():`, so that the cache gets no tracer."""

from __future__ import annotations

import ast

from jaxlint.fixes.imports import name_for
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Fix, Repair


def rewrite(source: Source, repair: Repair) -> Fix:
    """Never safe: what the function reads of `self` may be traced.  Raises CannotFix for what cannot be indented."""
    function = source.node(repair.location, ast.FunctionDef)
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    if not body or any(_has_fixed_lines(node) for statement in body for node in ast.walk(statement)):
        raise CannotFix
    indent = source.indent(body[0])
    deeper = indent.removeprefix(source.indent_of_line(function.lineno))
    start, end = source.offset(body[0].lineno, 1), source.offsets(body[-1])[1]
    if not deeper or isinstance(body[0], (ast.FunctionDef, ast.ClassDef)):
        raise CannotFix
    jax, imports = name_for(source, "jax", function)
    lines = source.document.text[start:end].split(source.newline)
    indented = [f"{deeper}{line}" if line.strip() else line for line in lines]
    text = source.newline.join([f"{indent}with {jax}.ensure_compile_time_eval():", *indented])
    edit = source.replace_range(start, end, text)
    return Fix("Compute it outside of the trace", Applicability.UNSAFE, (*imports, edit))


def _has_fixed_lines(node: ast.AST) -> bool:
    """Whether a node is a string over several lines, in which spaces count, or makes the function a generator."""
    if isinstance(node, (ast.Constant, ast.JoinedStr)):
        return node.lineno != node.end_lineno
    return isinstance(node, (ast.Yield, ast.YieldFrom))
