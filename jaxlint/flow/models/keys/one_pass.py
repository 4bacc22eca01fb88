"""Branches that one pass of a loop takes, by what they ask of the loop's counter: what is done there happens once.

for i, size in enumerate(sizes):
    if i < len(sizes) - 1:
        x = activation(x)
    else:
        x = sample(key, x)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain.state import Use, loop_between
from jaxlint.flow.source.read_first import stores
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants


def is_in_one_pass(earlier: Use, later: Use) -> bool:
    """Whether two uses, in different passes of a loop, stand in a branch that no two passes take."""
    loop = loop_between(earlier, later)
    if not isinstance(loop, ast.For):
        return False
    taken_once = later.scope.taken_once
    if loop not in taken_once:  # a loop of many uses is asked for each pair of them
        taken_once[loop] = [frozenset(_all_in(branch)) for branch in _taken_once(loop)]
    for inside in taken_once[loop]:
        if not inside.isdisjoint(_places(earlier)) and not inside.isdisjoint(_places(later)):
            return True
    return False


def _all_in(branch: list[ast.stmt]) -> Iterator[ast.AST]:
    return (node for statement in branch for node in (statement, *descendants(statement)))


def _places(use: Use) -> Iterator[ast.AST]:
    yield use.node
    yield from (call[1] for call in use.calls)


def _taken_once(loop: ast.For) -> Iterator[list[ast.stmt]]:
    counter, last = _counter(loop)
    if not counter or any(counter in stores(statement) for statement in loop.body):
        return
    for node in (inner for statement in loop.body for inner in (statement, *descendants(statement))):
        if isinstance(node, ast.If):
            holds = _holds_once(node.test, counter, last, loop)
            if holds is not None:
                yield node.body if holds else node.orelse


def _counter(loop: ast.For) -> tuple[str, str]:
    """The variable that counts the passes, empty if none does, and its last value as it is written there."""
    call, target = loop.iter, loop.target
    if not isinstance(call, ast.Call) or call.keywords or len(call.args) != 1:
        return "", ""
    name, (items,) = dotted(call.func), call.args
    if name == "range" and isinstance(target, ast.Name):
        return target.id, f"{ast.unparse(items)} - 1"
    if name == "enumerate" and isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Name):
        return target.elts[0].id, f"len({ast.unparse(items)}) - 1"
    return "", ""


def _holds_once(test: ast.expr, counter: str, last: str, loop: ast.For) -> bool | None:
    """The outcome that a test has in one pass at most; None if that is not known of either."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or dotted(test.left) != counter:
        return None
    operator, (bound,) = test.ops[0], test.comparators
    if not _stays(bound, loop):
        return None
    if isinstance(operator, (ast.Eq, ast.NotEq)):
        return isinstance(operator, ast.Eq)
    if (isinstance(operator, ast.Lt) and ast.unparse(bound) == last) or (
        isinstance(operator, ast.Gt) and ast.unparse(bound) == "0"
    ):
        return False
    return None


def _stays(bound: ast.expr, loop: ast.For) -> bool:
    """Whether an expression is the same in each pass: no call but that of a length, and nothing that a pass sets."""
    parts = [bound, *descendants(bound)]
    if any(isinstance(part, ast.Call) and dotted(part.func) != "len" for part in parts):
        return False
    written = (part for part in descendants(loop) if isinstance(part, ast.Attribute))
    attributes = {part.attr for part in written if isinstance(part.ctx, ast.Store)}
    read = {part.attr for part in parts if isinstance(part, ast.Attribute)}
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    return attributes.isdisjoint(read) and stores(loop).isdisjoint(names)
