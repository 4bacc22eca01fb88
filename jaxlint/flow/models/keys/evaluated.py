"""Whether what each pass of a loop draws anew from one key only shows how something comes along that the loop trains.

The same noise in every pass then makes the passes comparable: the numbers of a validation, the pictures of a sampler.

    for step in range(steps):
        params = update(params, next(batches))
        losses.append(evaluate(params, key))
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from jaxlint.flow.domain.state import Use, loop_between
from jaxlint.flow.models.keys.meant import Body, Pair, Step, body_of, contains, names_bound, names_loaded, own_parts
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants


def is_only_evaluated(pair: Pair, earlier: Use, later: Use) -> bool:
    """Whether what a pass draws is used with something that the loop makes anew of itself, and does not reach that."""
    loop = loop_between(earlier, later)
    if not pair.repeats or not isinstance(loop, (ast.For, ast.While)):
        return False
    body = body_of(pair.scope, pair.root)
    start = body.around(pair.later)
    if start is None or start is loop or not contains(loop, start):
        return False
    if isinstance(start, ast.Expr) and start.value is pair.later:
        return False  # the call is made for what it does, and who knows to what
    if (loop, start) not in body.evaluated:
        body.evaluated[loop, start] = _comes_back_to_nothing(_steps(body, loop), start)
    return body.evaluated[loop, start]


def _comes_back_to_nothing(steps: list[Step], start: ast.stmt) -> bool:
    drawing = [step for step in steps if step.statement is start]
    drawn = {name for step in drawing for name in step.bound | step.changed}
    reading = {step.statement for step in (*drawing, *_computed(steps, drawn))}
    others = [step for step in steps if step.statement not in reading]
    trained = {name for step in others for name in step.renewed}
    needed = {name for step in steps if not trained.isdisjoint(step.bound) for name in step.read}
    shown = set(trained)
    _computed(others, shown)
    seen = {name for step in steps if step.statement in reading for name in step.read - step.changed}
    return not shown.isdisjoint(seen) and drawn.isdisjoint(needed)


def _computed(steps: Iterable[Step], names: set[str]) -> list[Step]:
    """The steps that compute something of what has the names, in this pass or a later one, whose results join them."""
    found: list[Step] = []
    left = list(steps)
    grows = True
    while grows:
        new = [step for step in left if not names.isdisjoint(step.read)]
        left = [step for step in left if names.isdisjoint(step.read)]
        names.update(name for step in new for name in step.bound | step.changed)
        found += new
        grows = bool(new)
    return found


def _steps(body: Body, loop: ast.stmt) -> list[Step]:
    if loop not in body.steps:
        inside = (statement for statement in body.statements if statement is not loop and contains(loop, statement))
        body.steps[loop] = [
            Step(
                statement,
                body.read_by(statement),
                frozenset(names_bound(statement)),
                frozenset(_changed(statement)),
                frozenset(_renewed(statement)),
            )
            for statement in inside
        ]
    return body.steps[loop]


def _renewed(statement: ast.stmt) -> set[str]:
    """The names that a call gives new values to that it makes of the old ones; a key that is split is not trained."""
    if not isinstance(statement, ast.Assign):
        return set()
    parts = list(own_parts(statement))
    called = {dotted(part.func).rpartition(".")[2] for part in parts if isinstance(part, ast.Call)}
    return names_bound(statement) & names_loaded(parts) if called - _OF_KEYS else set()


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
