"""What a loop keeps of a variable that a call in it uses up: another name for the same array, and no copy."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.trees import children, descendants

_LEAVING = (ast.Break, ast.Return, ast.Raise)


def kept_of(scope: ModuleText, function: ast.AST | None, loop: ast.AST, call: ast.Call, name: str) -> ast.Assign | None:
    """An assignment in some passes of a loop that keeps ``name`` under another one, until the next pass has the call
    use it up: the call is given the other name as well, or that is read behind the loop.

    Each of the two is bound nowhere else in the loop: the one by the call, the other by the assignment."""
    root = function if function is not None else scope.tree
    if root is None or not isinstance(loop, (ast.For, ast.While)):
        return None
    bindings = [part for part in descendants(loop) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)]
    makers = [part for part in descendants(loop) if isinstance(part, ast.Assign) and _has(part.value, call)]
    if [_binds(maker, name) for maker in makers] != [True] or sum(one.id == name for one in bindings) != 1:
        return None
    for kept in _kept_sometimes(loop, name):
        (target,) = kept.targets
        assert isinstance(target, ast.Name)
        if sum(one.id == target.id for one in bindings) == 1 and not _may_be_last(loop, kept):
            if _is_passed(call, target.id) or _is_read_behind(root, loop, target.id):
                return kept
    return None


def _kept_sometimes(loop: ast.For | ast.While, name: str) -> Iterator[ast.Assign]:
    """Where some passes, and not all, bind another variable to what ``name`` is."""
    for part in descendants(loop):
        if isinstance(part, ast.If):
            for block in (part.body, part.orelse):
                if not any(isinstance(below, _LEAVING) for statement in block for below in descendants(statement)):
                    yield from (one for one in block if isinstance(one, ast.Assign) and _is_alias(one, name))


def _is_alias(assignment: ast.Assign, name: str) -> bool:
    target = assignment.targets[0]
    is_other = len(assignment.targets) == 1 and isinstance(target, ast.Name) and target.id != name
    return is_other and isinstance(assignment.value, ast.Name) and assignment.value.id == name


def _may_be_last(loop: ast.For | ast.While, kept: ast.Assign) -> bool:
    """Whether a condition picks a pass by its number, such as the last one: nothing is used up behind that."""
    target = loop.target if isinstance(loop, ast.For) else None
    numbers = {part.id for part in descendants(target) if isinstance(part, ast.Name)} if target is not None else set()
    tests = [part.test for part in descendants(loop) if isinstance(part, ast.If) and _has(part, kept)]
    compared = (part for test in tests for part in descendants(test) if isinstance(part, ast.Compare))
    return isinstance(loop, ast.While) or any(
        isinstance(side, ast.Name) and side.id in numbers
        for part in compared
        for side in (part.left, *part.comparators)
    )


def _is_passed(call: ast.Call, name: str) -> bool:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return any(isinstance(one, ast.Name) and one.id == name for one in given)


def _is_read_behind(root: ast.AST, loop: ast.For | ast.While, name: str) -> bool:
    """Whether the code behind a loop does something with a variable other than ask whether it is None."""
    reads = [
        part
        for part in descendants(root)
        if isinstance(part, ast.Name) and part.id == name and part.lineno > (loop.end_lineno or 0)
    ]
    if any(not isinstance(part.ctx, ast.Load) for part in reads):
        return False
    asked = {child for part in descendants(root) if isinstance(part, ast.Compare) for child in children(part)}
    return any(part not in asked for part in reads)


def _binds(assignment: ast.Assign, name: str) -> bool:
    parts = (part for target in assignment.targets for part in descendants(target))
    return any(isinstance(part, ast.Name) and part.id == name for part in parts)


def _has(outer: ast.AST, node: ast.AST) -> bool:
    return any(part is node for part in descendants(outer))
