"""Whether a loop takes a state along from pass to pass, as training does: what a clock behind it misses is what is left
of the last passes, since each has to wait for the one before."""

from __future__ import annotations

import ast

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import descendants


def is_carried_on(scope: ModuleText, call: ast.AST, since: ast.AST) -> bool:
    """Whether a loop that begins after ``since`` makes the call in each pass, of what the pass before has got by it."""
    if scope.tree is None:
        return False
    loops = [node for node in descendants(scope.tree) if isinstance(node, (ast.For, ast.While)) and _has(node, call)]
    inside = [loop for loop in loops if not _has(loop, since) and loop.lineno > getattr(since, "lineno", 0)]
    if not inside or any(_is_counted(loop) for loop in inside):
        return False
    parts = (part for loop in inside for part in descendants(loop))
    return any(isinstance(part, ast.Assign) and _has(part.value, call) and _feeds(part, call) for part in parts)


def _is_counted(loop: ast.For | ast.While) -> bool:
    """Whether a loop has a number of passes that is written there: all of them may be under way when it ends."""
    over = loop.iter if isinstance(loop, ast.For) else None
    if not isinstance(over, ast.Call) or not over.args:
        return False
    return all(isinstance(argument, ast.Constant) for argument in over.args)


def _has(outer: ast.AST, node: ast.AST) -> bool:
    return any(part is node for part in descendants(outer))


def _feeds(statement: ast.Assign, call: ast.AST) -> bool:
    """Whether what a statement binds is what the call in it is given, the next time."""
    bound = {part.id for target in statement.targets for part in descendants(target) if isinstance(part, ast.Name)}
    read = {part.id for part in descendants(call) if isinstance(part, ast.Name)}
    return not bound.isdisjoint(read)
