"""The order of what is known: of the greater of two values, or states, nothing is claimed that the smaller one lacks.

Two passes of a loop make other objects and other keys.  So both sides are compared up to their names: each object of
the greater side stands for one of the smaller side, and for the same one wherever it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from collections.abc import Iterator as PyIterator
from typing import Any

from jaxlint.flow.domain.asked import known_alike, known_of
from jaxlint.flow.domain.avals import UNKNOWN, Aval, is_covered
from jaxlint.flow.domain.contexts import Context
from jaxlint.flow.domain.state import Cell, Guard, State, Use, Uses, is_tracer, other_items, untouched
from jaxlint.flow.domain.values import (
    ANY,
    ITEMS,
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
    Partial,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
    common_holds,
    held,
)
from jaxlint.flow.domain.values import Counts as Count
from jaxlint.flow.limits import ORDERED_DEPTH


def leq(a: Value, in_a: State, b: Value, in_b: State) -> bool:
    """Whether all that is claimed of ``b`` holds of ``a``."""
    return _Order(in_a, in_b).value(a, b)


Selector = tuple[str, int]
Counts = Callable[[Value], Collection[str] | None]
"""Of an object: the names in it that do not count; None if it does not count at all."""

Held = dict[State, set[KeyId]]
"""The keys that are held in a state, once they have been looked for."""


def leq_states(
    a: State,
    b: State,
    since: int = 0,
    counts: Counts = lambda owner: (),
    step: Selector | None = None,
    held: Held | None = None,
) -> bool:
    """Whether all that is claimed where ``b`` is known holds where ``a`` is.

    ``since`` is the serial of the first key made after ``b``.  Objects are compared that both know, and what is in
    these; what is new in ``a`` and in none of them does not count.  ``step`` selects the parts of keys that only the
    pass before ``a`` was given.
    """
    order = _Order(a, b, counts, held)
    return order.cells() and order.uses(since, step) and order.guards(a.guards, b.guards)


class _Order:
    """Compares what is known in ``smaller`` with what is known in ``greater``."""

    def __init__(
        self, smaller: State, greater: State, counts: Counts = lambda owner: (), held: Held | None = None
    ) -> None:
        self.smaller = smaller
        self.greater = greater
        self.counts = counts
        self.before = _before_told(smaller)
        self.itself = set[Any]()
        self.opened = set[tuple[Value, Value]]()
        self.names: dict[Any, Any] = {}
        self.named: dict[KeyId, KeyId] = {}
        self.held = {} if held is None else held
        self.present = Present(greater)
        self.depth = 0

    # -- states -----------------------------------------------------------------------------------

    def cells(self) -> bool:
        """Whether all objects agree that both states know."""
        changed = other_items(self.smaller.cells, self.greater.cells)
        known = []
        for owner, cell in (*changed, *untouched(self.smaller, self.greater)):
            other = self.greater.read(owner) if self.greater.holds(owner) else self.greater.base.get(owner)
            unread = self.counts(owner) if other is not None else None
            if other is not None and unread is not None:
                known.append((owner, cell, other, unread))
        self.itself.update(row[0] for row in known)
        for owner, cell, other, unread in known:
            cell, other = known_alike(cell, other)
            if unread:
                cell, other = _without(cell, unread), _without(other, unread)
            if not (self._is(owner, owner) and self.cell(self._as_before(owner, cell, other), other)):
                return False
        return True

    def _as_before(self, owner: Value, cell: Cell, other: Cell) -> Cell:
        """What variables held before conditions told more about them, if that is what is asked for: it holds, too."""
        told = {
            name: before
            for (one, name), (before, refined) in self.smaller.refined.items()
            if one is owner and dict.get(cell, name) is refined and not self._apart(refined, other.get(name, refined))
        }
        return {**cell, **told} if told else cell

    def cell(self, a: Cell, b: Cell) -> bool:
        """Whether an object that holds ``a`` is one that may hold ``b``.  What it does not have nobody reads."""
        if a is b:
            return True
        a, b = known_alike(a, b)
        if ANY in b and (ITEMS in a or not a.keys() <= b.keys()):
            return self._loose(a, b)
        if not a.keys() <= b.keys():
            return False
        changed = [(now, b[name]) for name, now in a.items() if b[name] is not now]
        if changed:
            kept = {now for name, now in a.items() if b[name] is now}
            # What one of the places still holds is no other value in the next, and no key is in more places.
            for now, value in changed:
                if value in kept and _is_named(value) and not self._are_one(now, value):
                    return False
                if isinstance(now, Key) and now in kept:
                    return False
        return all(self.value(x, y) for x, y in changed)

    def _loose(self, a: Cell, b: Cell) -> bool:
        """Whether each part of a container may be any part of one of which it is not known how many it has."""
        same = {name: value for name, value in a.items() if name in b and name != ITEMS}
        others = [value for name, value in a.items() if name not in same]
        parts = [part for value in others for part in (value.items if isinstance(value, Tuple) else (value,))]
        known = b.get(ITEMS)
        any_of = (*known.items, b[ANY]) if isinstance(known, Tuple) else (b[ANY],)
        return all(any(self._apart(part, one) for one in any_of) for part in parts) and self.cell(same, b)

    def _apart(self, a: Value, b: Value) -> bool:
        """Whether ``b`` may be ``a``, and others beside it."""
        names, named = self.names.copy(), self.named.copy()
        is_below = self.value(a, b)
        self.names, self.named = names, named
        return is_below

    def uses(self, since: int, step: Selector | None) -> bool:
        """Whether no key that is still there is spent in another way than before: of those that were there before
        ``since``, and of those that others stand for."""
        for key, uses in other_items(self.smaller.uses, self.greater.uses):
            before = self.greater.uses.get(key)
            is_new = (key if key.site is not None else _owner(key)).serial >= since
            if before is None and (is_new or _is_within(key, step) or self._is_found_since(key, since)):
                continue
            if not _are_among(uses, before or ()) and _owner(key) in self._held_in(self.smaller):
                return False
        return True

    def _is_found_since(self, key: KeyId, since: int) -> bool:
        """Whether a key is a part, or a part of one, by an index that was made after ``since``."""
        part: KeyId | None = key
        while part is not None and not is_made_since(part.selector, since, self.present):
            part = part.parent
        return part is not None

    def _held_in(self, state: State) -> set[KeyId]:
        """The keys that something holds which counts, with the arrays that these are of."""
        found = self.held.get(state)
        if found is None:
            all_cells = {**state.lent, **state.cells}
            pending = [cell for owner, cell in all_cells.items() if cell is not None and self.counts(owner) is not None]
            met, keys = set[Value](), set[KeyId | None]()
            while pending:
                for value in known_of(pending.pop()).values():
                    if value in state.cells or type(value) in _PARTS:
                        pending += _note_keys(value, state, keys, met)
                    elif type(value) not in _KEYLESS:
                        keys.add(_key_held_as(value))
            found = self.held[state] = {key for key in keys if key is not None}
            found |= {key.parent for key in found if key.parent is not None and key.is_item}
        return found

    def guards(self, a: Iterable[Guard], b: Iterable[Guard]) -> bool:
        """Whether all conditions of ``b`` are among those of ``a``."""
        known = frozenset(a)
        return all(guard in known or any(self._guard(one, guard) for one in known) for guard in b)

    def _guard(self, a: Guard, b: Guard) -> bool:
        same = (a.text, a.holds, a.constant, len(a.objects)) == (b.text, b.holds, b.constant, len(b.objects))
        return same and all(y not in self.names or self._stands(y, x) for x, y in zip(a.objects, b.objects))

    # -- values -----------------------------------------------------------------------------------

    def value(self, a: Value, b: Value) -> bool:
        kind = type(b)
        if a is b and kind not in _WITH_CELL:
            return self._is(a, b)
        compare = _COMPARED.get(kind)
        if compare is None:
            compare = _Order._alike
        if self.depth > ORDERED_DEPTH.value:
            return type(a) is kind
        self.depth += 1
        try:
            return compare(self, a, b)
        finally:
            self.depth -= 1

    def _is(self, a: Any, b: Any) -> bool:
        """Whether ``b`` stands for ``a`` and for nothing else: what both sides know for itself."""
        if b in self.itself and not self._are_one(a, b):
            return False
        a = self.before.get(a, a)
        return self.names.setdefault(b, a) is a

    def _are_one(self, a: Any, b: Any) -> bool:
        """Whether the smaller side knows both for the same."""
        return self.before.get(a, a) is self.before.get(b, b)

    def _stands(self, b: Any, a: Any) -> bool:
        """Whether it is known already that ``b`` stands for ``a``."""
        return self.names.get(b) is self.before.get(a, a)

    def _of_value(self, a: Value, b: Const) -> bool:
        return isinstance(a, Const) and type(a.value) is type(b.value) and (a.value is b.value or a.value == b.value)

    def _of_static(self, a: Value, b: Static) -> bool:
        if isinstance(a, Const):
            return a.value is not None and _is_one_of(a, b)
        if not isinstance(a, Static) or not self._is(a, b):
            return False
        told = ("concrete_if", "made_if", "drawn", "read_off")
        if any(getattr(b, name) not in (None, getattr(a, name)) for name in told) or b.kind not in ("", a.kind):
            return False
        if (b.sure and not a.sure) or not self._is_counted_as(a.counts, b.counts):
            return False
        if b.least is not None and (a.least is None or a.least < b.least):
            return False
        return (a.of_shape or not b.of_shape) and (a.tainted is not None or b.tainted is None)

    def _is_counted_as(self, a: Count | None, b: Count | None) -> bool:
        """Whether the number of a pass is one that the other stands for, wherever it is."""
        if b is None:
            return True
        if a is None or (a.many, a.guards) != (b.many, b.guards):
            return False
        return bool(self.names.setdefault((b.many, b.number), a.number) == a.number)

    def _of_opaque(self, a: Value, b: Opaque) -> bool:
        if b.holds != common_holds(held(a), b.holds):
            return False
        if isinstance(a, Opaque):
            if (b.of_host and not a.of_host) or not self._is(a, b):
                return False
        elif b.of_host or self.greater.read(b):
            return False
        if b.derived is not None and not (a.derived if isinstance(a, Opaque) else is_tracer(a)):
            return False
        if b.free is not None and getattr(a, "free", None) is None and not a.is_static:
            return False
        if b.has_key and b.key.known and not self._key_of(a, b.key):
            return False
        return self._has_parts(a, b)

    def _has_parts(self, a: Value, b: Opaque) -> bool:
        """Whether what paths have put into something unknown is as much in this.  It may contain itself."""
        held, parts = self.smaller.read(a), self.greater.read(b)
        if not parts or (a, b) in self.opened:
            return True
        self.opened.add((a, b))
        is_below = all(name not in held or self.value(held[name], part) for name, part in parts.items())
        self.opened.discard((a, b))
        return is_below

    def _of_array(self, a: Value, b: Array) -> bool:
        if isinstance(a, Tree) and a.sure and a.array_like:
            known = bool(b.kind or b.of_statics or b.sized) or b.ndim is not None or b.aval != UNKNOWN
            return a.level == b.level and not known and self._is(a, b) and self._same_key(a, b)
        if not isinstance(a, Array) or a.level != b.level or not self._is(a, b):
            return False
        if b.kind not in ("", a.kind) or b.ndim not in (None, a.ndim) or not is_covered(a.aval, b.aval):
            return False
        if (a.declared and not b.declared) or (b.of_statics and not a.of_statics) or (b.sized and not a.sized):
            return False
        if b.zero and not a.zero:
            return False
        if (b.flat is not None and a.flat is None) or not b.barriers <= a.barriers or (b.slope and not a.slope):
            return False
        return self._same_key(a, b)

    def _of_tree(self, a: Value, b: Tree) -> bool:
        if not isinstance(a, Tree) or a.level != b.level or not self._is(a, b):
            return False
        if b.parameter not in ("", a.parameter) or b.holds != common_holds(a.holds, b.holds):
            return False
        if (b.sure and not a.sure) or (b.array_like and not a.array_like):
            return False
        if (b.slope and not a.slope) or (b.free is not None and a.free is None):
            return False
        return self._same_key(a, b) and self._contents(a, b)

    def _of_key(self, a: Value, b: Key) -> bool:
        if not isinstance(a, Key) or a.level < b.level or (b.batch and not a.batch):
            return False
        if b.size not in (None, a.size) or b.typed not in (None, a.typed) or (b.ranked and not a.ranked):
            return False
        return (a.dims == b.dims or not b.ranked) and self._ident(a.ident, b.ident)

    def _of_host_array(self, a: Value, b: HostArray) -> bool:
        return (
            isinstance(a, HostArray)
            and b.kind in ("", a.kind)
            and (a.readonly or not b.readonly)
            and (a.narrow or not b.narrow)
            and is_covered(Aval(shape=a.shape), Aval(shape=b.shape))
            and _is_around(b.birth, a.birth)
            and self._is(a, b)
        )

    def _of_tuple(self, a: Value, b: Tuple) -> bool:
        if not isinstance(a, Tuple) or len(a.items) != len(b.items) or (a.declared and not b.declared):
            return False
        return b.fields == a.fields and b.cls is a.cls and all(map(self.value, a.items, b.items))

    def _of_container(self, a: Value, b: Container) -> bool:
        if isinstance(a, Tuple) and b.kind == "tuple" and a.cls is None:
            return self._is(a, b) and self.cell({ITEMS: a}, self.greater.read(b))
        if not isinstance(a, Container) or a.kind != b.kind or b.parameter not in ("", a.parameter):
            return False
        return self._is_as_old(a, b) and self._contents(a, b)

    def _of_instance(self, a: Value, b: Instance) -> bool:
        if not isinstance(a, Instance) or a.cls is not b.cls or a.level != b.level:
            return False
        if b.parameter not in ("", a.parameter) or (a.symbolic and not b.symbolic):
            return False
        return self._is_as_old(a, b) and self._contents(a, b)

    def _is_as_old(self, a: Container | Instance, b: Container | Instance) -> bool:
        """Whether ``b`` may be as old as ``a``, so that a change that is left behind in this is left behind in that."""
        if a.birth is b.birth:
            return self.guards(a.older_if | self.smaller.guards, b.older_if)
        return _is_around(b.birth, a.birth)

    def _of_frame(self, a: Value, b: Frame) -> bool:
        return isinstance(a, Frame) and a.scope is b.scope and _node(a) is _node(b) and self._contents(a, b)

    def _of_union(self, a: Value, b: Union) -> bool:
        """One of the options, each under the conditions that make it the one: those of the path hold in any case."""
        options = list(zip(b.options, b.guards or (frozenset(),) * len(b.options)))
        mine = a.options if isinstance(a, Union) else (a,)
        conditions = (a.guards if isinstance(a, Union) else ()) or (frozenset(),) * len(mine)
        # What is one and the same object comes first, so that it stands for no other one.
        rows = sorted(zip(mine, conditions), key=lambda row: row[0] not in b.options)
        return all(
            any(
                self.guards(known | self.smaller.guards, wanted) and self._tried(x, y)
                for y, wanted in sorted(options, key=lambda row: row[0] is not x)
            )
            for x, known in rows
        )

    def _tried(self, a: Value, b: Value) -> bool:
        """Compares with one of several: if it is not that, nothing is known of what stands for what."""
        names, named = self.names.copy(), self.named.copy()
        if self.value(a, b):
            return True
        self.names, self.named = names, named
        return False

    def _same_object(self, a: Value, b: Value) -> bool:
        return a is b

    def _alike(self, a: Value, b: Value) -> bool:
        """Any other value is known by all that it has."""
        if type(a) is not type(b):
            return False
        if self._stands(b, a):
            return True
        return self._is(a, b) and all(
            self._part(getattr(a, name, None), getattr(b, name, None))
            for name in getattr(type(b), "__slots__", ())
            if name not in _FOUND_OUT
        )

    def _part(self, a: Any, b: Any) -> bool:
        if a is b:
            return True
        if isinstance(b, Value):
            return isinstance(a, Value) and self.value(a, b)
        if isinstance(b, tuple):
            return isinstance(a, tuple) and len(a) == len(b) and all(map(self._part, a, b))
        if isinstance(b, dict):
            return isinstance(a, dict) and a.keys() == b.keys() and all(self._part(a[name], b[name]) for name in b)
        return bool(a == b)

    def _contents(self, a: Value, b: Value) -> bool:
        """What objects hold.  They may contain each other."""
        if self._stands(b, a):
            return True
        return self._is(a, b) and self.cell(self.smaller.read(a), self.greater.read(b))

    # -- keys -------------------------------------------------------------------------------------

    def _same_key(self, a: Array | Tree, b: Array | Tree) -> bool:
        if not b.has_key:
            return True
        return self._ident(a.key, b.key) if a.has_key else not b.key.known

    def _key_of(self, a: Value, b: KeyId) -> bool:
        if not isinstance(a, (Key, Opaque, Tree, Array)) or (not isinstance(a, Key) and not a.has_key):
            return False
        return self._ident(a.key, b)

    def _ident(self, a: KeyId, b: KeyId) -> bool:
        """Whether one key stands for the other: where that is spent, so is this, in no other way."""
        if a is b:
            return True
        a, b = a.origin, b.origin
        if (b.known and not a.known) or b.seed not in (None, a.seed) or not self._is(a, b):
            return False
        other = self.named.setdefault(a, b)
        if other is not b and not (_was_joined_into(a, b) and _was_joined_into(a, other)):
            return False  # of two keys that are one and the same the second use is a reuse
        return _are_among(self.smaller.uses.get(a, ()), self.greater.uses.get(b, ()))


def _before_told(state: State) -> dict[Value, Value]:
    """Of what conditions have told more about: what it is known as now, and what it was known as before.  Both are
    one and the same."""
    found: dict[Value, Value] = {}

    def first(value: Value) -> Value:
        while value in found:
            value = found[value]
        return value

    for before, refined in state.refined.values():
        one, other = first(before), first(refined)
        if one is not other:
            found[other] = one
    return {value: first(value) for value in found}


def _is_around(outer: Context | None, inner: Context | None) -> bool:
    return outer is None or outer.encloses(inner)


def _without(cell: Cell, names: Collection[str]) -> Cell:
    return {name: value for name, value in cell.items() if name not in names}


def _is_one_of(constant: Const, any_of: Static) -> bool:
    """Whether a constant is one of the values that one that is not known stands for."""
    if any_of.of_shape or any_of.tainted is not None or any_of.drawn is not None:
        return False
    if any_of.kind not in ("", type(constant.value).__name__):
        return False
    if bool(constant.value) in (any_of.concrete_if, any_of.made_if):
        return False
    return any_of.least is None or (isinstance(constant.value, int) and constant.value >= any_of.least)


def _is_within(key: KeyId, step: Selector | None) -> bool:
    """Whether a key is the part that ``step`` selects, or a part of that."""
    part: KeyId | None = key
    while part is not None and part.selector != step:
        part = part.parent
    return part is not None and step is not None


class Present:
    """The values that something holds in a state, which are looked for once they are asked for."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.values: set[Value] | None = None

    def __contains__(self, value: Value) -> bool:
        if self.values is None:
            self.values = set()
            for cell in self.state.cells.values():
                for held in known_of(cell).values():
                    self.values.add(held)
                    self.values.update(_parts(held))
        return value in self.values


