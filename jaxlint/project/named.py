"""The name that stands at a place of a text."""

from __future__ import annotations

import ast

from jaxlint.project.documents import Document
from jaxlint.vocabulary.findings import Location

Named = ast.Name | ast.Attribute | ast.arg


def name_at(document: Document, tree: ast.Module, place: Location) -> tuple[Named, list[ast.AST]] | None:
    """The name, attribute or parameter whose last word is at a place, and the functions and classes around it."""
    waiting: list[tuple[ast.AST, list[ast.AST]]] = [(tree, [])]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, (ast.Name, ast.Attribute, ast.arg)) and _ends_at(document, node, place):
            return node, around
        inside = [*around, node] if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else around
        waiting += [(child, inside) for child in ast.iter_child_nodes(node) if _spans(child, place.line)]
    return None


def _spans(node: ast.AST, line: int) -> bool:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return line <= (node.end_lineno or 0)  # decorators stand before it
    first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    return first is None or last is None or first <= line <= last


def _ends_at(document: Document, node: Named, place: Location) -> bool:
    """Whether the place is in the node's last word: the name, the parameter, or what stands behind the last dot."""
    where = document.location(node)
    if isinstance(node, ast.arg):
        line, start, end = where.line, where.column, where.column + len(node.arg)
    elif isinstance(node, ast.Attribute):
        line, start, end = where.end_line, where.end_column - len(node.attr), where.end_column
    else:
        line, start, end = where.line, where.column, where.end_column
    return place.line == line and start <= place.column <= end
