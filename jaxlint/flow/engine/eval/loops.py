"""The passes of a loop: one after the other, until a further one would show nothing new.

Each pass starts from where the last one ended, so that a second one finds a spent key, or a value that became a tracer.
The passes end when all that is known after one was known before it, or before an earlier one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from typing import Any

from jaxlint.flow.domain.asked import known_of
from jaxlint.flow.domain.buffers import SENT
from jaxlint.flow.domain.donations import DONATED
from jaxlint.flow.domain.order import Held, Present, Selector, is_made_since, leq_states
from jaxlint.flow.domain.started import STARTED
from jaxlint.flow.domain.state import Cell, State, other_items
from jaxlint.flow.domain.values import (
    ANY,
    NONE,
    Container,
    Instance,
    Key,
    KeyId,
    Opaque,
    Tuple,
    Union,
    Value,
)
from jaxlint.flow.engine.eval.growth import widen
from jaxlint.flow.limits import (
    FEW_EVALUATIONS,
    MAX_PASSES,
    PASS_COST,
    PASS_LIMIT,
    RETURNED_DEPTH,
    UNKNOWN_PASSES,
    Limit,
)
from jaxlint.flow.models.arrays.passes import are_followed
from jaxlint.flow.models.jax.module_calls import CALLED
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.objects import containers
from jaxlint.flow.models.objects.iteration import renewed
from jaxlint.flow.port import Interpreter, LoopRecord
from jaxlint.flow.source.read_first import Loop, Names, stores

_NOT_COMPARED = (CALLED, DONATED, SENT, STARTED)
"""What the state keeps for findings, and no value depends on."""

LEAST_TRACED_PASSES = 2
"""What a key is spent on in each pass, two of them tell."""


def run_one_by_one(it: Interpreter, items: list[Value] | None, node: ast.AST) -> list[Value] | None:
    """The items of a loop, if they are known and each may have a pass of its own."""
    limit = None if items is None else _limit_of_passes(it, len(items))
    if limit is None:
        return items
    it.meets(limit, node)
    return None


def passes_over_unknown(it: Interpreter, node: ast.AST) -> int:
    """How many passes a loop over unknown items is given first: two, or only one inside too many others."""
    passes = UNKNOWN_PASSES.value
    limit = _limit_of_passes(it, passes)
    if limit is None:
        return passes
    it.meets(limit, node)
    return 1


def _limit_of_passes(it: Interpreter, passes: int) -> Limit | None:
    """What keeps a loop from so many passes."""
    if it.passes * passes > MAX_PASSES.value:
        return MAX_PASSES
    return FEW_EVALUATIONS if it.evaluations > FEW_EVALUATIONS.value else None


def run_loop(
    it: Interpreter,
    node: Loop,
    steps: list[Callable[[], bool]],
    body: Callable[[], None],
    orelse: list[ast.stmt],
    may_skip: bool,
    forever: bool = False,
    count: int | None = None,
) -> None:
    """Runs the passes of a loop, with those that ``steps`` begin, and goes on with the last one of these while that
    shows anything new.  ``count`` is the number of passes, where it is known.
    """
    record = LoopRecord()
    it.activation.loops.append(record)
    saved, passes = it.loops, it.passes
    it.passes *= max(len(steps), 1)
    heads = _Heads(it, node, passes, count) if count != len(steps) else None
    ends = [it.state.fork()] if may_skip else []
    for number, step in enumerate(steps):
        it.loops = (*saved, (node, number))
        followed = are_followed(node, number)
        it.state.guards |= followed
        if not it.alive or not step():
            it.state.guards -= followed
            break
        record.continues = []
        body()
        it.settle(([it.state] if it.alive else []) + record.continues)
        it.state.guards -= followed
        it.evaluations += PASS_COST
        exhausted = it.evaluations > FEW_EVALUATIONS.value
        if it.alive and heads is not None:
            needed = heads.needed(number + 1, len(steps), exhausted)
            steps[number + 1 :] = [step] * (needed - number - 1)
            it.passes = passes * len(steps)
        if it.alive and (may_skip or exhausted or number == len(steps) - 1) and not forever:
            ends.append(it.state.fork())
        if exhausted:
            it.meets(FEW_EVALUATIONS, node)
            break
    else:
        if it.alive and not ends and not forever:
            ends.append(it.state)
    it.loops, it.passes = saved, passes
    it.activation.loops.pop()
    if may_skip and len(ends) > 1:
        _keep_rebound_keys(ends[0], ends[1], it.frame, it.frame, set())
    if heads is not None and ends and not may_skip:
        ends = [heads.last(ends[-1])]
    it.settle(ends)
    if orelse and it.alive:
        it.exec_block(orelse)
    it.settle(([it.state] if it.alive else []) + record.breaks)


def run_traced_loop(
    it: Interpreter, node: ast.AST, carry: Value, run: Callable[[int, Value], Value], unknown: Callable[[], Value]
) -> Value:
    """Runs the passes of a loop that is traced, each on what the last one hands on, until a further one would show
    nothing new: at least two, since what two of them do is compared.

    Gives what the last one hands on; where a limit ends the passes that is ``unknown``.
    """
    heads = _CarriedHeads(it, node, carry, unknown)
    done, needed = 0, LEAST_TRACED_PASSES
    while done < needed:
        heads.carry = run(done, heads.carry)
        it.evaluations += PASS_COST
        done += 1
        exhausted = done >= LEAST_TRACED_PASSES and it.evaluations > FEW_EVALUATIONS.value
        needed = heads.needed(done, needed, exhausted)
    return heads.carry


class _Heads:
    """What is known at the head of a loop, before each of its passes."""

    def __init__(self, it: Interpreter, loop: ast.AST, outer: int, count: int | None) -> None:
        self.it = it
        self.loop = loop
        self.count = count
        self.most = min(PASS_LIMIT.value, MAX_PASSES.value // outer)
        self.states: list[State] = []
        self.serials: list[int] = []
        self.period = 0
        self.in_variables = set[Value]()
        self._note()
        self.older = Present(self.states[0])

    def _note(self) -> None:
        self.states.append(self.it.state.fork())
        self.serials.append(KeyId("").serial)

    def needed(self, done: int, planned: int, exhausted: bool) -> int:
        """How many passes there are to be, after so many of them.

        Where a limit ends the passes, what is left of the start is forgotten.
        """
        if done == self.count or (done >= self._least(planned) and self._was_known()):
            return done
        if exhausted or done >= self.most:
            self._forget()
            return done
        self._renew_elements()
        if done >= planned:
            widen(self.it, self.states[-1], self.states[max(len(self.states) - 2, 0)])
        self._note()
        return max(planned, done + 1)

    def _least(self, planned: int) -> int:
        """How many passes there are in any case: what is yielded in two of them is compared, what one has donated
        the next one may read, and what one has compiled the next one finds."""
        now, before = self.it.state.cells, self.states[0].cells
        kept = (DONATED, SENT, *self.it.kept_traces.values())
        is_kept = any(now.get(owner) is not before.get(owner) for owner in kept)
        return planned if self.it.activation.yields or self.loop in self.it.repeating or is_kept else 1

    def _was_known(self) -> bool:
        """Whether the next pass would be like one that has run: if that is not the last one, some take turns."""
        self.in_variables = set(self.it.state.read(self.it.frame).values())
        now = self.it.state
        held: Held = {}  # what this pass has left is compared with each earlier one
        for number in reversed(range(len(self.states))):
            before, since = self.states[number], self.serials[number]
            self.older = Present(self.states[0])
            if leq_states(now, before, since, self._uncounted, self._step(), held):
                self.period = len(self.states) - number
                return True
        return False

    def _step(self) -> Selector | None:
        """What selects the keys that the last pass was given and no other is.  The first pass of a loop inside is given
        those of the same name, so that two passes tell."""
        return ("pass", len(self.states) - 1) if len(self.states) > 1 else None

    def last(self, state: State) -> State:
        """What is known after all passes, if their number is; ``state`` is what the last one that was run has left."""
        if self.count is None or self.period < 2:
            return state
        return self.states[-self.period + (self.count - len(self.states)) % self.period]

    def _uncounted(self, owner: Value) -> Collection[Any] | None:
        """What the next pass does not read: variables that it binds first, items by an index that this pass has made.

        Only objects count that are older than the loop, or that a variable holds: of a tree that the loop builds, each
        pass has another node.
        """
        if owner in _NOT_COMPARED:
            return None
        if owner is self.it.frame:
            return _bound_first(self.it, self.loop)  # type: ignore[arg-type]
        older, read = self.states[0], self.it.state.read
        if not older.holds(owner) and owner not in older.base and owner not in self.in_variables:
            return None
        return _made_since(self.serials[0], self.older, read(owner))

    def _renew_elements(self) -> None:
        """What a pass has put into a list is no longer known as the very object: the next one puts in another."""
        state, before = self.it.state, self.states[-1]
        for owner, cell in list(other_items(state.cells, before.cells)):
            element = known_of(cell).get(ANY) if isinstance(owner, Container) and before.holds(owner) else None
            if element is not None and element is not before.read(owner).get(ANY):
                state.write(owner)[ANY] = _any_other(element)

    def _bound(self) -> Names:
        """The variables around that a pass binds."""
        return stores(self.loop)

    def _forget(self) -> None:
        """Further passes may give another value to each variable that the loop binds, and to what it has changed."""
        self.it.meets(PASS_LIMIT if self.most == PASS_LIMIT.value else MAX_PASSES, self.loop)
        state, start = self.it.state, self.states[0]
        for owner, cell in list(other_items(state.cells, start.cells)):
            if start.holds(owner) and isinstance(owner, Container):
                containers.forget(self.it, owner)
            elif start.holds(owner):
                old = start.read(owner)
                changed = {name for name, value in known_of(cell).items() if value is not old.get(name)}
                names = self._bound() if owner is self.it.frame else changed
                state.write(owner).update({name: Opaque(str(name)) for name in names & cell.keys()})


class _CarriedHeads(_Heads):
    """The same of a loop that is traced: what is carried is held by an object of its own."""

    def __init__(self, it: Interpreter, node: ast.AST, carry: Value, unknown: Callable[[], Value]) -> None:
        self.it = it
        self.whole = carry
        self.unknown = unknown
        self.holder = Container("list", it.ctx)
        self.carry = carry
        super().__init__(it, node, 1, None)

    @property
    def carry(self) -> Value:
        """What is carried into the next pass."""
        cell = self.it.state.read(self.holder)
        if not isinstance(self.whole, Tuple):
            return cell[0]
        items = tuple(cell[number] for number in range(len(self.whole.items)))
        return self.whole if items == self.whole.items else self.whole.with_other(items)

    @carry.setter
    def carry(self, value: Value) -> None:
        self.whole = value
        cell = self.it.state.write(self.holder)
        cell.clear()
        cell.update(enumerate(value.items if isinstance(value, Tuple) else (value,)))

    def _least(self, planned: int) -> int:
        return LEAST_TRACED_PASSES

    def _uncounted(self, owner: Value) -> Collection[Any] | None:
        if owner in _NOT_COMPARED or (not self.states[0].holds(owner) and owner not in self.states[0].base):
            return None
        return _made_since(self.serials[0], self.older, self.it.state.read(owner))

    def _step(self) -> Selector | None:
        return "lane", len(self.states) - 1

    def _forget(self) -> None:
        super()._forget()
        self.carry = self.unknown()


def _any_other(element: Value) -> Value:
    """An element of which as much is known as of one that several passes may have made."""
    if isinstance(element, Tuple):
        return element.with_other(tuple(map(_any_other, element.items)))
    if isinstance(element, Union):
        return Opaque("an element")
    return renewed(element)


def _bound_first(it: Interpreter, loop: Loop) -> Names:
    """The variables that a pass of a loop binds before it, or a function inside, can read them."""
    found = it.bound_first.get(loop)
    if found is None:
        found = it.bound_first[loop] = frozenset(
            stores(loop) - it.read_first.of(loop) - it.frame.globals - it.frame.nonlocals
        )
    return found - it.activation.names_inside(it) if it.activation.created else found


def _made_since(serial: int, before: Present, cell: Cell) -> list[Any]:
    """The items of something unknown that are kept by an index made since then."""
    return [name for name in known_of(cell) if type(name) is tuple and is_made_since(name, serial, before)]


def _keep_rebound_keys(skipped: State, ran: State, before: Value, after: Value, met: set[Value]) -> None:
    """A key that a loop rebinds is what a pass has left: that a loop may have no pass is no reason for an alarm.

    ``before`` holds it where there was none, ``after`` where there was one: both are the frame, or objects in its place
    that a pass was given and has left, which may keep keys in turn.
    """
    held, left = skipped.read(before), ran.read(after)
    if held is left or before in met or len(met) > RETURNED_DEPTH.value:
        return
    met.add(before)
    was = known_of(held)
    for name, value in list(known_of(left).items()):
        if isinstance(value, (Key, Tuple, Instance, Container)):
            old = was.get(name, NONE)
            kept = _with_rebound_keys(skipped, ran, old, value, met)
            if kept is not old:
                skipped.write(before)[name] = kept
    met.discard(before)


def _with_rebound_keys(skipped: State, ran: State, old: Value, value: Value, met: set[Value]) -> Value:
    """``old``, with the keys that ``value`` has where it has others."""
    if isinstance(value, Key):
        return value if keys.is_known_key(old) else old
    if isinstance(value, Tuple) and isinstance(old, Tuple) and len(value.items) == len(old.items) and value is not old:
        items = [_with_rebound_keys(skipped, ran, *pair, met) for pair in zip(old.items, value.items)]
        is_same = all(item is one for item, one in zip(items, old.items))
        return old if is_same else old.with_other(tuple(items))
    if isinstance(value, (Instance, Container)) and type(old) is type(value):
        _keep_rebound_keys(skipped, ran, old, value, met)
    return old