def is_made_since(selector: Any, since: int, before: Present) -> bool:
    """Whether what selects a part, or a part of that, was made after the key ``since``: nobody finds it by that again.
    A value that has no number is as old as what is ``before`` if something there holds it."""
    if isinstance(selector, tuple):
        return any(is_made_since(part, since, before) for part in selector)
    if isinstance(selector, KeyId):
        return selector.serial >= since
    return isinstance(selector, Value) and selector not in before


def _owner(key: KeyId) -> KeyId:
    """The key, or the unknown value that it is a part of."""
    while key.site is None and key.parent is not None:
        key = key.parent
    return key


def _was_joined_into(key: KeyId, joined: KeyId) -> bool:
    """Whether ``joined`` is the ``key`` on some path.  Of two such it is not claimed that they are never one."""
    pending, met = [joined], {joined}
    while pending:
        options = [option.origin for option in pending.pop().alternatives if option.origin not in met]
        pending += options
        met.update(options)
    return key in met


_MAY_BE_KEYS = frozenset((Opaque, Tree, Array))


def _key_held_as(value: Any) -> KeyId | None:
    """The key that a value is known to be, or may be.  All that is there is gone through, so that nothing is called."""
    kind = type(value)
    key = value.ident if kind is Key else value._key if kind in _MAY_BE_KEYS else None
    return key if key is None or key.handed_back is None else key.handed_back.key


