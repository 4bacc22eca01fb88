"""Function summaries: what a call does in terms of its arguments, computed once and applied at each call.

A function is evaluated on stand-ins for its arguments, for the variables around it and for what the objects hold that
it asks for (`describing`).  What has no description, and what changes or leaves more than that, is run in place.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable
from collections.abc import Iterator as PyIterator
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from jaxlint.flow.domain.asked import Asking, LentCell, NeedsCaller, known_of
from jaxlint.flow.domain.buffers import SENT, Sent
from jaxlint.flow.domain.clocks import BEFORE, UNTOUCHED, Moment, Work
from jaxlint.flow.domain.contexts import AnySeed, Context, Provenance
from jaxlint.flow.domain.donations import Donation
from jaxlint.flow.domain.events import OuterWrite
from jaxlint.flow.domain.retold import Again, Reasons, Told, reason_of
from jaxlint.flow.domain.slots import Slot, Writes
from jaxlint.flow.domain.started import STARTED, Start
from jaxlint.flow.domain.state import ORDER, CallSite, Guard, State, Use
from jaxlint.flow.domain.values import (
    NOTHING,
    Array,
    ClassValue,
    Const,
    Container,
    External,
    ExternalInstance,
    Frame,
    Function,
    HostArray,
    Instance,
    Iterator,
    Key,
    KeyId,
    Lazy,
    Method,
    ModuleValue,
    Opaque,
    Origin,
    Partial,
    Slice,
    Static,
    Stream,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
    is_none,
)
from jaxlint.flow.engine.calling.describing import Describer
from jaxlint.flow.limits import MAX_VARIANTS, RESULT_FRAMES, RESULT_PARTS
from jaxlint.flow.models.arrays import conditions
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.names import clocks
from jaxlint.flow.models.traces.held_writes import writing
from jaxlint.flow.models.traces.outer_writes import write_again
from jaxlint.flow.observers import donated, recreated
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.made_alike import is_made_alike_by, seeded_by
from jaxlint.flow.source.modules import values_in_vain
from jaxlint.flow.source.straight import comes_to

Change = tuple[Value, dict[Any, Value], frozenset[Any]]
"""An object with what is stored in it, and the names that are deleted."""


class Summary:
    """The result of one evaluation with symbolic arguments, the consumptions that leave it, and what was ``told``.

    ``cells`` is what the objects hold that were made in it: no more is kept of its state, which would keep those of the
    callers.  ``left_begun`` is the work that is going on when it ends, ``waited`` when it has last waited for some,
    ``settled`` when it may last have waited for any.
    ``fails``: it raises on every path.
    ``made`` are the keys that it makes and uses up itself, each with that use and all of them.
    ``asks`` are what modules have asked for in it, see `module_asks`.
    ``general``: constants among the arguments were taken for any of their type.  What happens on a condition may then
    never happen in any of the calls: it is no consumption.
    """

    __slots__ = (
        "asks",
        "born",
        "cells",
        "changes",
        "fails",
        "general",
        "handed",
        "handed_out",
        "keys",
        "left_begun",
        "made",
        "reason",
        "result",
        "seeds",
        "settled",
        "symbols",
        "taken_back",
        "told",
        "uses",
        "uses_again",
        "waited",
        "writes",
    )

    def __init__(
        self,
        result: Value,
        changes: list[Change],
        describer: Describer,
        state: State,
        born: int,
        reason: Provenance | None,
        told: Told,
        writes: Writes,
        handed: list[Value],
        left_begun: Work | None,
        waited: Moment,
        settled: Moment,
        asks: list[tuple[str, str]],
        fails: bool,
    ) -> None:
        self.result = result
        self.fails = fails
        self.asks = asks
        self.waited = waited
        self.settled = settled
        self.left_begun = left_begun
        self.handed = handed
        self.symbols = symbols = describer.symbols
        self.seeds = [*describer.seeds.values()]
        self.changes = changes
        self.taken_back = describer.taken_back
        given = set(symbols)
        self.cells = {owner: cell for owner, cell in state.cells.items() if owner not in given}
        self.born = born
        self.reason = reason
        self.general = describer.general
        self.told = told
        self.writes = writes
        self.keys = (
            frozenset(
                ident
                for symbol in symbols
                if (not isinstance(symbol, Array) or symbol.has_key) and (ident := keys.key_of(symbol)) is not None
            )
            or NOTHING
        )
        self.handed_out = _related_keys([self.result, *self.stored()], state, with_options=False)
        returned = _related_keys([self.result, *self.stored()], state)
        self.uses = list(self._lasting_uses(state))
        self.made = list(self._own_uses(state, returned))
        self.uses_again = self._may_use_again(describer.copies, returned)

    def stored(self) -> list[Value]:
        """What the call stores in objects that it was given."""
        return [value for _, changed, _ in self.changes for value in changed.values()]

    def is_older(self, ident: KeyId) -> bool:
        """A key of a module global: the call uses that very key, not one of its own."""
        return ident.serial < self.born and ident.root not in self.keys

    def _is_nameable(self, selector: Any, given: frozenset[Value]) -> bool:
        """Whether a caller can mean the same part of a key: not one at an index that was made inside."""
        if isinstance(selector, tuple):
            return all(self._is_nameable(part, given) for part in selector)
        if isinstance(selector, Value):
            return selector in given
        return not isinstance(selector, KeyId) or selector.root in self.keys or self.is_older(selector)

    def _may_use_again(self, arguments: list[Value], returned: set[KeyId]) -> bool:
        """Whether a loop that calls the function may give it a key again that it uses: one that it is not given, or
        that it hands on."""
        given = {ident.root for value in _leaves(arguments) if (ident := keys.key_of(value)) is not None}
        return any(
            (ident.root not in given or ident.origin in returned) and (ident.known or any(map(keys.is_drawn, uses)))
            for ident, _, uses in self.uses
            if ident.root in self.keys or self.is_older(ident)
        )

    def _lasting_uses(self, state: State) -> PyIterator[tuple[KeyId, Use | None, tuple[Use, ...]]]:
        """The consumptions that the caller can notice, each key with the use that stands for all of its uses but folds.

        A key that was made inside matters only where a part of it, or what it is part of, is returned: one that may be
        returned, or another one in its place, has been spent where what is returned has.  Of the elements at places
        that only the function knows, one stands for all that are used in the same ways.
        """
        returned = self.handed_out
        given = frozenset(self.symbols)
        told = set[tuple[KeyId, frozenset[str], bool]]()
        for ident, uses in state.uses.items():
            if self.general and any(use.guards for use in uses):
                continue
            if ident.parent is not None and ident not in returned and not self._is_nameable(ident.selector, given):
                element = ident.parent, frozenset(use.how for use in uses), any(use.guards for use in uses)
                if element in told:
                    continue
                told.add(element)
            if ident.root in self.keys or self.is_older(ident) or ident in returned:
                use = next((use for use in uses if use.how in keys.STRONG), None)
                weak = use or next((use for use in uses if use.how == keys.HANDED), None)
                use = weak or next((use for use in uses if use.how == keys.NAMED), None)
                if use is not None or any(use.how == keys.FOLD for use in uses):
                    yield ident, use, uses

    def _own_uses(self, state: State, returned: set[KeyId]) -> PyIterator[tuple[KeyId, Use, tuple[Use, ...]]]:
        """The keys that a call in the function makes of a seed and that are used up there."""
        for ident, uses in state.uses.items():
            is_own = not (ident.root in self.keys or self.is_older(ident) or ident in returned)
            if is_own and ident.text == "key" and ident.site is not None and isinstance(ident.site[1], ast.Call):
                use = next((use for use in uses if use.how in keys.STRONG), None)
                if use is not None and not self.general:
                    yield ident, use, uses


def _leaves(values: Iterable[Value]) -> PyIterator[Value]:
    """The values, and those in tuples in their place."""
    for value in values:
        if isinstance(value, Tuple):
            yield from _leaves(value.known_items)
        elif not isinstance(value, Array) or value.has_key:
            yield value


def apply(it: Interpreter, function: Function, bound: dict[str, Value], node: ast.AST) -> Value:
    """Calls ``function``: from its summary if it has one, else by running it here.  A generator that nobody can get
    hold of does not run."""
    if it.facts_of(function.node).generator and _is_in_vain(it, node):
        it.only_raises = False
        return Iterator(Opaque("generated"), "generator", it.ctx)
    is_own = function.frame is not None or function.receiver is not None
    is_pass = is_own and any(loop is node for loop, _ in it.loops)  # a key that each pass uses is told in the body
    if it.runs_in_place or donated.are_given(it, bound.values()):
        return _in_place(it, function, bound, node)
    describer = Describer(it)
    asking = _asking(it, function, bound, describer)
    if asking is None or (describer.holds_objects and it.traces_read):
        describer.close()
        return _in_place(it, function, bound, node)
    describer.follow(asking)
    summary = it.known_summary(describer.asking)
    if summary is None and it.variants.get(asking.family, 0) >= MAX_VARIANTS.value:
        it.meets(MAX_VARIANTS, node)
        describer.close()
        describer = Describer(it, general=True)
        asking = _asking(it, function, bound, describer)
        assert asking is not None
        describer.follow(asking)
        summary = it.known_summary(describer.asking)
    if summary is None:
        summary = it.summarised(lambda: describer.asking, lambda: _summarise(it, function, list(bound), describer))
    describer.close()
    if isinstance(summary, Summary) and not (is_pass and summary.uses_again):
        application = _Application(it, summary, describer, node, function)
        if application.changes_what_is_made():
            return _in_place(it, function, bound, node)
        if not describer.holds_objects or it.muted or not application.meets_earlier_uses():
            return application.run()
    return _in_place(it, function, bound, node)


def _is_in_vain(it: Interpreter, node: ast.AST) -> bool:
    """Whether nobody reads what the expression gives."""
    root = it.frame.function.node if it.frame.function is not None else None
    return root is not None and node in values_in_vain(root, it.facts_of(root))


def _asking(it: Interpreter, function: Function, bound: dict[str, Value], describer: Describer) -> Asking | None:
    """Where to begin with what a call is asked; None if an argument cannot be described."""
    parts = []
    around = describer.describe_function(function)
    for name, value in bound.items():
        described = describer.describe(value)
        if described is None:
            return None
        parts.append((name, described))
    contexts = describer.contexts() if describer.holds_objects else ()
    tried = it.supposed > 0, it.supposed_depth
    where = (describer.cells.any_touched, describer.describe_conditions(), tried, it.expected)
    under = (it.ctx.signature, contexts, around, where)
    signature = (function.node, under, tuple(parts))
    known = it.asked.setdefault(function.node, {})
    asking = known.get(signature)
    if asking is None:
        asking = known[signature] = Asking(family_of(signature))
    return asking


def family_of(signature: Any) -> Any:
    """What the signatures have in common that differ in constants only."""
    if isinstance(signature, Asking):
        return signature.family
    if len(signature) < 3:
        return signature
    node, context, parts = signature
    return (node, context, tuple((name, _generalised(described)) for name, described in parts))


def _generalised(described: Any) -> Any:
    """The description with constants as any of their type."""
    if described[0] == "const" and described[2] is not None and described[1] is not bool:
        return ("static", described[1].__name__)
    if described[0] == "tuple":
        return (*described[:-1], tuple(map(_generalised, described[-1])))
    return described


def _in_place(it: Interpreter, function: Function, bound: dict[str, Value], node: ast.AST) -> Value:
    """Runs the function here and now.  The call counts as a place where a key can be seen to be used twice."""
    saved = it.calls
    it.calls = _calls_to(it, node)
    try:
        result = it.run_function(function, bound)
        recreated.hand_back(it, function, result, result, node)
        return result
    finally:
        it.calls = saved


def _calls_to(it: Interpreter, node: ast.AST) -> tuple[CallSite, ...]:
    """The calls that lead into a function that is called at ``node``."""
    loops = tuple(entry for entry in it.loops if entry[0] is not node)
    return (*it.calls, (it.frame, node, it.frame.scope, loops))


IN_PLACE = object()


def _summarise(it: Interpreter, function: Function, names: list[str], describer: Describer) -> Any:
    """Evaluates the function on symbols; ``IN_PLACE`` if the result cannot leave its state.

    Nothing is reported of what happens to constants that stand for others.
    """
    symbols = describer.symbols
    born = describer.serial = KeyId("").serial
    created, mutated = len(it.activation.created), len(it.activation.mutated)
    it.ctx.uncopied |= {symbol for symbol, value in zip(symbols, describer.actual) if value in it.ctx.uncopied}
    receiver = describer.copies[0] if function.receiver is not None else None
    copied = describer.copy_of_function(function, receiver)
    supposed = it.supposing() if describer.general else nullcontext()
    result: Value | None = None
    describer.is_evaluated = True
    sends, it.sends = it.sends, True
    muted, it.muted = it.muted, it.muted if it.supposed else 0  # what is told is kept, and each call tells what it may
    asks: list[tuple[str, str]] = []
    asked, undecided, it.asks, it.undecided = it.asks, it.undecided, asks, 0
    it.trace_askers.append(describer)
    try:
        with it.isolated(describer.new_state(), it.ctx, None), it.keeping() as told, writing(it) as writes, supposed:
            it.work_begun, it.waited, it.settled = UNTOUCHED, BEFORE, BEFORE
            result = it.run_function(copied, dict(zip(names, describer.copies)))
            state, begun = it.state, None if describer.general else it.work_begun
            fails = it.only_raises
            waited, settled = it.waited, it.settled
    except NeedsCaller:
        pass
    finally:
        describer.is_evaluated = False
        it.trace_askers.pop()
        it.sends, it.muted = sends, muted
        it.asks, it.undecided = asked, undecided
    handed = it.activation.created[created:]
    del it.activation.created[created:]  # of a state that is gone: each call hands out its own
    changes = len(it.activation.mutated) > mutated
    del it.activation.mutated[mutated:]
    if result is None:
        return IN_PLACE
    left = _changes(describer, state, born)
    stored = [value for _, changed, _ in left for value in changed.values()]
    if _holds_too_much([result, *stored], state):
        it.meets(RESULT_PARTS, function.node, function.scope)
        result = Opaque("a result that holds much")
        left = [(owner, dict.fromkeys(changed, Opaque("what holds much")), gone) for owner, changed, gone in left]
    if not (changes or _writes_outside(it, describer, state)):
        reason = it.ctx.provenance
        summary = Summary(
            result, left, describer, state, born, reason, told, writes, handed, begun, waited, settled, asks, fails
        )
        if _portable([result, *summary.stored()], state):
            return summary
    told.tell(it, Reasons())
    return IN_PLACE


def _writes_outside(it: Interpreter, describer: Describer, state: State) -> bool:
    """Whether the function, or what it calls, has changed an object that is older than the call and that it was not
    given."""
    older, symbols = describer.state, set(describer.symbols)
    own_keys = {keys.key_of(symbol) for symbol in symbols if isinstance(symbol, Tree)}
    return any(
        owner not in symbols
        and not isinstance(owner, Opaque)
        and (older.holds(owner) or (isinstance(owner, Tree) and owner.key.root in own_keys))
        for owner in state.cells
    )


def _changes(describer: Describer, state: State, born: int) -> list[Change]:
    """What the function has stored in the objects that it was given, or found, and what it has deleted."""
    found: list[Change] = []
    for symbol, lent in describer.cells.items():
        cell = state.cells.get(symbol)
        if lent is not None and isinstance(cell, LentCell):
            number = lent.number
            before = dict(describer.lent_whole.get(number, {}))
            before.update({name: v for (n, name), v in describer.lent.items() if n == number and v is not None})
            now = cell.present()
            changed = {name: value for name, value in now.items() if before.get(name) is not value}
            deleted = (before.keys() - now.keys()) if cell.whole else cell.gone - now.keys()
            if changed or deleted:
                found.append((symbol, changed, frozenset(deleted)))
    symbols = set(describer.symbols)
    for owner, cell in state.cells.items():
        if describer.cells.get(owner) is not None:
            continue
        left = describer.it.base.get(owner)
        if left is not None:
            changed = {name: value for name, value in cell.items() if left.get(name) is not value}
            if changed or left.keys() - cell.keys():
                found.append((owner, changed, frozenset(left.keys() - cell.keys())))
        elif owner in symbols or (isinstance(owner, Opaque) and (owner.root.serial < born or owner.root in symbols)):
            found.append((owner, cell, frozenset()))
    return found


def _holds_too_much(values: list[Value], state: State) -> bool:
    """Whether each call would have to make more anew than there may be."""
    pending, seen = values, set[int]()
    while pending and len(seen) <= RESULT_PARTS.value:
        value = pending.pop()
        if id(value) not in seen and not isinstance(value, _WHOLE):
            seen.add(id(value))
            pending += _parts_of(value, state) or ()
    return len(seen) > RESULT_PARTS.value


def _portable(values: Iterable[Value], state: State) -> bool:
    """Whether values can leave the state that they were made in: all that they hold is known how to make anew."""
    pending, seen, frames = list(values), set[int](), 0
    while pending:
        value = pending.pop()
        if id(value) not in seen and not isinstance(value, _WHOLE):
            seen.add(id(value))
            frames += isinstance(value, Frame)
            parts = _parts_of(value, state)
            if parts is None or frames > RESULT_FRAMES.value:
                return False
            pending += parts
    return True


_WHOLE = (
    Const,
    Static,
    Array,
    HostArray,
    External,
    ClassValue,
    ModuleValue,
    Opaque,
    Key,
    Tree,
    Lazy,
    Stream,
    Donation,
    Sent,
    Start,
)
"""What has no parts that go with it."""


def _related_keys(values: list[Value], state: State, with_options: bool = True) -> set[KeyId]:
    """The keys in what leaves a function, with the wholes they are of, the parts of those, and what was joined into
    them (``with_options``)."""
    pending = list(_keys_in(values, state))
    found: set[KeyId] = set()
    while pending:
        ident = pending.pop()
        ident = ident.origin
        if ident not in found:
            found.add(ident)
            pending += ident.parts.values()
            pending += ident.alternatives if with_options else ()
            if ident.parent is not None:
                pending.append(ident.parent)
    return found


def _keys_in(values: list[Value], state: State) -> PyIterator[KeyId]:
    pending, seen = list(values), set[int]()
    while pending:
        value = pending.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Opaque):
            owner: Opaque | None = value
            while owner is not None:
                if owner.has_key:
                    yield owner.key
                owner = owner.parent
        elif isinstance(value, (Key, Tree)) or (isinstance(value, Array) and value.has_key):
            ident = keys.key_of(value)
            if ident is not None:
                yield ident
        else:
            pending += _parts_of(value, state) or ()


def _parts_of(value: Value, state: State) -> Iterable[Value] | None:
    """What a value holds, also what the variables around a function do; None if that stays where it was made."""
    find = _PARTS.get(type(value))
    return None if find is None else find(value, state)


def _contents(value: Value, state: State) -> Iterable[Value]:
    return known_of(state.read(value)).values()


def _around(value: Function, state: State) -> list[Value]:
    found = [value.receiver, *value.defaults, *value.kw_defaults, value.frame, *state.read(value).values()]
    return [part for part in found if part is not None] if value.frame or value.receiver else []


def _variables(frame: Frame, state: State) -> Iterable[Value] | None:
    if frame is frame.scope.frame or frame in state.base:
        return ()
    if not state.holds(frame):
        return None
    return [*_contents(frame, state), *([frame.parent] if frame.parent is not None else [])]


_PARTS: dict[type, Callable[[Any, State], Iterable[Value] | None]] = {
    Tuple: lambda value, state: value.known_items,
    Union: lambda value, state: value.options,
    Container: _contents,
    Instance: _contents,
    Function: _around,
    Frame: _variables,
    Iterator: lambda value, state: (value.element,) if value.source is None else None,
    Partial: lambda value, state: (value.function, *value.args, *value.kwargs.values()),
    Transformed: lambda value, state: (
        value.function, *value.options.values(), *([value.receiver] if value.receiver is not None else []),
        *state.read(value).values(),
    ),
    Method: lambda value, state: (value.receiver,),
    Slice: lambda value, state: (value.lower, value.upper, value.step),
    ExternalInstance: lambda value, state: (*value.args, *value.kwargs.values(), *_contents(value, state)),
}  # fmt: skip


class _Application:
    """Applies a summary to actual arguments."""

    def __init__(
        self, it: Interpreter, summary: Summary, describer: Describer, node: ast.AST, function: Function
    ) -> None:
        actual = describer.actual
        self.it = it
        self.summary = summary
        self.node = node
        self.function = function
        self.begun = next(ORDER)
        self.going_on, self.waited = it.work_begun, it.waited
        self.values: dict[int, Value] = {id(s): a for s, a in zip(summary.symbols, actual)}
        self.idents: dict[KeyId, KeyId] = {}
        self.seeds: dict[AnySeed | None, AnySeed] = dict(zip(summary.seeds, describer.seeds))
        self.reason = Reasons()
        self.reason.note(summary.reason, it.ctx.provenance)
        for symbol, value in zip(summary.symbols, actual):
            self.reason.note(reason_of(symbol), reason_of(value))
            if isinstance(symbol, Array) and not symbol.has_key:
                continue
            mine, theirs = keys.key_of(symbol), keys.key_of(value)
            if mine is not None and theirs is not None:
                self.idents[mine] = theirs
        self.symbolic = frozenset(self.idents)

    def run(self) -> Value:
        self._apply_uses()
        self.summary.told.tell(self.it, self.reason, self.node)
        if self.it.asks is not None and not self.it.undecided:
            self.it.asks += self.summary.asks
        self._write_again(self.summary.writes)
        for owner, changed, deleted in self.summary.changes:
            self._change(self._owner(owner), changed, deleted)
        self.it.activation.created += map(self.value, self.summary.handed)
        clocks.leave(self.it, self.summary.left_begun, self.summary.waited, self.summary.settled, self.begun)
        result = self.value(self.summary.result)
        recreated.hand_back(self.it, self.function, self.summary.result, result, self.node)
        self.it.only_raises = self.summary.fails
        return result

    def _write_again(self, writes: Writes) -> None:
        """What the function writes to what is older than the trace, among what is written before and after the call."""
        if not (writes.found or self.it.held or self.it.writes is not None):
            return
        again, ran = Again(self.summary.told.context, self.it.ctx, self.reason), 0
        for write in writes.found:
            self.it.ran_since.append(tuple(writes.ran[ran : write.before]))
            ran = write.before
            value = None if write.value is None else self.value(write.value)
            event = None if write.event is None else again.event(write.event)
            assert event is None or isinstance(event, OuterWrite)
            write_again(self.it, replace(write, slot=self._slot(write.slot), value=value, event=event))
        self.it.ran_since.append(tuple(writes.ran[ran:]))

    def _slot(self, slot: Slot) -> Slot:
        """The place that is written in this call; the key of an item may be a value."""
        place = tuple(map(self.name, slot.place)) if isinstance(slot.place, tuple) else slot.place
        before = None if slot.before is None else self.value(slot.before)
        return Slot(self._owner(slot.owner), place, before, slot.step)

    def meets_earlier_uses(self) -> bool:
        """Whether a key that the function uses, or what may be one, has been used before.  What a method or a closure
        does then is told by what it does in its place: who keeps the key, and where the two uses meet."""
        earlier = self.it.state.uses
        for used, _, uses in self.summary.uses:
            if used.root in self.symbolic:
                target = self.ident(used).origin
                for ident in keys.relatives(target):
                    is_key = used.known or target.known or ident.known
                    if ident in earlier and (is_key or any(map(keys.is_drawn, (*uses, *earlier[ident])))):
                        return True
        return False

    def changes_what_is_made(self) -> bool:
        """Whether the call changes what belongs to a module that is still being read: the next call finds it changed,
        and is not told apart by that."""
        state, base = self.it.state, self.it.base
        return any(
            owner in base and owner in state.cells and owner not in state.touched
            for owner, _, _ in self.summary.changes
        )

    def _owner(self, owner: Value) -> Value:
        """The object that is changed in this call."""
        is_found = isinstance(owner, Opaque) and id(owner.root) not in self.values  # a global, or a part of one
        is_found = is_found or owner in self.it.base
        return owner if is_found else self.value(owner)

    def name(self, name: Any) -> Any:
        """Under what something is kept in an object: most often a name, but it may be a value."""
        return self.value(name) if isinstance(name, Value) else name

    def _change(self, owner: Value, changed: dict[Any, Value], deleted: frozenset[Any]) -> None:
        """An object that the function was given holds something else after the call."""
        if owner is STARTED and owner in self.it.state.cells:
            return  # the first use of JAX is of before
        self.it.sends = self.it.sends or owner is SENT
        values = {self.name(name): self.value(value) for name, value in changed.items()}
        cell = self.it.state.write(owner)
        for name in deleted:
            cell.pop(name, None)
        cell.update(values)

    def _apply_uses(self) -> None:
        for (owner, _), held in self.summary.taken_back.items():
            kept = self.value(owner)
            if isinstance(kept, Instance):
                keys.take_back(self.it, kept, self.value(held))
        for ident, use, uses in self.summary.uses:
            target = self.ident(ident)
            if self._is_of_caller(ident):
                if not ident.alternatives:
                    self._spend(target, use, uses)
            else:  # made inside, spent there and returned
                before = self.it.state.uses.get(target.origin, ()) if ident.alternatives else ()
                self.it.state.uses[target.origin] = keys.within_limit(
                    (*before, *map(self._from_here, keys.within_limit(uses)))
                )
        if self.summary.made and self.it.loops:
            self._use_alike()

    def _use_alike(self) -> None:
        """The keys that each pass of a loop has the function make anew of the same seed are the same ones."""
        it, function, call = self.it, self.function, self.node
        loops = it.loops[it.activation.around :]
        if not loops or not isinstance(call, ast.Call):
            return
        changes = any(isinstance(owner, (Container, Instance)) for owner, _, _ in self.summary.changes)
        for ident, use, uses in self.summary.made:
            assert ident.site is not None
            makes = ident.site[1]
            names = it.ask_text(function.scope, seeded_by, function.node, makes)
            seeds = None if names is None else passed(function, call, names)
            facts = it.facts_of(function.node)
            chosen = answered(function, call)
            if seeds is None or not all(comes_to(function.node, facts, part, chosen) for part in (makes, use.node)):
                continue
            if it.ask_text(it.frame.scope, is_made_alike_by, loops[-1][0], call, seeds, changes):
                key = KeyId(ident.text, ident.site, known=True, seed=self._seed(ident))
                self._spend(it.activation.made_alike.setdefault((call, makes), key), use, uses)

    def _spend(self, key: KeyId, use: Use | None, uses: tuple[Use, ...]) -> None:
        """What the function does with a key of its caller."""
        name, receiver = self.function.name, self.function.receiver
        if use is not None:
            count = self.value(use.data) if use.how == keys.SPLIT and use.data is not None else None
            receivers = tuple([self.value(one) for one in use.receivers])
            if receiver is not None:
                receivers = (receiver, *receivers)
            guards = self.conditions(frozenset.intersection(*(one.guards for one in uses)))
            keys.consume(self.it, key, use.how, self.node, name, use, count, uses, receivers=receivers, guards=guards)
        for fold in uses:
            if fold.how == keys.FOLD and fold.data is not None:
                guards = self.conditions(fold.guards)
                keys.note_fold(self.it, key.origin, self.node, name, self.value(fold.data), fold, guards)

    def conditions(self, guards: frozenset[Guard]) -> frozenset[Guard]:
        """What the function has found out of what it was given where it does something, or gives something."""
        found = frozenset(self._condition(guard) for guard in guards if all(map(self._is_told, guard.objects)))
        return found.union(*map(_chosen_by, found), *map(self._told_by_flag, found)) if found else NOTHING

    def _condition(self, guard: Guard) -> Guard:
        return replace(guard, objects=tuple(map(self.value, guard.objects))) if guard.objects else guard

    def _told_by_flag(self, guard: Guard) -> frozenset[Guard]:
        """What holds where an argument that tells something is true, or is not."""
        is_truth = guard.constant is None and len(guard.objects) == 1 and _A_NAME.fullmatch(guard.text)
        return conditions.told_by(self.it, guard.objects[0], guard.holds) if is_truth else NOTHING

    def _is_told(self, value: Value) -> bool:
        """Whether something is the caller's, or nothing is kept in it that would have to be made anew."""
        return id(value) in self.values or isinstance(value, (Opaque, Static, Const))

    def _union(self, value: Union) -> Value:
        return Union(self.values_of(value.options), tuple(map(self.conditions, value.guards)))

    def _donation(self, value: Donation) -> Value:
        return value.where(self.conditions(value.guards))

    def _from_here(self, use: Use) -> Use:
        """A use of the summary as one that this call has led to."""
        calls = (*_calls_to(self.it, self.node), *use.calls)
        data = self.value(use.data) if isinstance(use.data, Value) else use.data
        return replace(use, calls=calls, loops=(*self.it.loops, *use.loops), data=data)

    def ident(self, ident: KeyId, is_option: bool = False) -> KeyId:
        """The caller's counterpart of a key.  Of one that is an option of another the options are that one's, too."""
        found = self.idents.get(ident)
        if found is not None:
            return found
        if ident.handed_back is not None:
            key = self.ident(ident.handed_back.key)
            made = self.idents[ident] = key.origin.returned(replace(ident.handed_back, key=key.origin))
            return made
        if self.summary.is_older(ident):
            return ident
        if ident.parent is not None and ident.root in self.symbolic:
            parent, selector = self.ident(ident.parent), self.selector(ident.selector)
            made = parent.part(selector, ident.text, ident.site, ident.known)
        else:
            others = () if is_option or not ident.alternatives else self._options(ident)
            options = tuple([self.ident(option, is_option=True) for option in others])
            made = KeyId(ident.text, ident.site, alternatives=options, known=ident.known, seed=self._seed(ident))
            made.lane = ident.lane
            if ident.parent is not None:
                made.parent, made.selector = self.ident(ident.parent), self.selector(ident.selector)
                made.parent.parts.setdefault(made.selector, made)
            self._spend_before(made, [option for option in others if self._is_of_caller(option)])
        self.idents[ident] = made
        made.known = made.known or ident.known
        return made

    def _options(self, ident: KeyId) -> list[KeyId]:
        """What a key may be, as far as callers can tell: of those that the function has made and does not hand out by
        themselves one stands for all.  Each call would hand on all that was joined in the calls below it."""
        options = keys.with_alternatives(ident)[1:]
        own = [one for one in options if not (self._is_of_caller(one) or one in self.summary.handed_out)]
        return [one for one in options if one not in own[1:]]

    def _seed(self, ident: KeyId) -> AnySeed | None:
        """The seed of the caller's counterpart of a key."""
        return self.seeds.get(ident.seed, ident.seed)

    def _spend_before(self, joined: KeyId, options: list[KeyId]) -> None:
        """A key that may be one of the caller's has been spent where that one was before the call."""
        state = self.it.state
        spent = dict.fromkeys(use for option in options for use in state.uses.get(self.ident(option).origin, ()))
        before = keys.within_limit(tuple([use for use in spent if use.order < self.begun]))
        if before:
            state.uses[joined] = before

    def _is_of_caller(self, ident: KeyId) -> bool:
        return ident.root in self.symbolic or self.summary.is_older(ident)

    def selector(self, selector: Any) -> Any:
        """Which part of a key is meant in this call, where an argument says which."""
        if isinstance(selector, tuple):
            return tuple(self.selector(part) for part in selector)
        if isinstance(selector, KeyId):
            return self.ident(selector)
        return self.value(selector).identity if isinstance(selector, Value) else selector

    def value(self, value: Value) -> Value:
        """The caller's counterpart of a value the summary ends with."""
        if isinstance(value, (Const, External, ClassValue, ModuleValue)):
            return value
        found = self.values.get(id(value))
        if found is None:
            found = self.values[id(value)] = self._translated(value)
        return found

    def _translated(self, value: Value) -> Value:
        make = _MADE_ANEW.get(type(value))
        return value if make is None else make(self, value)

    def values_of(self, values: Iterable[Value]) -> tuple[Value, ...]:
        return tuple([self.value(value) for value in values])

    def named(self, values: dict[str, Value]) -> dict[str, Value]:
        return {name: self.value(value) for name, value in values.items()}

    def _static(self, value: Static) -> Value:
        look = value.look
        if look is not None:
            look = clocks.look_of_call(self.it, look, self.node, self.begun, self.going_on, self.waited)
        told = (value.kind, value.of_shape, value.tainted, value.concrete_if)
        tells = value.tells and {holds: self.conditions(guards) for holds, guards in value.tells.items()}
        return Static(*told, drawn=value.drawn, look=look, sure=value.sure, tells=tells)

    def _array(self, value: Array) -> Value:
        key = self.ident(value.key) if value.has_key else None
        reason = self.reason(value.provenance)
        parts = (value.kind, value.ndim, value.of_statics, value.sized, key)
        made = Array(value.level, reason, *parts, aval=value.aval)
        made.slope, made.flat, made.barriers = value.slope, value.flat, value.barriers
        if value.origin is not None:
            origin = value.origin
            made.origin = Origin(origin.name, self.values_of(origin.parts), origin.node, origin.scope, origin.depth)
        made.beyond = tuple([part for part in self.values_of(value.beyond) if isinstance(part, (Array, Tree, Opaque))])
        return made

    def _tuple(self, value: Tuple) -> Value:
        made = value.with_items(self.values_of(value.items))
        made.around = tuple([one._replace(tree=self.value(one.tree)) for one in value.around])
        return made

    def _key(self, value: Key) -> Value:
        ident = self.ident(value.ident)
        reason = self.reason(value.provenance)
        return Key(ident, value.batch, value.size, value.level, reason, value.typed, value.dims, value.ranked)

    def _tree(self, value: Tree) -> Value:
        made = value.renamed(value.parameter, self.ident(value.key))
        made.provenance = self.reason(value.provenance) or value.provenance
        self._fill(value, made)
        return made

    def _function(self, value: Function) -> Function:
        if value.frame is None and value.receiver is None:
            return value
        defaults = tuple([one if one is None else self.value(one) for one in value.kw_defaults])
        birth = self._birth(value.birth)
        made = Function(
            value.node, value.scope, None, value.name, self.values_of(value.defaults), defaults, value.owner, None,
            value.kind, birth,
        )  # fmt: skip
        made.cached = value.cached
        made.frame = self._frame(value.frame) if value.frame is not None else None
        made.receiver = self.value(value.receiver) if value.receiver is not None else None
        self._fill(value, made)
        self.it.note_handed_out(value, made)
        return made

    def _frame(self, frame: Frame) -> Frame:
        """The variables around a function that was made in the call; of a module's, or a class's, there is one."""
        if frame is frame.scope.frame or frame in self.it.base:
            return frame
        known = self.values.get(id(frame))
        if known is not None:
            assert isinstance(known, Frame)
            return known
        made = Frame(frame.scope, self._frame(frame.parent) if frame.parent is not None else None)
        self.values[id(frame)] = made
        function = frame.function
        is_called = function is not None and function.node is self.function.node
        made.function = self.function if is_called else None if function is None else self._function(function)
        made.globals, made.nonlocals = frame.globals, frame.nonlocals
        made.ctx = self.it.ctx
        self._fill(frame, made)
        return made

    def _partial(self, value: Partial) -> Value:
        return Partial(self.value(value.function), self.values_of(value.args), self.named(value.kwargs), value.more)

    def _transformed(self, value: Transformed) -> Value:
        receiver = self.value(value.receiver) if value.receiver is not None else None
        function, options = self.value(value.function), self.named(value.options)
        made = Transformed(value.wrapper, value.name, function, options, value.scope, value.node, receiver)
        self._fill(value, made)
        return made

    def _external_instance(self, value: ExternalInstance) -> Value:
        if value in self.it.base:
            return value
        args, kwargs = self.values_of(value.args), self.named(value.kwargs)
        made = ExternalInstance(value.made_by, args, kwargs, self._birth(value.birth), value.parameter)
        self._fill(value, made)
        return made

    def _birth(self, birth: Context | None) -> Context | None:
        return birth if birth is None else self.it.ctx

    def _opaque(self, value: Opaque) -> Value:
        if value.parent is not None:
            parent = self.value(value.parent)
            if isinstance(parent, (Opaque, Tree)) and id(value.parent) in self.values and _from_symbol(self, value):
                return parent.part(self.selector(value.selector))
        made = Opaque(value.text, key=self.ident(value.key) if value.has_key else None)
        self._fill(value, made)
        return made

    def _fill(self, value: Value, made: Value) -> None:
        """What is kept in a value that is made in the function."""
        held = self.summary.cells.get(value)
        if held:
            self.values[id(value)] = made  # it may hold itself
            contents = {self.name(name): self.value(item) for name, item in held.items()}
            self.it.state.write(made).update(contents)

    def _object(self, value: Container | Instance) -> Value:
        if value in self.it.base:
            return value  # of a module, whoever gives it
        made: Container | Instance
        if isinstance(value, Container):
            made = Container(value.kind, self.it.ctx, value.text, self.reason(value.provenance))
        else:
            made = Instance(value.cls, self.it.ctx)
            made.level, made.provenance = value.level, self.reason(value.provenance)
        self.values[id(value)] = made
        held = self.summary.cells.get(value, {})
        cell = {name: self.value(item) for name, item in held.items()}
        self.it.state.write(made).update(cell)
        return made


