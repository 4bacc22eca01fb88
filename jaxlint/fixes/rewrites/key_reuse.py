"""A key that is used twice is split before its first use: `key, subkey = jax.random.split(key)`.

The first use gets the subkey and everything after it the key that is left, so that a third use is mended in the
next pass.  A first use that is a split itself keeps one child more for the key.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from jaxlint.findings import Applicability, Edit, Fix, Repair
from jaxlint.fixes.imports import bound_by, bound_in, name_for
from jaxlint.fixes.source import CannotFix, Source

_HEADERS = (ast.If, ast.For, ast.With)
"""Statements with a block whose first line is evaluated once, before the block."""

_REPEATED = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class _Use:
    """One of the two uses: the call, the key as it is written in it, and the statement it is in."""

    call: ast.Call
    key: ast.expr
    statement: ast.stmt


def rewrite(source: Source, repair: Repair) -> Fix:
    """Unsafe, since other numbers are drawn: that is the point.  Raises CannotFix where no name could be rebound."""
    later_call = source.node(repair.location, ast.Call)
    earlier_call = _earlier_call(source, repair, later_call)
    key = _key_text(source, repair, earlier_call, later_call)
    earlier = _use(source, earlier_call, key)
    later = _use(source, later_call, key)
    if _is_rebindable(source, earlier.key, earlier.call, later.call):
        edits = _more_children(source, earlier, None) or _split_before(source, earlier)
    elif earlier_call is not later_call and _follows(source, earlier.statement, later.statement):
        edits = _more_children(source, earlier, later) or _split_for_both(source, earlier, later)
    else:
        raise CannotFix
    return Fix(f"Split `{key}` before it is used", Applicability.UNSAFE, edits)


def _earlier_call(source: Source, repair: Repair, later: ast.Call) -> ast.Call:
    """The first use, where it can be seen from the function that the second one is in."""
    around = [source.function(later), *(scope for scope in source.parents(later))]
    for _, place in repair.places:
        try:
            call = source.node(place, ast.Call)
        except CannotFix:
            continue
        if source.function(call) in around:
            return call
    raise CannotFix


def _key_text(source: Source, repair: Repair, first: ast.Call, second: ast.Call) -> str:
    """How the key is written in both calls."""
    shared = {source.text(node) for node in _places(first)} & {source.text(node) for node in _places(second)}
    name = repair.fact("key")
    if name in shared:
        return name
    if len(shared) != 1:
        raise CannotFix
    return shared.pop()


def _use(source: Source, call: ast.Call, key: str) -> _Use:
    found = [node for node in _places(call) if source.text(node) == key]
    statement = source.statement(call)
    for node in (call, *source.parents(call)):
        if node is statement:
            break
        if isinstance(node, (*_REPEATED, ast.Lambda)):
            raise CannotFix
    if len(found) != 1 or not (isinstance(statement, _HEADERS) or not hasattr(statement, "body")):
        raise CannotFix
    return _Use(call, found[0], statement)


def _places(call: ast.Call) -> Iterator[ast.expr]:
    """The arguments of a call that may be a key: names, attributes and items, also those in displays."""
    pending: list[ast.expr | None] = [*call.args, *(keyword.value for keyword in call.keywords)]
    while pending:
        node = pending.pop(0)
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            yield node
        elif isinstance(node, (ast.Tuple, ast.List)):
            pending += node.elts
        elif isinstance(node, ast.Dict):
            pending += node.values


def _is_rebindable(source: Source, key: ast.expr, *uses: ast.Call) -> bool:
    """Whether `key, subkey = split(key)` gives both uses the new key and nobody else's object another attribute."""
    function = source.function(uses[0])
    if isinstance(key, ast.Name):
        if isinstance(function, ast.Lambda):
            return False
        if function is None:
            return any(key.id in bound_by(statement) for statement in source.tree.body)
        return key.id in bound_in(function) and not _declares_outer(function, key.id)
    if isinstance(key, ast.Attribute) and isinstance(key.value, ast.Name) and key.value.id == "self":
        return function is not None and source.function(uses[-1]) is function and _assigns_attributes(source, key)
    return False


def _declares_outer(function: ast.AST, name: str) -> bool:
    return any(isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names for node in ast.walk(function))


