"""Calls of one of several known callees: a function from a table, a method of one of several objects.

Each runs on a path of its own, as the branches of an ``if`` do.  What happens in a function of the project is claimed
there; not what a library's would do, nor the method of one of several objects: which `numpy` or which object it is may
go with what it is given.  Where a loop goes through the objects, each is met.
To keys that there were before it counts what all of them do, at the call: a draw is one where each of them draws, and
none where none does.  If one of them waits for JAX's results, so does the call; if each begins work, so does the call.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import replace

from jaxlint.flow.domain.arguments import Arguments, callee_text
from jaxlint.flow.domain.clocks import Work
from jaxlint.flow.domain.state import ORDER, Guard, State, Use, Uses, join_states, join_values
from jaxlint.flow.domain.values import (
    Const,
    Container,
    Function,
    Instance,
    KeyId,
    Opaque,
    Partial,
    Transformed,
    Union,
    Value,
    innermost,
)
from jaxlint.flow.limits import MOST_CALLEES
from jaxlint.flow.models.jax import optimiser_calls
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.names import clocks
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.random.unseen import call_unseen
from jaxlint.flow.port import Interpreter


def call_one_of(it: Interpreter, function: Union, args: Arguments, node: ast.AST) -> Value:
    """What calling one of several functions gives; a constant among them is never called."""
    guards = function.guards or (frozenset(),) * len(function.options)
    options = [pair for pair in zip(function.options, guards) if not isinstance(pair[0], Const)]
    if not options:
        return Opaque("a call")
    if len(options) == 1:
        return it.call(options[0][0], args, node)
    if len(options) > MOST_CALLEES.value and not any(
        keys.is_known_key(value) or isinstance(value, Opaque) for value in args.values()
    ):
        it.meets(MOST_CALLEES, node)
        return call_unseen(it, function.merged, args, node)
    args = _of_any_name(args)
    before, begun, born, waited = it.state, next(ORDER), KeyId("").serial, it.waited
    optimiser_calls.check_one_of(it, [option for option, _ in options], args, node)
    ends: list[tuple[State, Value]] = []
    ended: list[Value] = []
    chosen: list[Guard] = []
    claimed = _are_claimed(it, [option for option, _ in options], _is_of_each(it, node))
    left: list[Work | None] = []
    for number, ((option, conditions), is_claimed) in enumerate(zip(options, claimed)):
        it.state, it.alive = before.fork(), True
        it.state.guards |= conditions
        it.state.uses.clear()
        it.assumed += 1  # nobody is seen to call this one
        it.undecided += 1
        going_on = it.work_begun
        with nullcontext() if is_claimed else it.quiet():
            value = it.call(option, args, node)
            left.append(it.work_begun if it.work_begun is not going_on else None)
        it.assumed -= 1
        it.undecided -= 1
        if it.alive:
            it.state.uses = _after(before.uses, it.state.uses)
            ends.append((it.state, value))
            ended.append(option)
            chosen.append(Guard(keys.ONE_CALLED, (function,), True, number))
    if it.waited != waited:
        clocks.wait(it)
    elif None not in left:
        it.work_begun = left[-1]
    if not ends:
        return Opaque("a call that fails")
    it.alive = True
    (it.state, result), *others = ends
    for state, value in others:
        joined = join_states([it.state, state])
        assert joined is not None
        result, it.state = join_values(result, it.state, value, state, joined), joined
    if not _is_of_each(it, node):
        _keep_own(it, ended, [state for state, _ in ends])
    callee = callee_text(function, node)
    spent = [dict(_spent(before, state, begun, born)) for state, _ in ends]
    by_key = {key: [uses.get(key, ()) for uses in spent] for key in _wholes(spent)}
    _use_together(it, by_key, [] if any(guards) else chosen, node, callee)
    return result


def _keep_own(it: Interpreter, options: list[Value], ends: list[State]) -> None:
    """An object whose method is called is the one that the others are not: what it holds then is what its own call has
    left in it, not what it would hold if another one had been called."""
    receivers = [_receiver_of(option, _function_of(it, option)) for option in options]
    for receiver, state in zip(receivers, ends):
        if isinstance(receiver, Instance) and receivers.count(receiver) == 1 and state.holds(receiver):
            left = dict(state.read(receiver))
            cell = it.state.write(receiver)
            cell.clear()
            cell.update(left)


def _of_any_name(args: Arguments) -> Arguments:
    """What each of several functions is given by names that nobody knows: what is there for one may be another's
    matter, `MAKERS[name](**settings)`."""
    if not isinstance(args.mapping, Container):
        return args
    return replace(args, mapping=None, others=None if args.others is None else Opaque("a keyword"))


def _are_claimed(it: Interpreter, options: list[Value], is_of_each: bool) -> list[bool]:
    """Whether what happens in each option is claimed: the project's functions, unless they are methods of one name, of
    objects of which nobody knows that they were there before the trace, or that a loop meets each of them.  Those go
    with what they are given."""
    functions = [_function_of(it, option) for option in options]
    receivers = [_receiver_of(option, function) for option, function in zip(options, functions)]
    names = {
        function.name if function is not None and receiver is not None else ""
        for function, receiver in zip(functions, receivers)
    }
    is_of_objects = len(names) == 1 and "" not in names
    is_open = is_of_objects and not is_of_each and not all(map(_is_from_before, receivers))
    return [function is not None and not is_open for function in functions]


def _is_of_each(it: Interpreter, node: ast.AST) -> bool:
    """Whether the call is one of what the innermost loop around it goes through: `for layer in layers: layer(x)`."""
    loops = it.loops[it.activation.around :]
    written = node.func if isinstance(node, ast.Call) else None
    if isinstance(written, ast.Attribute):
        written = written.value
    loop = loops[-1][0] if loops else None
    return (
        isinstance(loop, (ast.For, ast.comprehension))
        and isinstance(loop.target, ast.Name)
        and isinstance(written, ast.Name)
        and written.id == loop.target.id
    )


def _is_from_before(made: Value | None) -> bool:
    """Whether it is an object that was made where nothing is traced."""
    return isinstance(made, Instance) and not made.symbolic and (made.birth is None or not made.birth.tracing)


def _function_of(it: Interpreter, option: Value) -> Function | None:
    while isinstance(option, Partial):
        option = option.function
    if isinstance(option, Transformed):
        return innermost(option)[0]
    if isinstance(option, Instance):
        option = classes.find_member(it, option.cls, "__call__") or option
    return option if isinstance(option, Function) else None


def _receiver_of(option: Value, function: Function | None) -> Value | None:
    """The object that a method is called of, be it as `__call__`."""
    if isinstance(option, Instance):
        return option
    return function.receiver if function is not None else None


def _after(before: dict[KeyId, Uses], since: dict[KeyId, Uses]) -> dict[KeyId, Uses]:
    """The uses of keys once those of a callee have come to those before."""
    return before | {key: before.get(key, ()) + uses for key, uses in since.items()}


def _spent(before: State, after: State, begun: int, born: int) -> Iterable[tuple[KeyId, Uses]]:
    """The uses since ``begun`` of keys that there were before or that were not known as such, and of their parts."""
    for key, uses in after.uses.items():
        if uses is not before.uses.get(key) and (key.root.serial < born or key.root.site is None):
            new = tuple(use for use in uses if use.order >= begun and use.how != keys.FOLD)
            if new:
                yield key, new


def _wholes(spent: list[dict[KeyId, Uses]]) -> list[KeyId]:
    """The keys that were used, without those that were used because they may be another one that was."""
    found = dict.fromkeys(key for uses in spent for key in uses)
    others = {option.origin for key in found for option in keys.with_alternatives(key)[1:]}
    return [key for key in found if key not in others] or list(found)


def _use_together(
    it: Interpreter, spent: dict[KeyId, list[Uses]], chosen: list[Guard], node: ast.AST, callee: str
) -> None:
    """One use of each key by the call in place of those by the callees, which never meet.  Callees that conditions tell
    apart are branches: what only some of them draw from stays theirs.  Those of a table are told apart by which of them
    is ``chosen``: who calls the same again calls the same one."""
    for key, uses in spent.items():
        for one in keys.with_alternatives(key):
            it.state.uses[one] = tuple(
                use for use in it.state.uses.get(one, ()) if not any(use in some for some in uses)
            )
    apart = {key: uses for key, uses in spent.items() if not chosen and not all(map(_strong_in, uses))}
    for key, uses in spent.items():
        if key not in apart:
            _use(it, key, uses, chosen, node, callee)
    for key, uses in apart.items():
        for one in keys.with_alternatives(key):
            it.state.uses[one] = (*it.state.uses[one], *(use for some in uses for use in some))


def _strong_in(uses: Uses) -> Use | None:
    return next((use for use in uses if use.how in keys.STRONG), None)


def _use(it: Interpreter, key: KeyId, spent: list[Uses], chosen: list[Guard], node: ast.AST, callee: str) -> None:
    """One use by the call in place of those by each of the callees; one for each that draws where others do not."""
    drawing = [strong is not None for strong in map(_strong_in, spent)]
    if all(drawing) or not any(drawing):
        _use_as_one(it, key, spent, node, callee)
        return
    for guard, uses in zip(chosen, spent):
        if uses:
            first = _strong_in(uses) or uses[0]
            keys.consume(it, key, keys.HANDED, node, callee, via=first, beside=uses, guards=frozenset((guard,)))


def _use_as_one(it: Interpreter, key: KeyId, spent: list[Uses], node: ast.AST, callee: str) -> None:
    together = tuple(use for uses in spent for use in uses)
    first = next((use for use in together if use.how in keys.STRONG), None)
    first = first or next((use for use in together if use.how == keys.HANDED), together[0])
    keys.consume(it, key, first.how, node, callee, via=first, beside=together)
