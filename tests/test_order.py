"""The order of what is known, and that what two paths leave is above each of them."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint.flow.domain.order import leq
from jaxlint.flow.domain.state import State, is_tracer, join_values
from jaxlint.flow.domain.values import (
    ABSTRACT,
    CONCRETE,
    GRAD,
    Array,
    Const,
    HostArray,
    Opaque,
    Static,
    Tree,
    Tuple,
    Value,
)

KINDS = ("", "int", "float", "bool")
LEVELS = (CONCRETE, GRAD, ABSTRACT)

NUMBERS = st.sampled_from((None, True, False, 0, 1, 2, 1.0, "", "train")).map(Const)
STATICS = st.builds(
    Static,
    st.sampled_from(KINDS),
    of_shape=st.booleans(),
    concrete_if=st.sampled_from((None, True, False)),
    least=st.sampled_from((None, 0, 1)),
)
ARRAYS = st.builds(
    Array,
    st.sampled_from(LEVELS),
    kind=st.sampled_from(KINDS),
    ndim=st.sampled_from((None, 0, 1)),
    of_statics=st.booleans(),
    sized=st.booleans(),
    declared=st.booleans(),
)
TREES = st.builds(Tree, st.sampled_from(LEVELS), st.none(), sure=st.booleans(), array_like=st.booleans())
HOST_ARRAYS = st.builds(HostArray, st.booleans(), st.sampled_from(KINDS))
OPAQUES = st.builds(Opaque, holds=st.sampled_from(("", "mapping")))
SIMPLE = (NUMBERS, STATICS, ARRAYS, TREES, HOST_ARRAYS, OPAQUES)
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


CLAIMS: list[Callable[[Value], object]] = [
    is_tracer,
    lambda value: isinstance(value, Const) and (type(value.value), value.value),
    lambda value: isinstance(value, Tuple) and ("length", len(value.items)),
    lambda value: isinstance(value, Array) and value.sized,
    lambda value: isinstance(value, Array) and value.ndim is not None and ("ndim", value.ndim),
    lambda value: isinstance(value, HostArray) and value.readonly,
]
"""What is asked of values: false where nothing is claimed."""


@given(VALUES)
def test_each_value_is_below_itself(a: Value) -> None:
    assert below(a, a)


@given(PAIRS, VALUES)
@settings(max_examples=300)
def test_what_is_below_something_is_below_all_above_it(pair: tuple[Value, Value], other: Value) -> None:
    a, b = pair[0], joined(*pair)
    c = joined(b, other)
    if below(a, b) and below(b, c):
        assert below(a, c)


@given(PAIRS)
@settings(max_examples=500)
def test_both_are_below_what_they_are_joined_into(pair: tuple[Value, Value]) -> None:
    a, b = pair
    both = joined(a, b)
    assert below(a, both)
    assert below(b, both)


@given(PAIRS)
@settings(max_examples=500)
def test_what_is_claimed_of_both_is_true_of_each(pair: tuple[Value, Value]) -> None:
    a, b = pair
    both = joined(a, b)
    for claim in CLAIMS:
        if claimed := claim(both):
            assert claim(a) == claim(b) == claimed


@given(PAIRS)
@settings(max_examples=500)
def test_it_does_not_matter_which_path_comes_first(pair: tuple[Value, Value]) -> None:
    a, b = pair
    some, others = joined(a, b), joined(b, a)
    assert below(some, others)
    assert below(others, some)
