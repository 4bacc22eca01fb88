"""Whether what each pass of a loop draws anew from one key only shows how something comes along that the loop trains.

The same noise in every pass then makes the passes comparable: the numbers of a validation, the pictures of a sampler.

    for step in range(steps):
        params = update(params, next(batches))
        losses.append(evaluate(params, key))
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jaxlint.flow.meant import Body, Pair, body_of, contains, names_bound, names_loaded, own_parts
from jaxlint.flow.state import loop_between
from jaxlint.flow.text import dotted
from jaxlint.flow.trees import descendants

if TYPE_CHECKING:
    from jaxlint.flow.state import Use


def is_only_evaluated(pair: Pair, earlier: Use, later: Use) -> bool:
    """Whether what a pass draws is used with something that the loop makes anew of itself, and does not reach that."""
    loop = loop_between(earlier, later)
    if not pair.repeats or not isinstance(loop, (ast.For, ast.While)):
        return False
    body = body_of(pair.scope, pair.root)
    inside = [statement for statement in body.statements if statement is not loop and contains(loop, statement)]
    start = body.around(pair.later)
    if start is None or start not in inside:
        return False
    if isinstance(start, ast.Expr) and start.value is pair.later:
        return False  # the call is made for what it does, and who knows to what
    drawn = names_bound(start) | _changed(start)
    reading = {start, *_computed(body, inside, drawn)}
    trained = {name for statement in inside if statement not in reading for name in _renewed(statement)}
    needed = {name for statement in inside if trained & names_bound(statement) for name in body.read_by(statement)}
    shown = set(trained)
    _computed(body, [statement for statement in inside if statement not in reading], shown)
    seen = {name for statement in reading for name in body.read_by(statement) - _changed(statement)}
    return not shown.isdisjoint(seen) and drawn.isdisjoint(needed)


def _computed(body: Body, inside: list[ast.stmt], names: set[str]) -> set[ast.stmt]:
    """The statements that compute something of what has the names, in this pass or a later one, whose results join
    them."""
    found: set[ast.stmt] = set()
    grows = True
    while grows:
        grows = False
        for statement in inside:
            if statement not in found and not names.isdisjoint(body.read_by(statement)):
                found.add(statement)
                names |= names_bound(statement) | _changed(statement)
                grows = True
    return found


def _renewed(statement: ast.stmt) -> set[str]:
    """The names that a call gives new values to that it makes of the old ones; a key that is split is not trained."""
    if not isinstance(statement, ast.Assign):
        return set()
    called = {dotted(part.func).rpartition(".")[2] for part in own_parts(statement) if isinstance(part, ast.Call)}
    return names_bound(statement) & names_loaded(own_parts(statement)) if called - _OF_KEYS else set()


_OF_KEYS = frozenset(("split", "fold_in"))


def _changed(statement: ast.stmt) -> set[str]:
    """The names of objects that a statement may write what it computes to: `x[i] = v`, `x.a = v`, `xs.append(v)`."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        written: list[ast.expr] = [statement.value.func] if isinstance(statement.value.func, ast.Attribute) else []
    elif isinstance(statement, ast.Assign):
        written = statement.targets
    else:
        written = [statement.target] if isinstance(statement, (ast.AugAssign, ast.AnnAssign, ast.For)) else []
    return {part.id for target in written for part in (target, *descendants(target)) if isinstance(part, ast.Name)}
