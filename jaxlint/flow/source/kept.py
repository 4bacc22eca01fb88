"""What a loop keeps of a variable that a call in it uses up: another name for the same array, and no copy."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.runs_again import of_jax
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import children, descendants

_LEAVING = (ast.Break, ast.Return, ast.Raise)


Kept = ast.Name | ast.Attribute


def kept_of(scope: ModuleText, function: ast.AST | None, loop: ast.AST, call: ast.Call, name: str) -> Kept | None:
    """What an assignment in some passes of a loop keeps ``name`` as, until the next pass has the call use it up:
    another name, which the call is given as well, or which is read behind the loop, or an attribute that is read
    outside of it.  Or the list to which it is appended, if that is read behind the loop.

    Each of the two is bound nowhere else in the loop: the one by the call, the other by the assignment."""
    root = function if function is not None else scope.tree
    if root is None or not isinstance(loop, (ast.For, ast.While)):
        return None
    bindings = [part for part in descendants(loop) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)]
    makers = [part for part in descendants(loop) if isinstance(part, ast.Assign) and _has(part.value, call)]
    if [_binds(maker, name) for maker in makers] != [True] or sum(one.id == name for one in bindings) != 1:
        return None
    for collected in _collected(loop, name):
        if not any(one.id == collected.id for one in bindings) and _is_gone_through(scope, root, loop, collected.id):
            return collected
    sooner = [one for one in _at_each_pass(loop) if one.lineno < call.lineno]
    others = {target.id for one in sooner for target in _aliases(one, name) if isinstance(target, ast.Name)}
    for kept, target in (pair for one in (name, *sorted(others)) for pair in _kept_sometimes(loop, one)):
        if _is_bound_once(loop, target) and not _may_be_last(loop, kept):
            if isinstance(target, ast.Attribute):
                is_used = _is_read_outside(scope, loop, target)
            else:
                is_used = _is_passed(call, target.id) or _is_read_behind(root, loop, target.id)
            if is_used:
                return target
    return None


def _is_bound_once(loop: ast.For | ast.While, target: Kept) -> bool:
    same = [part for part in descendants(loop) if type(part) is type(target) and dotted(part) == dotted(target)]
    return sum(not isinstance(part.ctx, ast.Load) for part in same) == 1


def _kept_sometimes(loop: ast.For | ast.While, name: str) -> Iterator[tuple[ast.Assign, Kept]]:
    """Where some passes, and not all, bind another variable or an attribute to what ``name`` is."""
    for part in descendants(loop):
        if isinstance(part, ast.If):
            for block in (part.body, part.orelse):
                if not any(isinstance(below, _LEAVING) for statement in block for below in descendants(statement)):
                    for one in block:
                        if isinstance(one, ast.Assign):
                            yield from ((one, target) for target in _aliases(one, name))


def _at_each_pass(loop: ast.For | ast.While) -> Iterator[ast.Assign]:
    """The assignments to what the loop binds nowhere else that each pass makes."""
    for one in loop.body:
        if isinstance(one, ast.Assign) and all(
            isinstance(target, ast.Name) and _is_bound_once(loop, target) for target in one.targets
        ):
            yield one


def _collected(loop: ast.For | ast.While, name: str) -> Iterator[ast.Name]:
    """The lists to which each pass appends ``name`` as it is."""
    for one in loop.body:
        call = one.value if isinstance(one, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "append":
            items = [item for item in call.args if isinstance(item, ast.Name) and item.id == name]
            if items and isinstance(call.func.value, ast.Name):
                yield call.func.value


def _is_gone_through(scope: ModuleText, root: ast.AST, loop: ast.For | ast.While, name: str) -> bool:
    """Whether the code behind a loop reads the first item of a list, or gives the list to JAX; the last item may be
    there still."""
    imported = of_jax(scope.lifted)
    behind = (part for part in descendants(root) if getattr(part, "lineno", 0) > (loop.end_lineno or 0))
    for part in behind:
        if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Constant) and part.slice.value == 0:
            read: list[ast.expr] = [part.value]
        elif isinstance(part, ast.Call) and dotted(part.func).partition(".")[0] in imported:
            read = part.args
        else:
            continue
        if any(isinstance(one, ast.Name) and one.id == name for one in read):
            return True
    return False


def _aliases(assignment: ast.Assign, name: str) -> Iterator[Kept]:
    """What is bound to ``name`` as it is, alone or as one of several."""
    targets, value = assignment.targets, assignment.value
    if len(targets) != 1:
        return
    pairs = [(targets[0], value)]
    if isinstance(targets[0], ast.Tuple) and isinstance(value, ast.Tuple) and len(targets[0].elts) == len(value.elts):
        pairs = list(zip(targets[0].elts, value.elts))
    for target, one in pairs:
        if isinstance(target, (ast.Name, ast.Attribute)) and isinstance(one, ast.Name) and one.id == name:
            if dotted(target) not in ("", name):
                yield target


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


def _is_read_outside(scope: ModuleText, loop: ast.For | ast.While, target: ast.Attribute) -> bool:
    """Whether the module reads an attribute of that name anywhere but in the loop, and not only asks whether it is
    None."""
    inside = set(descendants(loop))
    reads = [one for one in scope.walked().attributes.get(target.attr, ()) if isinstance(one.ctx, ast.Load)]
    asked = {one.left for one in descendants(scope.tree) if isinstance(one, ast.Compare)} if scope.tree else set()
    return any(one not in inside and one not in asked for one in reads)


def _binds(assignment: ast.Assign, name: str) -> bool:
    parts = (part for target in assignment.targets for part in descendants(target))
    return any(isinstance(part, ast.Name) and part.id == name for part in parts)


def _has(outer: ast.AST, node: ast.AST) -> bool:
    return any(part is node for part in descendants(outer))
