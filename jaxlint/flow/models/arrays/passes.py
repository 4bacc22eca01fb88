"""What a condition tells of the pass of a loop in which it holds: that no other pass is like it, or that none follows.

for i, size in enumerate(sizes):
    if i < len(sizes) - 1:
        x = activation(x)
    else:
        x = sample(key, x)
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from jaxlint.flow.domain.state import Guard
from jaxlint.flow.domain.values import NOTHING, Const, Opaque, Static, Value
from jaxlint.flow.models.arrays.subjects import canonical
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.text import dotted


class _Linear(NamedTuple):
    """An expression, and the whole number that is added to it."""

    base: ast.expr
    added: int


class _Asked(NamedTuple):
    """A comparison of what counts the passes of a loop, in one of these, with something."""

    loop: ast.AST
    number: int
    operator: type[ast.cmpop]
    bound: _Linear


def of_pass(it: Interpreter, test: ast.expr, holds: bool) -> frozenset[Guard]:
    """What holds in the pass of a loop in which ``test`` comes to ``holds``, and in no other."""
    if isinstance(test, ast.Name) and not holds:
        return _where_false(it, test)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return NOTHING
    found: list[Guard | None] = []
    for asked in _asked(it, test):
        least, most = (table.get((asked.operator, holds)) for table in (_LEAST, _MOST))
        if least == most == 0:
            found.append(_alone(it, asked))
        elif most is not None and _is_first(asked, most):
            found.append(_the_pass(asked, repr(_start(asked.loop)), ()))
        if least is not None and _is_last(it, asked, least, is_equal=most == 0):
            found.append(is_last(asked.loop, asked.number))
    return frozenset(guard for guard in found if guard is not None)


def _where_false(it: Interpreter, test: ast.Name) -> frozenset[Guard]:
    """`if not i`: a counter is false where it is 0, an element may be so in each pass."""
    for asked in _asked(it, ast.Compare(test, [ast.Eq()], [_ZERO])):
        if _start(asked.loop) == 0 and _counter(asked.loop) == test.id:
            return frozenset((_the_pass(asked, "0", ()),))
    return NOTHING


def note_answer(it: Interpreter, test: ast.Compare, answer: Value) -> None:
    """Remembers what the answer to a question of the pass tells, for who is given it: `is_last = i == steps - 1`."""
    if len(test.ops) > 1 or not isinstance(answer, (Opaque, Static)):
        return
    if any(_counts(it, side) for side in (test.left, *test.comparators)):
        told = {holds: of_pass(it, test, holds) for holds in (True, False)}
        if told[True] or told[False]:
            it.told_of_pass[answer] = told


def _counts(it: Interpreter, side: ast.expr) -> bool:
    base = _linear(side).base
    return isinstance(base, ast.Name) and it.lookup(base.id) in it.steps_of_loops


def note_same(it: Interpreter, answer: Value, other: Value) -> None:
    """Remembers that one answer is the other."""
    told = it.told_of_pass.get(answer)
    if told is not None:
        it.told_of_pass[other] = told


def note_opposite(it: Interpreter, answer: Value | None, opposite: Value) -> None:
    """Remembers that the one answer is `not` the other."""
    told = it.told_of_pass.get(answer) if answer is not None else None
    if told is not None:
        it.told_of_pass[opposite] = {not holds: guards for holds, guards in told.items()}


def told_by(it: Interpreter, answer: Value | None, holds: bool) -> frozenset[Guard]:
    """What holds in the pass in which an earlier answer is this."""
    told = it.told_of_pass.get(answer) if answer is not None else None
    return told[holds] if told is not None else NOTHING


def is_last(loop: ast.AST, number: int, holds: bool = True) -> Guard:
    """That no pass follows this one."""
    return Guard(f"pass {number} of {id(loop)} is the last", (), holds, of_pass=True)


def are_followed(loop: ast.AST, number: int) -> frozenset[Guard]:
    """What holds in a pass of the passes before it."""
    return frozenset(is_last(loop, earlier, False) for earlier in range(number))


_LEAST: dict[tuple[type[ast.cmpop], bool], int] = {
    (ast.Eq, True): 0, (ast.NotEq, False): 0,
    (ast.GtE, True): 0, (ast.Gt, True): 1, (ast.Lt, False): 0, (ast.LtE, False): 1,
}  # fmt: skip
"""By how much the counter is at least more than what it is compared with."""

_MOST: dict[tuple[type[ast.cmpop], bool], int] = {
    (ast.Eq, True): 0, (ast.NotEq, False): 0,
    (ast.LtE, True): 0, (ast.Lt, True): -1, (ast.Gt, False): 0, (ast.GtE, False): -1,
}  # fmt: skip
"""By how much it is at most more."""

_FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.Eq, ast.NotEq: ast.NotEq, ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE,
}  # fmt: skip


def _asked(it: Interpreter, test: ast.Compare) -> list[_Asked]:
    operator, left, right = type(test.ops[0]), test.left, test.comparators[0]
    if operator not in _FLIPPED:
        return []
    found = []
    for counter, how, bound in ((left, operator, right), (right, _FLIPPED[operator], left)):
        counted, compared = _linear(counter), _linear(bound)
        value = quietly(it, counted.base)
        step = it.step_of(value, it.state) if value is not None else None
        if step is not None:
            found.append(_Asked(*step, how, _Linear(compared.base, compared.added - counted.added)))
    return found


def _linear(node: ast.expr) -> _Linear:
    """`n - 1`, as what is added to `n`; a number is added to 0."""
    added = 0
    while isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        number = _whole(node.right)
        if number is None:
            break
        added += number if isinstance(node.op, ast.Add) else -number
        node = node.left
    number = _whole(node)
    return _Linear(_ZERO, added + number) if number is not None else _Linear(node, added)


_ZERO = ast.Constant(0)


def _whole(node: ast.expr | None) -> int | None:
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def quietly(it: Interpreter, node: ast.expr) -> Value | None:
    """What a name, an attribute or a constant is, without a word about it; None for others."""
    if isinstance(node, ast.Constant):
        return Const(node.value)
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return None
    with it.quiet(), it.scratch():
        return it.eval(node)


def _alone(it: Interpreter, asked: _Asked) -> Guard | None:
    """That the counter equals what is the same in each pass."""
    base, added = asked.bound
    other = quietly(it, base)
    if isinstance(other, Const):
        is_number = isinstance(other.value, int)
        return _the_pass(asked, repr(other.value + added if is_number else other.value), ())
    if other is not None:
        return _the_pass(asked, f"a value {added:+}", (other,))
    told = canonical(it, base)
    return _the_pass(asked, f"{told[0]} {added:+}", told[1]) if told is not None else None


def _the_pass(asked: _Asked, what: str, objects: tuple[Value, ...]) -> Guard:
    return Guard(f"the pass of {id(asked.loop)} that has {what}", objects, True, asked.number, True)


def _is_first(asked: _Asked, most: int) -> bool:
    return asked.bound.base is _ZERO and asked.bound.added + most == _start(asked.loop)


def _is_last(it: Interpreter, asked: _Asked, least: int, *, is_equal: bool) -> bool:
    """Whether the counter is at least what it is in the last pass.  How many passes there are may have another name
    where the loop begins (`enumerate(batches)`, `i == steps - 1`): for an equality it is enough that one is taken off.
    """
    call = _counting(asked.loop)
    if call is None:
        return False
    base, added = asked.bound
    if dotted(call.func) == "enumerate":
        start = _start(asked.loop)
        many = ast.Call(ast.Name("len", ast.Load()), call.args[:1], [])
        stop = _Linear(many, start) if start is not None else None
    else:
        stop = _linear(call.args[len(call.args) > 1]) if len(call.args) < 3 else None
    if stop is None or (base is _ZERO) is not (stop.base is _ZERO):
        return False
    beyond = added + least - (stop.added - 1)
    if is_equal and beyond == 0:
        return True
    return beyond >= 0 and (base is stop.base or _is_same(it, base, stop.base))


def _is_same(it: Interpreter, one: ast.expr, other: ast.expr) -> bool:
    """Whether two expressions come to the same: no call but that of a length is in them."""
    if isinstance(one, ast.Call) is not isinstance(other, ast.Call):
        return False
    if isinstance(one, ast.Call) and isinstance(other, ast.Call):
        if not all(dotted(call.func) == "len" and len(call.args) == 1 for call in (one, other)):
            return False
        one, other = one.args[0], other.args[0]
    told = canonical(it, one)
    return told is not None and told == canonical(it, other)


def _start(loop: ast.AST) -> int | None:
    """What the counter is in the first pass."""
    call = _counting(loop)
    if call is None:
        return None
    if dotted(call.func) == "range":
        return 0 if len(call.args) == 1 else _whole(call.args[0])
    given = [*call.args[1:2], *(keyword.value for keyword in call.keywords)]
    return _whole(given[0]) if given else 0


def _counter(loop: ast.AST) -> str | None:
    """The variable that counts the passes, where the loop says which that is."""
    target = getattr(loop, "target", None)
    if isinstance(target, ast.Tuple) and target.elts:
        target = target.elts[0]
    return target.id if isinstance(target, ast.Name) else None


def _counting(loop: ast.AST) -> ast.Call | None:
    """The `range(…)` or `enumerate(…)` that a loop goes over, if by way of what shows its progress."""
    node: ast.AST | None = getattr(loop, "iter", None)
    while isinstance(node, ast.Call) and node.args:
        if dotted(node.func) in ("range", "enumerate"):
            return node
        node = node.args[0] if isinstance(node.args[0], ast.Call) else None
    return None
