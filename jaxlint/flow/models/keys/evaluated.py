"""Whether what each pass of a loop draws anew from one key only shows how something comes along that the loop trains.

The same noise in every pass then makes the passes comparable: the numbers of a validation, the pictures of a sampler.

    for step in range(steps):
        params = update(params, next(batches))
        losses.append(evaluate(params, key))

A loop of JAX (`scan`, `fori_loop`, `while_loop`) looks at it in some of its passes, by a `cond`, and returns what it
has seen to nobody but the caller.  Noise that is added to what a pass makes is none of it: each pass needs its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from jaxlint.flow.domain.state import Use, loop_between
from jaxlint.flow.models.keys.meant import Body, Pair, Step, body_of, contains, names_bound, names_loaded, own_parts
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants


def is_only_evaluated(pair: Pair, earlier: Use, later: Use) -> bool:
    """Whether what a pass draws is used with something that the loop makes anew of itself, and does not reach that."""
    body = body_of(pair.scope, pair.root)
    around, carried = _pass_of(loop_between(earlier, later), body)
    if not pair.repeats or around is None:
        return False
    start = body.around(pair.later)
    if start is None or start is around or not contains(around, start):
        return False
    if isinstance(start, ast.Expr) and start.value is pair.later:
        return False  # the call is made for what it does, and who knows to what
    if around is body.root and not _is_for_some_passes(pair.later):
        return False
    if (around, start) not in body.evaluated:
        steps = _steps(body, around, pair.scope.once(_modules))
        is_noise = pair.later_callee.startswith("jax.random.") and _is_reckoned_with(steps, start, pair.later)
        body.evaluated[around, start] = not is_noise and _comes_back_to_nothing(steps, start, _names_in(carried))
    return body.evaluated[around, start]


def _names_in(nodes: Iterable[ast.AST]) -> set[str]:
    return names_loaded(part for node in nodes for part in (node, *descendants(node)))


def _is_for_some_passes(call: ast.AST) -> bool:
    return isinstance(call, ast.Call) and dotted(call.func).rpartition(".")[2] == "cond"


def _is_reckoned_with(steps: list[Step], start: ast.stmt, draw: ast.AST) -> bool:
    """Whether the numbers of a draw are added to, or multiplied with, what the loop makes anew."""
    named = names_bound(start) if getattr(start, "value", None) is draw else set[str]()
    made = {name for step in steps for name in step.renewed}
    for operation in (part for step in steps for part in own_parts(step.statement) if isinstance(part, ast.BinOp)):
        for one, other in ((operation.left, operation.right), (operation.right, operation.left)):
            is_drawn = contains(one, draw) or not named.isdisjoint(_names_in([one]))
            if is_drawn and not made.isdisjoint(_names_in([other])):
                return True
    return False


def _pass_of(loop: ast.AST | None, body: Body) -> tuple[ast.stmt | None, list[ast.expr]]:
    """The statement that holds what one pass does, and the expressions whose values the next one begins with: a loop
    of Python, or the function that a loop of JAX is given by its name."""
    if isinstance(loop, (ast.For, ast.While)):
        return loop, []
    root = body.root
    if not isinstance(loop, ast.Call) or not isinstance(root, ast.FunctionDef):
        return None, []
    kind = dotted(loop.func).rpartition(".")[2]
    if kind not in _LOOPS or not any(isinstance(one, ast.Name) and one.id == root.name for one in loop.args):
        return None, []
    returned = body.returned()
    if kind != "scan":
        return root, returned
    carries = [one.elts[0] for one in returned if isinstance(one, ast.Tuple) and len(one.elts) == 2]
    return (root, carries) if len(carries) == len(returned) else (None, [])


_LOOPS = frozenset(("scan", "fori_loop", "while_loop"))


def _modules(scope: ModuleText) -> frozenset[str]:
    """The names of modules that a text imports: what is called there changes nothing that the text has."""
    imports = (part for part in descendants(scope.tree) if isinstance(part, ast.Import)) if scope.tree else ()
    return frozenset(alias.asname or alias.name.partition(".")[0] for one in imports for alias in one.names)


def _comes_back_to_nothing(steps: list[Step], start: ast.stmt, carried: set[str]) -> bool:
    drawing = [step for step in steps if step.statement is start]
    drawn = {name for step in drawing for name in step.bound | step.changed}
    reading = {step.statement for step in (*drawing, *_computed(steps, drawn))}
    others = [step for step in steps if step.statement not in reading]
    trained = {name for step in others for name in step.renewed}
    needed = {name for step in steps if not trained.isdisjoint(step.bound) for name in step.read} | carried
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


def _steps(body: Body, loop: ast.stmt, modules: frozenset[str]) -> list[Step]:
    if loop not in body.steps:
        inside = (statement for statement in body.statements if statement is not loop and contains(loop, statement))
        body.steps[loop] = [
            Step(
                statement,
                body.read_by(statement),
                frozenset(names_bound(statement)),
                frozenset(_changed(statement) - modules),
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