def _note_keys(value: Value, state: State, keys: set[KeyId | None], met: set[Value]) -> PyIterator[Cell]:
    """Adds the keys of a value; what objects in it hold is still to be looked at."""
    keys.add(_key_held_as(value))
    if value in met:
        return
    met.add(value)
    if isinstance(value, Function):
        frame = value.frame
        while frame is not None:
            if frame not in met and frame in state.cells:
                met.add(frame)
                yield state.cells[frame]
            frame = frame.parent
    elif value in state.cells:
        yield state.cells[value]
    for part in _parts(value):
        yield from _note_keys(part, state, keys, met)


def _is_named(value: Value) -> bool:
    return not isinstance(value, (Const, External, ClassValue, ModuleValue, Tuple))


def _node(frame: Frame) -> object:
    return None if frame.function is None else frame.function.node


def _are_among(uses: Uses, others: Uses) -> bool:
    """Whether each use is one of the others, up to the pass that it happens in."""
    return uses is others or {*map(_place, uses)} <= {*map(_place, others)}


def _place(use: Use) -> tuple[object, ...]:
    return use.how, use.node, None if use.via is None else use.via.node


_FOUND_OUT = frozenset(("provenance", "parts", "initial", "line", "resolved", "merged", "text"))
"""What values remember, or what only tells where they are from."""


