"""Whether a loop makes a function in every pass for the one call that leads from what the last pass left to the next.

Training does so that closes over its batch: `for x in batches: step = jax.jit(lambda p: loss(p, x)); p = step(p)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from jaxlint.flow.source.carried_on import FEW
from jaxlint.flow.source.text import dotted
from jaxlint.flow.source.trees import descendants

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def led_on(loop: ast.For | ast.AsyncFor | ast.While, made: ast.AST) -> set[str]:
    """What comes of the call of what ``made`` makes, if that is only called, once a pass of many, with something that
    the pass before has left so; nothing if not."""
    call = only_call(loop, made)
    return set() if call is None or _is_short(loop) else _fed(loop, call)


def only_call(loop: ast.For | ast.AsyncFor | ast.While, made: ast.AST) -> ast.Call | None:
    """The one call of what ``made`` makes, if a pass does nothing else with that, and does not repeat it."""
    names = set(_bound_to(loop, made))
    calls = [part for part in _below(loop) if isinstance(part, ast.Call) and _is_of(part.func, made, names)]
    called = {call.func for call in calls}
    others = (part for part in _below(loop) if isinstance(part, ast.Name) and part.id in names)
    if len(calls) != 1 or any(isinstance(part.ctx, ast.Load) and part not in called for part in others):
        return None
    again = (part for inner in _below(loop) if isinstance(inner, _REPEATING) for part in descendants(inner))
    return None if calls[0] in again else calls[0]


_REPEATING = (*_LOOPS, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, *_FUNCTIONS)


def _below(loop: ast.For | ast.AsyncFor | ast.While) -> Iterator[ast.AST]:
    for statement in loop.body:
        yield from descendants(statement)


def _bound_to(loop: ast.For | ast.AsyncFor | ast.While, made: ast.AST) -> Iterator[str]:
    """The names of what is made."""
    for part in _below(loop):
        if isinstance(part, ast.Assign) and part.value is made:
            yield from (target.id for target in part.targets if isinstance(target, ast.Name))
        elif isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if any(made in descendants(decorator) for decorator in part.decorator_list):
                yield part.name


def _is_of(function: ast.expr, made: ast.AST, names: set[str]) -> bool:
    return function is made or (isinstance(function, ast.Name) and function.id in names)


def _is_short(loop: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Whether a loop goes through a few things that are written out, or counts to a small number."""
    over = None if isinstance(loop, ast.While) else loop.iter
    if isinstance(over, ast.Call) and over.args:
        last = over.args[-1]
        return isinstance(last, ast.Constant) and isinstance(last.value, int) and last.value <= FEW
    return isinstance(over, (ast.Tuple, ast.List))


def _fed(loop: ast.For | ast.AsyncFor | ast.While, call: ast.Call) -> set[str]:
    """What is made of the result of the call, if the next call is given some of it: no statement that comes before the
    call binds that in each pass."""
    statements = [(one, set(_targets(one)), set(_reads(one))) for one in _below(loop) if isinstance(one, _BINDING)]
    made = {name for one, targets, _ in statements if call in descendants(one) for name in targets}
    before = {name for one, targets, _ in statements if _is_before(one, call) for name in targets}
    before |= set(_stored(loop.target)) if isinstance(loop, (ast.For, ast.AsyncFor)) else set()
    size = -1
    while len(made) > size:
        size = len(made)
        for _, targets, reads in statements:
            if not made.isdisjoint(reads):
                made |= targets
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    is_fed = any(name in made and name not in before for part in given for name in _reads(part))
    return made if is_fed else set()


_BINDING = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def _is_before(statement: ast.stmt, call: ast.Call) -> bool:
    """Whether a statement has run when the call begins."""
    return (statement.end_lineno or statement.lineno) < call.lineno


def _targets(statement: ast.stmt) -> Iterator[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]  # type: ignore[attr-defined]
    for target in targets:
        yield from _stored(target)


def _stored(target: ast.expr) -> Iterator[str]:
    """What a target binds: `a`, `a.b`, and each part of a tuple."""
    if isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _stored(part)
    elif isinstance(target, ast.Starred):
        yield from _stored(target.value)
    elif isinstance(target, (ast.Name, ast.Attribute)):
        yield dotted(target)


def _reads(root: ast.AST) -> Iterator[str]:
    """What is read: `a.b` is, and so is `a`."""
    for part in descendants(root):
        if isinstance(part, (ast.Name, ast.Attribute)) and isinstance(part.ctx, ast.Load):
            yield dotted(part)
    if isinstance(root, ast.AugAssign):
        yield dotted(root.target)


def are_data(functions: Iterable[ast.AST], names: set[str]) -> bool:
    """Whether functions use what is in these names as data: none is called or asked for an attribute."""
    asked = {
        around.func if isinstance(around, ast.Call) else around.value
        for function in functions
        for around in descendants(function)
        if isinstance(around, (ast.Call, ast.Attribute))
    }
    return not any(isinstance(part, ast.Name) and part.id in names for part in asked)
