"""The table of functions that take no lists says what JAX does."""

from __future__ import annotations

from functools import reduce

import jax
import jax.numpy as jnp
import pytest

from jaxlint.semantics.lists import OF_ARRAYS, WITHOUT_LISTS

ARRAY = jnp.array([1.0, 2.0])


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
        try:
            of(name)(*arguments)  # type: ignore[operator]
        except Exception as error:
            tried.append(str(error))
    assert any("ndarray or scalar arguments" in text for text in tried), tried


@pytest.mark.parametrize("name", sorted(OF_ARRAYS))
def test_a_list_of_lists_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match="ndarray or scalar arguments"):
        of(name)([[1.0, 2.0], [3.0, 4.0]])  # type: ignore[operator]
