"""Whether a key is split into its successor after some other function had it.

    state = env.reset(key)
    for _ in range(steps):
        key, sub = jax.random.split(key)
        state = env.step(sub, state)

What `reset` has drawn came of the key itself or of children that it made for its own ends, and the chain goes on with
others: where both come to the same numbers, they come to them for different things.  JAX calls it a reuse all the
same; who reads it in a whole program finds nothing that repeats.  It is a slip where one text draws and splits, where
the children were handed out and meet their equals, where one statement does both, and where the key that was meant is
there and nothing reads it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from jaxlint.flow.domain.state import Use
from jaxlint.flow.models.keys.meant import Body, Pair, body_of, contains, names_bound, names_loaded
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants


def is_moved_on(pair: Pair, earlier: Use, later: Use, written: Callable[[], Sequence[ast.expr]]) -> bool:
    """Whether the later use makes the key's successor, here or in a function that returns it, and the earlier one is a
    call of no sampler.  ``written`` tells what the key is called where both are seen; if that was not found out, it is
    one of several."""
    if pair.repeats or pair.earlier_callee.startswith("jax."):
        return False
    is_here = pair.later_callee == _SPLIT
    if not is_here and (pair.later_callee or not _hands_out_children(later.innermost)):
        return False
    body = body_of(pair.scope, pair.root)
    start = body.around(pair.later)
    if not isinstance(start, ast.Assign) or start.value is not pair.later or contains(start, pair.earlier):
        return False
    keys = [key for key in (_split_here(start.value) if is_here else written()) if _is_stored_beside(start, key)]
    return any(not _has_idle_sibling(body, key) for key in keys) and not _hands_out_children(earlier.innermost)


_SPLIT = "jax.random.split"


def _split_here(call: ast.expr) -> Sequence[ast.expr]:
    return call.args[:1] if isinstance(call, ast.Call) else ()


def _is_stored_beside(start: ast.Assign, key: ast.expr) -> bool:
    """Whether one of several results is stored under the name, or in the attribute, that the key had."""
    several = [target for target in start.targets if isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) > 1]
    return any(ast.unparse(part) == ast.unparse(key) for target in several for part in descendants(target))


def _has_idle_sibling(body: Body, key: ast.expr) -> bool:
    """Whether a split that has made the key has made another one with it that nothing reads."""
    if not isinstance(key, ast.Name):
        return False
    read = {name.id for name in body.names if isinstance(name.ctx, ast.Load)}
    for statement in body.statements:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            bound = names_bound(statement)
            if key.id in bound and not bound <= read:
                return True
    return False


def _hands_out_children(use: Use) -> bool:
    """Whether a function returns keys that it has split another into, each as it is or all in one array."""
    function = use.function
    if use.callee != _SPLIT or not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    body = body_of(use.scope, function)
    children: set[str] = set()
    for statement in body.statements:
        value = getattr(statement, "value", None)
        if value is use.node or (isinstance(statement, ast.Assign) and not children.isdisjoint(_held(value))):
            children |= names_bound(statement)
        elif isinstance(statement, ast.Return) and not children.isdisjoint(_held(value)):
            return True
    return any(isinstance(one, ast.Return) and one.value is use.node for one in body.statements)


def _held(value: ast.expr | None) -> set[str]:
    """The names of what an expression has in it as it is."""
    if isinstance(value, (ast.Tuple, ast.List)):
        return {name for part in value.elts for name in _held(part)}
    if isinstance(value, ast.Call) and dotted(value.func).rpartition(".")[2] in _GATHERING:
        return names_loaded(descendants(value))
    return {value.id} if isinstance(value, ast.Name) else set()


_GATHERING = frozenset("array asarray stack".split())
