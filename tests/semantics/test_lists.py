"""The table of functions that take no lists says what JAX does."""

from __future__ import annotations

from functools import reduce

import jax
import jax.numpy as jnp
import pytest

from jaxlint.semantics.lists import NAMED_WITHOUT_LISTS, OF_ARRAYS, WITHOUT_LISTS

ARRAY = jnp.array([1.0, 2.0])
REFUSED = (
    "ndarray or scalar arguments",
    "is not a valid JAX type",
    "Cannot determine dtype of [",
    "conversion method __array__() was called",
)
"""What JAX says where it meets a list, in its own words, or by way of NumPy."""
WHOLE = jnp.array([0, 1])
FIRST = {
    "jax.numpy.bincount": [WHOLE],
    "jax.numpy.histogram2d": [ARRAY, ARRAY],
    "jax.numpy.polyfit": [ARRAY, ARRAY, 1],
    "jax.random.choice": [jax.random.key(0), 2],
}
"""What these need beside the argument in question."""
OTHERS = {"where": jnp.array([True, False]), "fweights": WHOLE, "p": jnp.array([0.5, 0.5])}


def of(name: str) -> object:
    return reduce(getattr, name.split(".")[1:], jax)


@pytest.mark.parametrize(
    ("name", "position"), [(name, position) for name in sorted(WITHOUT_LISTS) for position in WITHOUT_LISTS[name]]
)
def test_a_list_is_refused(name: str, position: int) -> None:
    tried = []
    for count in range(position + 1, 5):
        arguments: list[object] = [ARRAY] * count
        arguments[position] = [1.0, 2.0]
        if name.startswith("jax.random."):
            arguments[0] = jax.random.key(0)
        try:
            of(name)(*arguments)  # type: ignore[operator]
        except Exception as error:
            tried.append(str(error))
    assert any(text in one for one in tried for text in REFUSED), tried


@pytest.mark.parametrize(
    ("name", "word"), [(name, word) for name in sorted(NAMED_WITHOUT_LISTS) for word in NAMED_WITHOUT_LISTS[name]]
)
def test_a_list_is_refused_by_name(name: str, word: str) -> None:
    arguments = FIRST.get(name, [jax.random.key(0)] if name.startswith("jax.random.") else [ARRAY])
    of(name)(*arguments, **{word: OTHERS.get(word, ARRAY)})  # type: ignore[operator]
    with pytest.raises(TypeError) as raised:
        of(name)(*arguments, **{word: OTHERS.get(word, ARRAY).tolist()})  # type: ignore[operator]
    assert any(text in str(raised.value) for text in REFUSED)


@pytest.mark.parametrize("name", sorted(OF_ARRAYS))
def test_a_list_of_lists_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match="ndarray or scalar arguments"):
        of(name)([[1.0, 2.0], [3.0, 4.0]])  # type: ignore[operator]
