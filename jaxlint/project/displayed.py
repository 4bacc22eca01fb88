"""Values that are looked at although the code drops them: a cell shows that of its last expression."""

from __future__ import annotations

import ast

from jaxlint.project.ipython import TIMED
from jaxlint.project.layout import Layout


def keep_displayed(tree: ast.Module, layout: Layout) -> ast.Module:
    """Makes assignments to `_`, as IPython does, of the expressions whose values are shown, or are only timed."""
    body = tree.body
    for index, statement in enumerate(body):
        if isinstance(statement, ast.FunctionDef) and statement.name == TIMED:
            statement.body = [_kept(inner) for inner in statement.body]
        elif layout.shows_all or index + 1 == len(body) or _cell(layout, body[index + 1]) != _cell(layout, statement):
            if isinstance(statement, ast.Try) and not layout.lines[statement.lineno - 1].verbatim:
                statement.body[-1] = _kept(statement.body[-1])
            body[index] = _kept(statement)
    return tree


def _cell(layout: Layout, statement: ast.stmt) -> int:
    return layout.lines[statement.lineno - 1].cell


def _kept(statement: ast.stmt) -> ast.stmt:
    if not isinstance(statement, ast.Expr):
        return statement
    target = ast.Name("_", ast.Store())
    return ast.copy_location(ast.Assign([ast.copy_location(target, statement)], statement.value), statement)
