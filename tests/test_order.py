"""The laws of what is known: values and states are ordered, and what several paths leave is above each of them.

A state is what a path leaves: in variables, in objects, of keys.  What only one path has put somewhere is taken to be
there afterwards: who reads it on another one fails.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jaxlint.flow.domain.contexts import Context
from jaxlint.flow.domain.order import leq, leq_states
from jaxlint.flow.domain.state import Cell, State, excluded, is_tracer, join_states, join_values
from jaxlint.flow.domain.values import (
    ANY,
    ITEMS,
    Array,
    Const,
    Container,
    Frame,
    HostArray,
    Instance,
    Key,
    KeyId,
    Opaque,
    Static,
    Tuple,
    Union,
    Value,
    held,
)
from jaxlint.flow.engine.eval.growth import widen
from tests.values_support import (
    ARRAYS,
    BIRTHS,
    COUNTED,
    HOST_ARRAYS,
    LAMBDAS,
    NUMBERS,
    OUTER,
    SCOPE,
    SIMPLE,
    STATICS,
    World,
    neighbours,
    passes,
    paths,
)

# On a busy machine it takes long to make a world, which says nothing of the laws.
FEW = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
MANY = settings(FEW, max_examples=250)

VALUES = st.recursive(
    st.one_of(SIMPLE),
    lambda inner: st.lists(inner, max_size=3).map(lambda items: Tuple(tuple(items))),
    max_leaves=6,
)
PAIRS = st.one_of(st.tuples(VALUES, VALUES), *(st.tuples(some, some) for some in SIMPLE))
"""Also of one kind, where most is kept."""


def below(a: Value, b: Value) -> bool:
    return leq(a, State({}), b, State({}))


def joined(a: Value, b: Value) -> Value:
    return join_values(a, State({}), b, State({}), State({}))


def claims(value: Value, state: State) -> dict[str, object]:
    """What is asked of values, as far as it is known of this one, on a path under some condition or under none."""
    if isinstance(value, Const):
        found = {"constant": (type(value.value), value.value)}
    elif isinstance(value, Static):
        found = {"of shape": value.of_shape, "tainted": value.tainted is not None}
    elif isinstance(value, Tuple):
        found = {"length": (len(value.items),)}
    elif isinstance(value, Array):
        found = {"sized": value.sized, "ndim": value.ndim is not None and (value.ndim,)}
    elif isinstance(value, HostArray):
        found = {"readonly": value.readonly}
    elif isinstance(value, Key):
        found = {"is traced": value.level > 0, "how many keys": value.size, "typed": (value.typed,)}
    elif isinstance(value, (Container, Instance)):
        known = state.read(value)
        items = known.get(ITEMS) if ANY not in known else None
        found = {"items": isinstance(items, Tuple) and (len(items.items),), "level": (value.level,)}
        found["only what it is given"] = isinstance(value, Instance) and not value.symbolic
        found |= {f"newer than {number}": is_newer(value, birth, state) for number, birth in enumerate(BIRTHS)}
    else:
        found = {}
    *kinds, last = held(value).split(" ")  # "mapping " says nothing of the items, "mapping" that they are arrays
    found |= {f"{depth} deep": kind for depth, kind in enumerate([*kinds, last])}
    found["arrays"] = bool(last) and held(value)
    found |= {"tracer": is_tracer(value), "derived": is_tracer(value) or getattr(value, "derived", None) is not None}
    return {name: claim for name, claim in found.items() if claim and claim != (None,)}


def is_newer(value: Container | Instance, birth: Context | None, state: State) -> bool:
    """Whether an object was made inside of that trace, and not before."""
    if value.birth is birth:
        return excluded(value.older_if, state.guards)
    return birth is None or birth.encloses(value.birth)


def is_true(value: Value, known: State, there: Value, state: State, depth: int = 2) -> bool:
    """Whether what is claimed of a value, and of what is in it, holds of one on a path, and of what is in that."""
    if not claims(value, known).items() <= claims(there, state).items():
        return False
    if isinstance(value, Tuple) and isinstance(there, Tuple):
        return all(is_true(x, known, y, state, depth) for x, y in zip(value.items, there.items))
    mine, others = known.read(value), state.read(there)
    return not depth or all(
        is_true(mine[name], known, others[name], state, depth - 1) for name in mine if name in others
    )


@given(VALUES)
@FEW
def test_each_value_is_below_itself(a: Value) -> None:
    assert below(a, a)


@given(PAIRS, VALUES)
@FEW
def test_what_is_below_something_is_below_all_above_it(pair: tuple[Value, Value], other: Value) -> None:
    a, b = pair[0], joined(*pair)
    c = joined(b, other)
    if below(a, b) and below(b, c):
        assert below(a, c)


@given(PAIRS)
@MANY
def test_both_are_below_what_they_are_joined_into(pair: tuple[Value, Value]) -> None:
    a, b = pair
    both = joined(a, b)
    assert below(a, both)
    assert below(b, both)


@given(PAIRS)
@MANY
def test_what_is_claimed_of_both_is_true_of_each(pair: tuple[Value, Value]) -> None:
    a, b = pair
    both = joined(a, b)
    claimed = claims(both, State({})).items()
    assert claimed <= claims(a, State({})).items()
    assert claimed <= claims(b, State({})).items()


@given(PAIRS)
@MANY
def test_it_does_not_matter_which_path_comes_first(pair: tuple[Value, Value]) -> None:
    a, b = pair
    some, others = joined(a, b), joined(b, a)
    assert below(some, others)
    assert below(others, some)


@given(neighbours())
@MANY
def test_what_is_claimed_of_the_greater_is_true_of_the_smaller(pair: tuple[Value, Value, State]) -> None:
    a, b, state = pair
    for smaller, greater in ((a, b), (b, a)):
        if leq(smaller, state, greater, state):
            assert is_true(greater, state, smaller, state)


@given(st.one_of(*(st.tuples(some, some, some) for some in (NUMBERS, STATICS, ARRAYS, HOST_ARRAYS))))
@MANY
def test_of_one_kind_it_does_not_matter_which_two_are_joined_first(three: tuple[Value, Value, Value]) -> None:
    a, b, c = three
    some, others = joined(joined(a, b), c), joined(a, joined(b, c))
    if not isinstance(some, (Opaque, Union)) and not isinstance(others, (Opaque, Union)):
        assert below(some, others)
        assert below(others, some)


# -- what paths leave -------------------------------------------------------------------------------------

Paths = tuple[World, list[State], int]
"""What paths share, what each has left, and the number of the first key made after that."""


def is_below(a: State, b: State, since: int) -> bool:
    return leq_states(a, b, since)


def together(*states: State) -> State:
    both = join_states(list(states))
    assert both is not None
    return both


@given(paths(1))
@FEW
def test_each_state_is_below_itself_and_joined_with_itself_the_same(left: Paths) -> None:
    _, [a], since = left
    both = together(a, a.fork())
    assert is_below(a, a, since)
    assert is_below(a, both, since)
    assert is_below(both, a, since)


@given(paths(2))
@MANY
def test_each_path_is_below_what_is_known_after_both_whichever_comes_first(left: Paths) -> None:
    world, [a, b], since = left
    both, others = together(a, b), together(b, a)
    assert is_below(a, both, since)
    assert is_below(b, both, since)
    assert is_below(both, others, since)
    assert is_below(others, both, since)
    for key in world.keys:
        assert set(both.uses.get(key, ())) == {*a.uses.get(key, ()), *b.uses.get(key, ())}


@given(paths(2))
@MANY
def test_what_is_claimed_is_true_on_each_path_that_is_below(left: Paths) -> None:
    world, [a, b], since = left
    both = together(a, b)
    assert both.guards == a.guards & b.guards
    for known, end in ((both, a), (both, b), (b, a)):
        if known is both or is_below(end, known, since):
            assert all(is_true(owner, known, owner, end) for owner in (world.frame, *world.objects))


@given(paths(3))
@FEW
def test_of_three_paths_any_two_may_be_joined_first(left: Paths) -> None:
    """Two groups need not know the same: one of several values keeps the conditions that both sides still have, and
    beyond four values nothing is known.  Both are above all that happened."""
    _, ends, since = left
    a, b, c = ends
    both = together(a, b)
    for all_of_them in (together(both, c), together(a, together(b, c))):
        assert all(is_below(end, all_of_them, since) for end in ends)
        assert is_below(a, all_of_them, since) or not is_below(both, all_of_them, since)


FRAME = Frame(SCOPE)
KEYS = [KeyId(text, (SCOPE, LAMBDAS[0]), known=True) for text in ("one", "other")]
ONE, OTHER = (Key(ident, False) for ident in KEYS)


def path(cells: dict[Value, Cell] | None = None, /, **variables: Value) -> State:
    """What a path leaves: in variables, and in objects from before it."""
    state = State({})
    state.cells = {FRAME: dict(variables), **(cells or {})}
    return state


def is_above_all(ends: list[State]) -> bool:
    a, b, *rest = ends
    since = KeyId("").serial
    orders = (together(*ends), together(a, together(b, *rest)))
    return all(is_below(end, all_of_them, since) for all_of_them in orders for end in ends)


def test_two_names_of_one_key_on_each_path_are_two_names_of_one_afterwards() -> None:
    ends = [path(y=key, z=Key(key.ident, False)) for key in (ONE, OTHER)]
    held = together(*ends).read(FRAME)
    assert held["y"].ident is held["z"].ident  # type: ignore[attr-defined]
    assert is_above_all(ends)


def test_keys_that_are_one_on_some_paths_only_may_be_one_afterwards() -> None:
    assert is_above_all([path(y=ONE, z=ONE), path(y=OTHER, z=ONE), path(y=OTHER, z=OTHER)])
    assert is_above_all([path(y=ONE, z=ONE), path(y=OTHER, z=ONE), path(y=Const(None), z=OTHER)])
    crossed = together(path(y=ONE, z=OTHER), path(y=OTHER, z=ONE))
    new = Key(KeyId("new", (SCOPE, LAMBDAS[1]), known=True), False)
    assert not is_below(path(y=new, z=new), crossed, 0)


def test_what_a_condition_tells_more_about_is_still_the_same_object() -> None:
    before, told = Opaque("before"), Opaque("told")
    start = path(x=before, y=told)
    start.refine(FRAME, "x", before, told)
    start.write(FRAME)["z"] = before
    assert is_above_all([path(x=before, y=told, z=Const(1)), start])
    assert is_below(start, path(x=before, y=before, z=before), 0)
    assert not is_below(path(x=before, y=told), path(x=before, y=before), 0)


def test_an_object_from_before_stands_for_itself_whatever_may_be_one_of_several() -> None:
    old, new = Container("list"), Container("list")
    anything: Cell = {ANY: Opaque("an element")}
    either = Union((Const(None), old))
    told = path({old: anything, new: {ITEMS: Tuple(())}}, x=either)
    told.refine(FRAME, "x", either, new)
    assert is_above_all([told, path({old: {ITEMS: Tuple(())}}, x=either), path({old: anything}, x=either)])


def test_something_unknown_may_contain_itself() -> None:
    owner, x = Opaque("config"), ("attr", "x")
    assert is_above_all([path({owner: {x: value}}) for value in (Const(1), Tuple((owner,)))])


# -- what passes leave ------------------------------------------------------------------------------------


def widened(states: list[State]) -> State:
    """What is taken to be known after the last of three passes."""
    earlier, before, now = states
    it: Any = SimpleNamespace(state=now.fork(), ctx=OUTER)
    widen(it, before, earlier)
    return it.state  # type: ignore[no-any-return]


@given(passes(3))
@MANY
def test_what_grows_is_forgotten_and_nothing_is_made_up(left: Paths) -> None:
    _, states, since = left
    assert is_below(states[-1], widened(states), since)


@given(passes(4, COUNTED))
@FEW
def test_what_counts_up_may_be_any_number(left: Paths) -> None:
    world, (*states, later), since = left
    older = (world.frame, *world.objects)
    assert leq_states(later, widened(states), since, lambda owner: () if owner in older else None)
