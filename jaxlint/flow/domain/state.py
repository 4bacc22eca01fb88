"""The flow-sensitive part of the analysis: what variables and objects hold, and which keys are spent.

A ``State`` is forked at a branch and joined after it.  Forks share cells until one side writes.
"""

from __future__ import annotations

import ast
import itertools
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, TypeVar

from jaxlint.flow.domain import avals
from jaxlint.flow.domain.among import Among
from jaxlint.flow.domain.asked import Lent, LentCell, known_of
from jaxlint.flow.domain.contexts import Context, Provenance
from jaxlint.flow.domain.sought import SAME, Sought
from jaxlint.flow.domain.values import (
    ABSTRACT,
    ANY,
    ATTRIBUTE,
    COMPILED,
    ITEMS,
    NOTHING,
    SET_BY_NAME,
    Array,
    Const,
    Container,
    Function,
    HostArray,
    Instance,
    Key,
    KeyId,
    ModuleScope,
    Opaque,
    Static,
    Tree,
    Tuple,
    Union,
    Value,
    common_holds,
    held,
    is_none,
)
from jaxlint.flow.limits import MOST_CALLABLES, MOST_OPTIONS, REACHED_DEPTH

Owner = TypeVar("Owner")
Held = TypeVar("Held")


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition known to hold: ``text`` over the values ``objects`` has truth ``holds``.

    ``constant`` is set for comparisons with a constant (`mode == "train"`), where two different constants
    exclude each other as well, or it is what a comparison leaves (`Among`), which holds.  ``of_pass``: it tells of a
    pass of a loop, which is that pass for the caller, too.  ``standing``: it holds of everything that runs from there
    on, also in what is called.
    """

    text: str
    objects: tuple[Value, ...]
    holds: bool
    constant: Any = None
    of_pass: bool = False
    standing: bool = False

    @property
    def told(self) -> tuple[str, tuple[Value, ...], Any]:
        """What it is known by (`Sought`)."""
        return self.text, self.objects, self.constant

    def excludes(self, other: Guard) -> bool:
        if self.text != other.text or len(self.objects) != len(other.objects):
            return False
        if any(map(operator.is_not, self.objects, other.objects)):
            return False
        if self.constant == other.constant:
            return self.holds != other.holds
        if isinstance(self.constant, Among) and isinstance(other.constant, Among):
            return self.constant.is_apart(other.constant)
        return self.holds and other.holds


Telling = Mapping[bool, frozenset[Guard]]
"""What holds where a flag is true, and where it is not."""


def has_to_be_static(origin: Provenance) -> Guard:
    """What holds below a use of a traced value that raises because it has to be static: nobody asks for its truth."""
    return Guard(f"has to be static {id(origin)}", (), True)


def loop_between(earlier: Use, later: Use) -> ast.AST | None:
    """The outermost loop, or call that maps over a tree, of which the earlier use is in a previous pass."""
    passes = dict(later.loops)
    return next((loop for loop, number in earlier.loops if passes.get(loop, number) != number), None)


Subjects = dict[tuple[object, ...], list[Guard]]
"""Conditions by what they are about, their text and their objects: only two of the same can exclude each other."""


def by_subject(guards: Iterable[Guard]) -> Subjects:
    """A loop may leave thousands of conditions, of other objects in each pass, so that they are looked up."""
    about: Subjects = {}
    for guard in guards:
        about.setdefault(_subject(guard), []).append(guard)
    return about


def _subject(guard: Guard) -> tuple[object, ...]:
    return (guard.text, *map(id, guard.objects))


def excluded(some: Iterable[Guard], others: frozenset[Guard] | Subjects) -> bool:
    """Whether no path has the conditions of both: one of the first excludes one of the second.  Who asks more than
    once about the same ``others`` has them by subject."""
    if not others:
        return False
    about = others if isinstance(others, dict) else by_subject(others)
    return any(guard.excludes(other) for guard in some for other in about.get(_subject(guard), ()))


CallSite = tuple[Any, ast.AST, Any, tuple[tuple[ast.AST, int], ...]]
"""A call that is being followed: the caller's frame, the call, the caller's module, the loop passes around it."""


ORDER = itertools.count()
"""Tells which of two uses, or of a use and the call of a function, comes first."""


@dataclass(frozen=True, slots=True)
class Use:
    """One consumption of a key: ``how`` is draw, split, handed, handed again or named; ``via`` the callee that did
    it, ``beside`` all that it did with the key.

    ``loops`` are the (loop, pass) pairs it happened in, ``calls`` the calls that led to it, ``data`` what
    was folded in.  ``function`` is the definition of the function that ``node`` is in, if it is in one.  ``order``
    counts uses up: the later of two has the greater one.  ``draws`` tells of a call that is not followed
    whether the text of all that it may run draws from the key.  ``receivers`` are the objects whose methods were
    running.
    """

    how: str
    scope: ModuleScope
    node: ast.AST
    callee: str
    guards: frozenset[Guard]
    loops: tuple[tuple[ast.AST, int], ...] = ()
    via: Use | None = None
    calls: tuple[CallSite, ...] = ()
    data: Value | None = None
    function: ast.AST | None = field(default=None, compare=False)
    beside: tuple[Use, ...] = field(default=(), compare=False)
    draws: Callable[[], bool] | None = field(default=None, compare=False)
    receivers: tuple[Value, ...] = field(default=(), compare=False)
    order: int = field(default_factory=lambda: next(ORDER), compare=False)

    @property
    def innermost(self) -> Use:
        """The use by the last of the callees that led to it."""
        use = self
        while use.via is not None:
            use = use.via
        return use

    def leaves(self, folds_beside: bool = True) -> Iterator[Use]:
        """The uses by the last callees that this one stands for, each once however many calls lead to it.

        ``folds_beside``: also what a callee folds in beside its first use, which is told by itself.
        """
        pending, met = [self], set[int]()
        while pending:
            use = pending.pop()
            if id(use) in met:
                continue
            met.add(id(use))
            if use.via is None:
                yield use
            else:
                beside = (one for one in use.beside if folds_beside or one.how != "fold")
                pending += reversed((use.via, *beside))


Uses = tuple[Use, ...]
Cell = dict[Any, Value]


_NOTHING_LENT = Lent(None, {}, False, False)


class State:
    """Contents of every frame and mutable object, consumption of every key, and the guards that hold.
    ``pairs`` remembers which objects and keys were joined into which when this state is itself a join, ``refined`` what
    variables and attributes held before a condition told more about them, and what it made of them.

    ``base`` has the contents that finished modules left, and those of modules that are being read as they were before
    the statement that runs; it is shared.  ``lent`` is what a function that is summarised finds in its arguments and
    around it (``asked``).  ``touched`` are the objects of modules that were changed here.
    """

    __slots__ = ("base", "cells", "guards", "lent", "owned", "pairs", "refined", "touched", "uses")

    def __init__(self, base: dict[Value, Cell], lent: Lent | None = None) -> None:
        self.base = base
        self.lent = _NOTHING_LENT if lent is None else lent
        self.cells: dict[Value, Cell] = {}
        self.touched: tuple[Value, ...] = ()
        self.owned: set[Value] = set()
        self.uses: dict[KeyId, Uses] = {}
        self.guards: frozenset[Guard] = NOTHING
        self.pairs: dict[tuple[Any, Any], Any] = {}
        self.refined: dict[tuple[Value, str], tuple[Value, Value]] = {}

    def fork(self) -> State:
        other = State.__new__(State)
        other.base, other.lent = self.base, self.lent
        other.cells = self.cells.copy()
        other.touched = self.touched
        other.owned = set()
        other.uses = self.uses.copy()
        other.guards = self.guards
        other.pairs = {}
        other.refined = self.refined.copy()
        self.owned = set()
        return other

    @property
    def lasting_guards(self) -> frozenset[Guard]:
        """The conditions but for those that each pass of a loop begins with: the ones before it were not the last."""
        return frozenset(guard for guard in self.guards if guard.holds or not guard.of_pass)

    def where(self, guards: frozenset[Guard]) -> State:
        """The same, to be read only, as far as it may have come to be where these conditions hold: what has been used
        under others has not been used."""
        about = by_subject(guards)
        other = copy(self)
        other.uses = {
            ident: left
            for ident, uses in self.uses.items()
            if (left := tuple([use for use in uses if not excluded(use.guards, about)]))
        }
        return other

    def read(self, owner: Value) -> Cell:
        """The contents of ``owner``; not to be changed by the caller."""
        cell = self.cells.get(owner)
        if cell is None and self.lent is not _NOTHING_LENT:
            cell = self.lent[owner]
        return self.base.get(owner, _EMPTY) if cell is None else cell

    def reaches(self, value: Value, target: Value, depth: int = 0) -> bool:
        """Whether an object is another one or a part of it, or may be one."""
        if value is target:
            return True
        if depth > REACHED_DEPTH.value:
            return True
        if isinstance(value, Tuple):
            return any(self.reaches(item, target, depth + 1) for item in value.items)
        if isinstance(value, Union):
            return any(self.reaches(item, target, depth + 1) for item in value.options)
        if isinstance(value, (Container, Instance)):
            return any(self.reaches(item, target, depth + 1) for item in list(self.read(value).values()))
        return isinstance(value, Opaque) and not value.parent

    @property
    def is_summarised(self) -> bool:
        """Whether a function is evaluated here for any of its callers."""
        return self.lent is not _NOTHING_LENT

    def holds(self, owner: Value) -> bool:
        """Whether something is known of the contents of ``owner``, which modules have not left."""
        return owner in self.cells or self.lent[owner] is not None

    def is_touched(self, owner: Value) -> bool:
        """Whether an object of a finished module was changed, here or by those that are running around this."""
        return owner in self.touched or self.lent.is_touched(owner)

    @property
    def any_touched(self) -> bool:
        return bool(self.touched) or self.lent.any_touched

    @property
    def is_conditioned(self) -> bool:
        """Whether a condition of something is known here, or by those that are running around this."""
        return self.lent.conditioned or not all(guard.standing for guard in self.guards)

    def conditions(self, sought: Sought) -> list[Guard]:
        """The conditions that are sought, also those that callers know, but what they know of the length of something
        that was changed here."""
        if sought.how == SAME:  # most questions are these
            (text,) = sought.texts
            own = [guard for guard in self.guards if guard.text == text and sought.finds(*guard.told)]
        else:
            own = [guard for guard in self.guards if sought.finds(*guard.told)]
        if self.lent.conditioned:
            own += [guard for guard in self.lent.conditions(sought) if not self._has_changed(guard)]
        return own

    def _has_changed(self, guard: Guard) -> bool:
        return isinstance(guard.constant, Among) and any(
            isinstance(value, Container) and value in self.cells for value in guard.objects
        )

    def write(self, owner: Value) -> Cell:
        """The contents of ``owner``, to be changed by the caller."""
        if self.guards and isinstance(owner, Container):
            self._forget_length(owner)
        cell = self.cells.get(owner)
        if cell is None:
            if owner in self.base and (self.lent[owner] is None or self.lent.is_touched(owner)):
                self.touched = (*self.touched, owner)
            cell = self.cells[owner] = self.read(owner).copy()
            self.owned.add(owner)
        elif owner not in self.owned:
            if self.base.get(owner) is cell:  # on this path a module that is being read goes on alone
                self.touched = (*self.touched, owner)
            cell = self.cells[owner] = cell.copy()
            self.owned.add(owner)
        return cell

    def _forget_length(self, owner: Container) -> None:
        """What conditions have told of how much something holds ends when that changes."""
        told = [guard for guard in self.guards if isinstance(guard.constant, Among) and owner in guard.objects]
        if told:
            self.guards = self.guards.difference(told)

    def show(self, owner: Value) -> None:
        """What ``owner``, a module that is being read, holds now is what functions find in it from here on."""
        self.base[owner] = self.read(owner)
        self.touched = tuple([one for one in self.touched if one is not owner])

    def hold_back(self, owner: Value) -> None:
        """What ``owner`` is given from here on is not shown: a call can be told apart by it."""
        self.owned.discard(owner)

    def refine(self, owner: Value, name: str, value: Value, refined: Value) -> None:
        """A condition tells that ``value``, the variable or attribute ``name``, is ``refined``."""
        self.refined[owner, name] = (self.before(owner, name, value), refined)
        self.write(owner)[name] = refined

    def before(self, owner: Value, name: str, value: Value) -> Value:
        """What ``name`` held before conditions told more, if it has not been bound since."""
        found = self.refined.get((owner, name))
        return found[0] if found is not None and found[1] is value else value


_EMPTY: Cell = {}


def join_states(states: list[State]) -> State | None:
    """One state that covers all of ``states``; None when no path arrives."""
    if not states:
        return None
    result = states[0]
    for other in states[1:]:
        result = _join(result, other)
    return result


def _join(left: State, right: State) -> State:
    if left is right:
        return left
    result = left.fork()
    result.guards = (left.guards & right.guards) or NOTHING
    result.touched += tuple([owner for owner in right.touched if owner not in left.touched])
    for key, uses in other_items(right.uses, left.uses):
        mine = left.uses.get(key)
        result.uses[key] = uses if mine is None else mine + _not_among(mine, uses)
    for owner, cell in (*other_items(right.cells, left.cells), *untouched(right, left)):
        mine_cell = left.cells.get(owner)
        if mine_cell is None and owner not in left.base and left.lent[owner] is None:
            result.cells[owner] = cell
            continue
        merged = result.write(owner)
        for name, value in _contents(cell, merged):
            old = merged.get(name)
            if old is None:
                merged[name] = value
            elif old is not value:
                before = left.before(owner, name, old)
                if before is right.before(owner, name, value):
                    merged[name] = before  # what the two branches knew of it is over
                else:
                    merged[name] = join_values(old, left, value, right, result)
        _loosen_unequal(owner, merged, left.read(owner), cell)
        _loosen_set_by_name(merged, left.read(owner), cell)
    _forget_told(left, right, result)
    _forget_told(right, left, result)
    if COMPILED in result.cells:
        _forget_traces(left, right, result)
    # What was known before the branches is known after them.
    result.refined = {place: told for place, told in left.refined.items() if right.refined.get(place) is told}
    return result


def _forget_traces(left: State, right: State, result: State) -> None:
    """What a trace has read on one path only is not held against what the attribute was set to on the other."""
    for trace in result.cells[COMPILED]:
        mine, others = left.read(trace), right.read(trace)
        one_sided = mine.keys() ^ others.keys()
        if not one_sided:
            continue
        here, there = known_of(left.read(trace.owner)), known_of(right.read(trace.owner))
        for name in one_sided:
            attribute = name[0] if isinstance(name, tuple) else name
            if here.get(attribute) is not there.get(attribute):
                result.write(trace).pop(name, None)


def _forget_told(told: State, other: State, result: State) -> None:
    """What conditions on one path tell of a variable from further out, or of an attribute, of which the other path
    holds nothing of its own: after both it is what it was."""
    for (owner, name), (before, refined) in told.refined.items():
        cell = other.read(owner)
        if not isinstance(cell, LentCell) and name not in cell and result.read(owner).get(name) is refined:
            result.write(owner)[name] = before


def _contents(cell: Cell, other: Cell) -> Iterable[tuple[Any, Value]]:
    """What a cell holds.  Of one that is lent that is what it or the ``other`` is known to hold: of the rest both have
    what was there before."""
    if not isinstance(cell, LentCell):
        return cell.items()
    names = cell.present().keys() | known_of(other).keys()
    return [(name, value) for name in sorted(names, key=str) if (value := cell.get(name)) is not None]


def other_items(some: dict[Owner, Held], others: dict[Owner, Held]) -> Iterable[tuple[Owner, Held]]:
    """The entries of which the other dict has another object.  Of two branches nearly all are of before, so this asks
    about all at once instead of one after the other."""
    is_other = map(operator.is_not, some.values(), map(others.get, some))
    return itertools.compress(some.items(), is_other)


def untouched(here: State, there: State) -> Iterable[tuple[Value, Cell]]:
    """What objects from before both hold here that only the other path has changed."""
    changed = there.cells.keys() - here.cells.keys()
    if not changed:
        return ()
    before = dict.fromkeys((*there.lent, *there.touched))
    return [(owner, here.read(owner)) for owner in before if owner in changed]


def _not_among(known: Uses, uses: Uses) -> Uses:
    """Those of ``uses`` that are not known yet.  Of two branches nearly all are of before: the same objects."""
    same = set(map(id, known))
    others = [use for use in uses if id(use) not in same]
    equal = set(known) if others else set()
    return tuple(use for use in others if use not in equal)


def join_values(a: Value, in_a: State, b: Value, in_b: State, result: State) -> Value:
    """What is known of a variable that holds ``a`` on one path and ``b`` on the other."""
    if a is b:
        return a
    kind = type(a)
    if kind is type(b):
        joiner = _JOINERS.get(kind)
        if joiner is not None:
            joined = joiner(a, in_a, b, in_b, result)
            if joined is not None:
                return joined
    resource = _join_resources(a, in_a, b, in_b, result)
    return resource if resource is not None else _union(a, in_a, b, in_b, result)


def _join_const(a: Const, in_a: State, b: Const, in_b: State, result: State) -> Value | None:
    if type(a.value) is type(b.value):
        if a.value == b.value:
            return a
        if isinstance(a.value, (bool, int, float, str)):
            tells = _tells(a, in_a, b, in_b, result) if isinstance(a.value, bool) else None
            return Static(type(a.value).__name__, sure=True, tells=tells)
    return None


def _tells(a: Const | Static, in_a: State, b: Const | Static, in_b: State, result: State) -> Telling | None:
    """What holds where a flag is true that each path has set, and where it is not: what the paths that may have set it
    so have in common."""
    found = {}
    for holds in (True, False):
        ways = [
            (state.guards - result.guards) | _told_where(flag, holds)
            for flag, state in ((a, in_a), (b, in_b))
            if not isinstance(flag, Const) or flag.value is holds
        ]
        found[holds] = frozenset[Guard].intersection(*ways) if ways else NOTHING
    return found if found[True] or found[False] else None


def _told_where(flag: Const | Static, holds: bool) -> frozenset[Guard]:
    return flag.tells[holds] if isinstance(flag, Static) and flag.tells is not None else NOTHING


def _join_static(a: Static, in_a: State, b: Static, in_b: State, result: State) -> Value:
    tainted = a.tainted if b.tainted is not None else None
    concrete_if = a.concrete_if if a.concrete_if is b.concrete_if else None
    later = a.look if a.look is None or (b.look is not None and b.look.order < a.look.order) else b.look
    kind, of_shape = a.kind if a.kind == b.kind else "", a.of_shape and b.of_shape
    tells = _tells(a, in_a, b, in_b, result) if kind == "bool" else None
    return Static(kind, of_shape, tainted, concrete_if, look=later, sure=a.sure and b.sure, tells=tells)


def _join_array(a: Array, in_a: State, b: Array, in_b: State, result: State) -> Value | None:
    if a.level != b.level:
        return None
    joined = Array(
        a.level,
        a.provenance or b.provenance,
        a.kind if a.kind == b.kind else "",
        a.ndim if a.ndim == b.ndim else None,
        a.of_statics and b.of_statics,
        a.sized and b.sized,
        _phi(a.key, in_a, b.key, in_b, result) if a.has_key or b.has_key else None,
        a.declared or b.declared,
        avals.joined(a.aval, b.aval),
    )
    joined.slope = a.slope and b.slope
    if a.flat is not None and b.flat is not None:
        joined.flat = a.flat if a.flat.node is not None else b.flat
    if a.barriers and b.barriers:
        joined.barriers = a.barriers & b.barriers
    return joined


def _join_tuple(a: Tuple, in_a: State, b: Tuple, in_b: State, result: State) -> Value | None:
    if len(a.items) != len(b.items) or a.fields != b.fields or a.cls is not b.cls:
        return None
    items = tuple(join_values(x, in_a, y, in_b, result) for x, y in zip(a.items, b.items))
    joined = a.with_other(items)
    joined.declared = joined.declared or b.declared
    joined.given_by = a.given_by if a.given_by == b.given_by else ""
    joined.around = a.around if a.around == b.around else ()
    return joined


def _join_tree(a: Tree, in_a: State, b: Tree, in_b: State, result: State) -> Value | None:
    if a.level != b.level:
        return None
    key = _phi(a.key, in_a, b.key, in_b, result)
    holds = common_holds(a.holds, b.holds)
    return Tree(a.level, a.provenance, "", a.sure and b.sure, a.array_like and b.array_like, key, holds=holds)


def _join_host_array(a: HostArray, in_a: State, b: HostArray, in_b: State, result: State) -> Value:
    kind, narrow = a.kind if a.kind == b.kind else "", a.narrow and b.narrow
    shape = avals.joined(avals.Aval(shape=a.shape), avals.Aval(shape=b.shape)).shape
    return HostArray(a.readonly and b.readonly, kind, _around(a.birth, b.birth), narrow=narrow, shape=shape)


def _join_instance(a: Instance, in_a: State, b: Instance, in_b: State, result: State) -> Value | None:
    if a.cls is not b.cls or a.level != b.level:
        return None
    known: Value | None = result.pairs.get((a, b))
    if known is not None:
        return known
    joined = Instance(a.cls, _around(a.birth, b.birth), a.symbolic or b.symbolic)
    joined.level, joined.provenance = a.level, a.provenance or b.provenance
    joined.older_if = _older_if(joined.birth, a, in_a, b, in_b, result)
    _join_cells(joined, a, in_a, b, in_b, result)
    return joined


def _join_container(a: Container, in_a: State, b: Container, in_b: State, result: State) -> Value | None:
    if a.kind != b.kind:
        return None
    known: Value | None = result.pairs.get((a, b))
    if known is not None:
        return known
    text = ATTRIBUTE if ATTRIBUTE in (a.text, b.text) else a.text
    joined = Container(a.kind, _around(a.birth, b.birth), text, a.provenance or b.provenance)
    joined.older_if = _older_if(joined.birth, a, in_a, b, in_b, result)
    _join_cells(joined, a, in_a, b, in_b, result)
    return joined


def _around(a: Context | None, b: Context | None) -> Context | None:
    """The innermost trace around both: what changes what was made in either may outlive all that is inside of it."""
    while a is not None and not a.encloses(b):
        a = a.parent
    return a


def _older_if(
    birth: Context | None, a: Container | Instance, in_a: State, b: Container | Instance, in_b: State, result: State
) -> frozenset[Guard]:
    """The conditions under which the object of two paths is one that was made there."""
    rows = ((a, in_a), (b, in_b))
    found = [owner.older_if | (state.guards - result.guards) for owner, state in rows if owner.birth is birth]
    return (found and frozenset[Guard].intersection(*found)) or NOTHING


def _join_cells(joined: Value, a: Value, in_a: State, b: Value, in_b: State, result: State) -> None:
    result.pairs[a, b] = joined  # objects may contain each other
    left, right = in_a.read(a), in_b.read(b)
    cell = result.write(joined)
    for name in {**left, **right}:
        x, y = left.get(name), right.get(name)
        if x is not None and y is not None:
            cell[name] = join_values(x, in_a, y, in_b, result)
        else:
            cell[name] = x if x is not None else right[name]
    _loosen_unequal(joined, cell, left, right)
    _loosen_set_by_name(cell, left, right)


def _loosen_set_by_name(cell: Cell, left: Cell, right: Cell) -> None:
    """An attribute that one of the paths has set is anything where the other may have set it, too."""
    if dict.get(cell, SET_BY_NAME) is not None:
        for side in (known_of(left), known_of(right)):
            if SET_BY_NAME in side:
                cell.update({name: Opaque(str(name)) for name in known_of(cell) if name not in side})


def _loosen_unequal(owner: Value, cell: Cell, left: Cell, right: Cell) -> None:
    """Of lists of which one is longer, or not known, no item is known, nor how many there are."""
    known = dict.get(cell, ITEMS)  # what is lent is not asked for
    if known is None or not isinstance(owner, Container) or owner.kind == "dict":
        return
    if not isinstance(known, Tuple) or not ((ITEMS in left and ITEMS in right) or ANY in cell):
        del cell[ITEMS]
        cell[ANY] = Opaque("an element")


_Joiner = Callable[[Any, State, Any, State, State], Value | None]

_JOINERS: dict[type, _Joiner] = {
    Const: _join_const,
    Static: _join_static,
    Array: _join_array,
    Tuple: _join_tuple,
    Tree: _join_tree,
    HostArray: _join_host_array,
    Instance: _join_instance,
    Container: _join_container,
}


def _join_resources(a: Value, in_a: State, b: Value, in_b: State, result: State) -> Value | None:
    """Joins two values of which each may be a key, so that consumption follows the joined name."""
    if {type(a), type(b)} == {Array, Tree}:
        arrays = [_as_array(value) for value in (a, b)]
        return None if arrays[0] is None or arrays[1] is None else _join_array(arrays[0], in_a, arrays[1], in_b, result)
    a, b = _as_key(a), _as_key(b)
    if isinstance(a, Key) and isinstance(b, Key):
        size = a.size if a.size == b.size else None
        ident = _phi(a.ident, in_a, b.ident, in_b, result)
        level, dims = min(a.level, b.level), max(a.dims, b.dims)
        typed = a.typed if a.typed is b.typed else None
        ranked = a.ranked and b.ranked and a.dims == b.dims
        return Key(ident, a.batch and b.batch, size, level, a.provenance or b.provenance, typed, dims, ranked)
    if isinstance(a, Opaque) and isinstance(b, Opaque):
        return _join_unknown(a, in_a, b, in_b, result)
    if isinstance(a, (Key, Opaque)) and isinstance(b, (Key, Opaque)):
        return Opaque("", key=_phi(a.key, in_a, b.key, in_b, result))
    if isinstance(a, Const) and isinstance(b, Static):
        return _join_known(b, in_b, a, in_a, result)
    if isinstance(b, Const) and isinstance(a, Static):
        return _join_known(a, in_a, b, in_b, result)
    return None


def _join_unknown(a: Opaque, in_a: State, b: Opaque, in_b: State, result: State) -> Opaque:
    joined = Opaque("", key=_phi(a.key, in_a, b.key, in_b, result))
    joined.derived = a.derived if b.derived is not None else None
    joined.leaf = a.leaf if b.leaf is not None else None
    joined.holds = common_holds(a.holds, b.holds)
    joined.of_host = a.of_host and b.of_host
    if a.free is not None and b.free is not None:
        joined.free = a.free if a.free.node is not None else b.free
    return joined


def _join_known(a: Static, in_a: State, b: Const, in_b: State, result: State) -> Value | None:
    if b.value is None:
        return None
    concrete_if = None if bool(b.value) is a.concrete_if else a.concrete_if
    kind = a.kind if a.kind == type(b.value).__name__ else ""
    tells = _tells(a, in_a, b, in_b, result) if kind == "bool" else None
    return Static(kind, concrete_if=concrete_if, sure=a.sure, tells=tells)


def _as_key(value: Value) -> Value:
    """A traced argument that a function of jax.random took as a key as that key."""
    if isinstance(value, Tree) and value.has_key and value.key.known:
        return Key(value.key, level=value.level, provenance=value.provenance)
    return value


def _as_array(value: Value) -> Array | None:
    """A leaf of a traced argument as the array that it is."""
    if isinstance(value, Tree) and value.array_like and value.sure:
        return Array(value.level, value.provenance, key=value.key)
    return value if isinstance(value, Array) else None


def _phi(a: KeyId, in_a: State, b: KeyId, in_b: State, result: State) -> KeyId:
    """The identity of `a on one path, b on the other`: spent where the one that arrives is spent."""
    if a is b:
        return a
    if a.origin is b.origin:
        return a if a.handed_back is not None else b
    known: KeyId | None = result.pairs.get((a.origin, b.origin))
    if known is not None:
        return known  # two names of one key on each path are two names of one key afterwards
    joined = KeyId(a.text or b.text, a.site or b.site, alternatives=(a, b), known=a.known and b.known)
    result.pairs[a.origin, b.origin] = joined
    spent = in_a.uses.get(a.origin, ()) + in_b.uses.get(b.origin, ())
    if spent:
        result.uses[joined] = tuple(dict.fromkeys(spent))
    return joined


def _union(a: Value, in_a: State, b: Value, in_b: State, result: State) -> Value:
    """Either value, each with the conditions under which it is the one.

    Where those conditions are known again later, the choice is too (``Interpreter.choose``).
    """
    options: list[Value] = []
    conditions: list[frozenset[Guard]] = []
    for value, state in ((a, in_a), (b, in_b)):
        added = state.guards - result.guards
        parts = value.options if isinstance(value, Union) else (value,)
        known = value.guards if isinstance(value, Union) and value.guards else (frozenset(),) * len(parts)
        for option, condition in zip(parts, known):
            same = next((n for n, seen in enumerate(options) if option is seen or _same(option, seen)), None)
            if same is None:
                options.append(option)
                conditions.append(condition | added)
            else:
                options[same] = _merged(options[same], in_a, option, state, result)
                conditions[same] &= condition | added
    if len(options) == 1:
        return options[0]
    most = MOST_CALLABLES if all(isinstance(option, (Function, Instance)) for option in options) else MOST_OPTIONS
    guarded = len(options) <= MOST_OPTIONS.value and any(conditions)
    if len(options) > most.value or (not guarded and any(isinstance(option, Opaque) for option in options)):
        return Opaque(key=_key_of_either(a, in_a, b, in_b, result), holds=reduce(common_holds, map(held, options)))
    return Union(tuple(options), tuple(conditions) if guarded else ())


def _key_of_either(a: Value, in_a: State, b: Value, in_b: State, result: State) -> KeyId | None:
    """The identity of either value, if each that it may be can be a key, or one may be anything.  From None, and from
    what is no key, nothing is drawn.  Of several options nobody knows where each that has been spent is the one."""
    found: tuple[KeyId, State] | None = None
    refused = has_unknown = False
    for value, state in ((a, in_a), (b, in_b)):
        for option in value.options if isinstance(value, Union) else (value,):
            if not isinstance(option, (Key, Opaque)):
                refused = refused or not is_none(option)
                continue
            if option is not value and state.uses.get(option.key.origin):
                return None
            has_unknown = has_unknown or isinstance(option, Opaque)
            found = (option.key, state) if found is None else (_phi(*found, option.key, state, result), result)
    return found[0] if found is not None and (has_unknown or not refused) else None


def _same(a: Value, b: Value) -> bool:
    if isinstance(a, Const) and isinstance(b, Const):
        return type(a.value) is type(b.value) and a.value == b.value
    if isinstance(a, Array) and isinstance(b, Array):
        return a.level == b.level
    return type(a) is type(b) and isinstance(a, (Static, HostArray))


def _merged(a: Value, in_a: State, b: Value, in_b: State, result: State) -> Value:
    """One option for two that are the `_same`: what is known of both of them."""
    return a if a is b or isinstance(a, Const) else join_values(a, in_a, b, in_b, result)


def is_tracer(value: Value) -> bool:
    """Whether Python asking ``value`` for a truth value or number fails: an abstract tracer."""
    return value.level == ABSTRACT and isinstance(value, (Array, Tree)) and getattr(value, "sure", True)