_KEYLESS = frozenset((ClassValue, Const, External, HostArray, Lazy, ModuleValue, Static))
"""What is no key and holds none."""


def _parts(value: Value) -> Iterable[Value]:
    """The values inside of one that is no object."""
    tell = _PARTS.get(type(value))
    return () if tell is None else [part for part in tell(value) if part is not None]


_PARTS: dict[type, Callable[[Any], Iterable[Value | None]]] = {
    Tuple: lambda value: value.items,
    Union: lambda value: value.options,
    Function: lambda value: (value.receiver, *value.defaults, *value.kw_defaults),
    Partial: lambda value: (value.function, *value.args, *value.kwargs.values()),
    Transformed: lambda value: (value.function, value.receiver),
    Method: lambda value: (value.receiver,),
    Iterator: lambda value: (value.source, value.element),
    ExternalInstance: lambda value: (*value.args, *value.kwargs.values()),
}

_WITH_CELL = frozenset((Container, Instance, Frame, Opaque, Tree, Tuple, Union, Key))
"""Of these one and the same value may mean something else in another state."""

_COMPARED: dict[type, Callable[[_Order, Any, Any], bool]] = {
    Const: _Order._of_value,
    Static: _Order._of_static,
    Opaque: _Order._of_opaque,
    Array: _Order._of_array,
    Tree: _Order._of_tree,
    Key: _Order._of_key,
    HostArray: _Order._of_host_array,
    Tuple: _Order._of_tuple,
    Container: _Order._of_container,
    Instance: _Order._of_instance,
    Frame: _Order._of_frame,
    Union: _Order._of_union,
    External: _Order._same_object,
    ClassValue: _Order._same_object,
    ModuleValue: _Order._same_object,
}