_A_NAME = re.compile(r"Name\(id='\w+', ctx=Load\(\)\)")
"""How a condition that is a variable alone is told (`subjects.canonical`)."""


def _chosen_by(guard: Guard) -> frozenset[Guard]:
    """What holds where one of several values is None, or is not: what led to those of them that are left."""
    value = guard.objects[0] if len(guard.objects) == 1 else None
    is_asked = isinstance(value, Union) and value.guards and guard.text.startswith("Name(")
    if not is_asked or guard.constant != ("==", None):
        return NOTHING
    assert isinstance(value, Union)
    ways = [led for option, led in zip(value.options, value.guards) if is_none(option) is guard.holds]
    return frozenset.intersection(*ways) if ways else NOTHING


def passed(function: Function, call: ast.Call, names: Collection[str]) -> tuple[ast.expr, ...] | None:
    """What a call passes for these parameters of a function, without those it leaves out; None where that is not
    written out."""
    if any(isinstance(one, ast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
        return None
    return tuple(value for name, value in _bound(function, call).items() if name in names)


def answered(function: Function, call: ast.Call) -> dict[str, bool]:
    """The truth of parameters of a function that are constants at a call: they are written out there, or left out and
    have a default that is."""
    if any(isinstance(one, ast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
        return {}
    spec, given = function.node.args, _bound(function, call)
    places = [one.arg for one in (*spec.posonlyargs, *spec.args)]
    defaults = dict(zip(reversed(places), reversed(spec.defaults)))
    defaults |= {one.arg: value for one, value in zip(spec.kwonlyargs, spec.kw_defaults) if value is not None}
    constants = {name: value for name, value in {**defaults, **given}.items() if isinstance(value, ast.Constant)}
    return {name: bool(value.value) for name, value in constants.items()}


def _bound(function: Function, call: ast.Call) -> dict[str, ast.expr]:
    """What a call passes by the names of the parameters, without the object that a method belongs to."""
    spec = function.node.args
    places = [one.arg for one in (*spec.posonlyargs, *spec.args)][function.receiver is not None :]
    given = dict(zip(places, call.args))
    given.update({one.arg: one.value for one in call.keywords if one.arg is not None})
    return given


def _from_symbol(application: _Application, value: Opaque) -> bool:
    root = value
    while root.parent is not None:
        root = root.parent
    return any(root is symbol for symbol in application.summary.symbols)


_MADE_ANEW: dict[type, Callable[[_Application, Any], Value]] = {
    Sent: lambda of, value: Sent(
        (of.begun, *value.order), value.callee, value.node, value.scope, value.guards, value.shared
    ),
    Static: _Application._static,
    Array: _Application._array,
    HostArray: lambda of, value: HostArray(
        value.readonly, value.kind, of.it.ctx, value.text, narrow=value.narrow, shape=value.shape
    ),
    Tuple: _Application._tuple,
    Union: _Application._union,
    Donation: _Application._donation,
    Key: _Application._key,
    Opaque: _Application._opaque,
    Tree: _Application._tree,
    Iterator: lambda of, value: Iterator(of.value(value.element), value.kind, of.it.ctx),
    Container: _Application._object,
    Instance: _Application._object,
    Function: _Application._function,
    Frame: _Application._frame,
    Partial: _Application._partial,
    Transformed: _Application._transformed,
    Method: lambda of, value: Method(of.value(value.receiver), value.name),
    Slice: lambda of, value: Slice(of.value(value.lower), of.value(value.upper), of.value(value.step)),
    ExternalInstance: _Application._external_instance,
}
"""How what was made in a function is made anew for a call of it; the rest is one for all."""
