"""Whether a loop takes a state along from pass to pass, as training does: what a clock behind it misses is what is left
of the last passes, since each has to wait for the one before."""

from __future__ import annotations

import ast
from typing import TypeGuard

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants

FEW = 4
"""So many passes of a loop, or values that it counts through, are few: each is compiled once."""


def is_carried_on(scope: ModuleText, call: ast.AST, since: ast.AST) -> bool:
    """Whether a loop that begins after ``since`` makes the call in each pass, of what the pass before has got by it."""
    if scope.tree is None:
        return False
    loops = [node for node in descendants(scope.tree) if isinstance(node, (ast.For, ast.While)) and _has(node, call)]
    inside = [loop for loop in loops if not _has(loop, since) and loop.lineno > getattr(since, "lineno", 0)]
    if not inside or any(_is_counted(loop) or _is_share_taken(scope.tree, loop) for loop in inside):
        return False
    parts = (part for loop in inside for part in descendants(loop))
    return any(isinstance(part, ast.Assign) and _has(part.value, call) and _feeds(part, call) for part in parts)


def carries_what_it_makes(loop: ast.AST, made: ast.AST) -> bool:
    """Whether a loop that counts has each pass make a function for a number that it computes, and takes along what that
    gives: `x = make(rate(i))(x)`.  Passes that are few, by the number written there, may be stages."""
    if not isinstance(made, ast.Call) or not _counts_on(loop):
        return False
    bindings = [part for part in descendants(loop) if isinstance(part, ast.Assign)]
    given = {part.id for argument in made.args for part in (argument, *descendants(argument)) if _is_read(part)}
    passed = [*made.args, *(one.value for one in bindings if not given.isdisjoint(map(_name, one.targets)))]
    parts = (part for one in passed for part in (one, *descendants(one)))
    if not any(isinstance(part, (ast.Call, ast.BinOp)) for part in parts):
        return False
    names = {_name(target) for one in bindings if one.value is made for target in one.targets} - {""}
    for statement in getattr(loop, "body", ()):
        if isinstance(statement, ast.Assign):
            calls = [part for part in (statement.value, *descendants(statement.value)) if isinstance(part, ast.Call)]
            called = (call for call in calls if call.func is made or _name(call.func) in names)
            if any(_feeds(statement, call) for call in called):
                return True
    return False


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _is_read(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def _counts_on(loop: ast.AST) -> bool:
    """Whether a loop goes through numbers, not only a few."""
    over = loop.iter if isinstance(loop, ast.For) else None
    if not isinstance(over, ast.Call) or dotted(over.func).rpartition(".")[2] not in ("range", "trange", "count"):
        return False
    last = over.args[-1] if over.args else None
    return not (isinstance(last, ast.Constant) and isinstance(last.value, int) and last.value <= FEW)


def _is_counted(loop: ast.For | ast.While) -> bool:
    """Whether a loop has a number of passes that is written there: all of them may be under way when it ends."""
    over = loop.iter if isinstance(loop, ast.For) else None
    if not isinstance(over, ast.Call) or not over.args:
        return False
    return all(isinstance(argument, ast.Constant) for argument in over.args)


def _is_share_taken(tree: ast.AST, loop: ast.For | ast.While) -> bool:
    """Whether a difference is divided by the number of passes that a loop is told to make: what one of them takes is
    measured, and not how training goes on."""
    over = loop.iter if isinstance(loop, ast.For) else None
    counts = {part.id for part in getattr(over, "args", ()) if isinstance(part, ast.Name)}
    if not counts:
        return False
    functions = [node for node in descendants(tree) if isinstance(node, _FUNCTIONS) and _has(node, loop)]
    parts = list(descendants(max(functions, key=lambda one: one.lineno) if functions else tree))
    differences = {
        target.id
        for part in parts
        if isinstance(part, ast.Assign) and _is_difference(part.value)
        for target in part.targets
        if isinstance(target, ast.Name)
    }
    return any(
        isinstance(part, ast.BinOp)
        and isinstance(part.op, ast.Div)
        and isinstance(part.right, ast.Name)
        and part.right.id in counts
        and (_is_difference(part.left) or getattr(part.left, "id", "") in differences)
        for part in parts
    )


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _is_difference(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)


def _has(outer: ast.AST, node: ast.AST) -> bool:
    return any(part is node for part in descendants(outer))


def _feeds(statement: ast.Assign, call: ast.AST) -> bool:
    """Whether what a statement binds is what the call in it is given, the next time."""
    bound = {part.id for target in statement.targets for part in descendants(target) if isinstance(part, ast.Name)}
    read = {part.id for part in descendants(call) if isinstance(part, ast.Name)}
    return not bound.isdisjoint(read)
