"""The laws of what is known: values and states are ordered, and what several paths leave is above each of them.

A state is what a path leaves: in variables, in objects, of keys.  What only one path has put somewhere is taken to be
there afterwards: who reads it on another one fails.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint.flow.domain.order import leq, leq_states
from jaxlint.flow.domain.state import State, is_tracer, join_states, join_values
from jaxlint.flow.domain.values import (
    ANY,
    ITEMS,
    Array,
    Const,
    Container,
    HostArray,
    Instance,
    Key,
    Opaque,
    Static,
    Tuple,
    Union,
    Value,
)
from jaxlint.flow.engine.eval.growth import widen
from tests.values_support import (
    ARRAYS,
    BIRTHS,
    COUNTED,
    HOST_ARRAYS,
    NUMBERS,
    OUTER,
    SIMPLE,
    STATICS,
    World,
    passes,
    paths,
)

FEW = settings(max_examples=150, deadline=None, derandomize=True)
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
        found = {"items": isinstance(items, Tuple) and (len(items.items),)}
        found |= {f"is gone after {number}": ctx.encloses(value.birth) for number, ctx in enumerate(BIRTHS) if ctx}
    elif isinstance(value, Opaque):
        found = {"derived": value.derived is not None, "holds": value.holds}
    else:
        found = {}
    return {name: claim for name, claim in {**found, "tracer": is_tracer(value)}.items() if claim and claim != (None,)}


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
def test_each_path_is_below_what_is_known_after_both(left: Paths) -> None:
    _, [a, b], since = left
    both = together(a, b)
    assert is_below(a, both, since)
    assert is_below(b, both, since)


@given(paths(2))
@MANY
def test_the_same_is_known_after_both_whichever_comes_first(left: Paths) -> None:
    _, [a, b], since = left
    some, others = together(a, b), together(b, a)
    assert is_below(some, others, since)
    assert is_below(others, some, since)


@given(paths(3))
@FEW
def test_of_three_paths_any_two_may_be_joined_first(left: Paths) -> None:
    """Two groups need not know the same: one of several values keeps the conditions that both sides still have, and
    beyond four values nothing is known.  Both are above all that happened."""
    _, ends, since = left
    a, b, c = ends
    for all_of_them in (together(together(a, b), c), together(a, together(b, c))):
        assert all(is_below(end, all_of_them, since) for end in ends)


@given(paths(3))
@FEW
def test_what_is_below_a_state_is_below_all_above_it(left: Paths) -> None:
    _, [a, b, c], since = left
    both = together(a, b)
    all_of_them = together(both, c)
    if is_below(a, both, since) and is_below(both, all_of_them, since):
        assert is_below(a, all_of_them, since)


@given(paths(2))
@MANY
def test_what_is_claimed_after_both_paths_is_true_on_each_that_has_it(left: Paths) -> None:
    world, ends, _ = left
    both = together(*ends)
    assert both.guards == ends[0].guards & ends[1].guards
    for owner in (world.frame, *world.objects):
        for name, value in both.read(owner).items():
            for end in ends:
                there = end.read(owner).get(name)
                if there is not None:
                    assert claims(value, both).items() <= claims(there, end).items()


@given(paths(2))
@FEW
def test_a_key_is_spent_where_one_of_the_paths_has_spent_it(left: Paths) -> None:
    world, ends, _ = left
    both = together(*ends)
    for key in world.keys:
        assert set(both.uses.get(key, ())) == {use for end in ends for use in end.uses.get(key, ())}


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