def _assigns_attributes(source: Source, key: ast.Attribute) -> bool:
    """Whether the class around is a plain one, the objects of which may be changed."""
    for node in source.parents(key):
        if isinstance(node, ast.ClassDef):
            return not node.bases and not node.keywords and not node.decorator_list
    return False


def _follows(source: Source, first: ast.stmt, second: ast.stmt) -> bool:
    """Whether the second statement runs after the first, in the same block or one inside it."""
    block = source.parent(first)
    inside = second
    for node in (second, *source.parents(second)):
        if source.parent(node) is block and isinstance(node, ast.stmt):
            inside = node
            break
    else:
        return False
    same = any(
        first in body and inside in body
        for body in (getattr(block, name, None) for name in ("body", "orelse", "finalbody"))
        if isinstance(body, list)
    )
    return same and source.function(first) is source.function(second)


def _split_before(source: Source, use: _Use) -> tuple[Edit, ...]:
    """`key, subkey = split(key)` before the use, which gets the subkey."""
    key = source.text(use.key)
    split, imports = name_for(source, "jax.random.split", use.statement)
    (child,) = _names(source, use.statement, 1)
    before = source.insert_before(use.statement, f"{key}, {child} = {split}({key})")
    return (*imports, before, source.replace(use.key, child))


def _split_for_both(source: Source, first: _Use, second: _Use) -> tuple[Edit, ...]:
    """`a, b = split(run.key)` before the first use; each use gets one."""
    split, imports = name_for(source, "jax.random.split", first.statement)
    children = _names(source, first.statement, 2)
    before = source.insert_before(first.statement, f"{', '.join(children)} = {split}({source.text(first.key)})")
    return (*imports, before, source.replace(first.key, children[0]), source.replace(second.key, children[1]))


def _more_children(source: Source, first: _Use, second: _Use | None) -> tuple[Edit, ...]:
    """`a, b = split(key)` becomes `key, a, b = split(key, 3)`, or `a, b, c = split(run.key, 3)` without a rebinding.

    Nothing where the first use is no split into as many names.
    """
    statement, call = first.statement, first.call
    if not isinstance(statement, ast.Assign) or statement.value is not call or len(statement.targets) != 1:
        return ()
    target = statement.targets[0]
    if not source.text(call.func).endswith("split") or call.keywords or not isinstance(target, ast.Tuple):
        return ()
    names = [element.id for element in target.elts if isinstance(element, ast.Name)]
    count = call.args[1] if len(call.args) == 2 else ast.Constant(2)
    known = isinstance(count, ast.Constant) and count.value == len(names) == len(target.elts)
    if not known or source.text(call.args[0]) != source.text(first.key) or source.text(first.key) in names:
        return ()
    more = f"{len(names) + 1}"
    number = source.replace(call.args[1], more) if len(call.args) == 2 else _append(source, call.args[0], more)
    if second is None:
        return (source.insert(source.offsets(target.elts[0])[0], f"{source.text(first.key)}, "), number)
    (child,) = _names(source, statement, 1)
    added = source.insert(source.offsets(target.elts[-1])[1], f", {child}")
    return (added, number, source.replace(second.key, child))


def _append(source: Source, argument: ast.expr, text: str) -> Edit:
    return source.insert(source.offsets(argument)[1], f", {text}")


def _names(source: Source, statement: ast.stmt, count: int) -> list[str]:
    """Names for children, as the file calls them elsewhere, that mean nothing else in this function."""
    function = source.function(statement)
    scope: ast.AST = function or source.tree
    taken = {node.id for node in ast.walk(scope) if isinstance(node, ast.Name)} | (
        bound_in(function) if function else set()
    )
    usual = _usual_name(source)
    candidates = [usual, *(f"{usual}{number}" for number in range(2, 50))]
    free = [name for name in candidates if name not in taken]
    return free[:count]


def _usual_name(source: Source) -> str:
    """What the file calls the child in `key, child = split(key)`, most often."""
    names: Counter[str] = Counter()
    used = {node.id for node in ast.walk(source.tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    for node in ast.walk(source.tree):
        match node:
            case ast.Assign(
                targets=[ast.Tuple(elts=[ast.Name(id=key), ast.Name(id=child)])],
                value=ast.Call(func=callee, args=[ast.Name(id=parent), *_]),
            ) if key == parent and source.text(callee).endswith("split"):
                names[child] += 1
            case _:
                pass
    return next((name for name, _ in names.most_common() if name in used), "subkey")
