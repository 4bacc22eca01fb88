"""Values that are looked at although the code drops them: a cell shows that of its last expression."""

from __future__ import annotations

import ast
import bisect
from collections.abc import Sequence

from jaxlint.project.blocks import Block
from jaxlint.project.ipython import TIMED
from jaxlint.project.layout import Layout

EXAMPLES = "_doctest"
"""The name of a function that stands for the examples of a docstring."""


def keep_displayed(tree: ast.Module, layout: Layout) -> ast.Module:
    """Makes assignments to `_`, as IPython does, of the expressions whose values are shown, or are only timed."""
    body = tree.body
    for index, statement in enumerate(body):
        if isinstance(statement, ast.FunctionDef) and statement.name in (TIMED, EXAMPLES):
            statement.body = [_kept(inner) for inner in statement.body]
        elif _is_shown(layout, statement, body[index + 1 : index + 2]):
            if isinstance(statement, ast.Try) and not layout.lines[statement.lineno - 1].verbatim:
                statement.body[-1] = _kept(statement.body[-1])
            body[index] = _kept(statement)
    return tree


def keep_last_of_cells(tree: ast.Module, cells: Sequence[Block]) -> ast.Module:
    """The same for Python that comments cut into cells: an editor shows the value of each cell's last expression."""
    firsts = [cell.first for cell in cells]
    body = tree.body
    for index, statement in enumerate(body):
        end = statement.end_lineno or statement.lineno
        next_cell = bisect.bisect_right(firsts, end)
        if index + 1 == len(body) or (next_cell < len(firsts) and firsts[next_cell] <= body[index + 1].lineno):
            body[index] = _kept(statement)
    return tree


def _is_shown(layout: Layout, statement: ast.stmt, following: list[ast.stmt]) -> bool:
    if layout.shows == "last":
        last = statement.end_lineno or statement.lineno
        return not following or not layout.are_together(last, following[0].lineno)
    return layout.shows in ("all", "each")


def _kept(statement: ast.stmt) -> ast.stmt:
    if not isinstance(statement, ast.Expr):
        return statement
    target = ast.Name("_", ast.Store())
    return ast.copy_location(ast.Assign([ast.copy_location(target, statement)], statement.value), statement)
