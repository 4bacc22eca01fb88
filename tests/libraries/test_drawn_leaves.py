"""The leaves of a layer that its table says are drawn are those that differ where the key does."""

from __future__ import annotations

import jax
import pytest

from jaxlint.semantics.libraries import DRAWN_LEAVES

SIZES = {"Embedding": (3, 4), "Linear": (3, 4), "Conv": (1, 3, 4, 2), "ConvTranspose": (1, 3, 4, 2)}


@pytest.mark.parametrize("name", DRAWN_LEAVES)
def test_another_key_makes_other_leaves(name: str) -> None:
    equinox = pytest.importorskip("equinox")
    layer = name.removeprefix("equinox.nn.")
    made = [getattr(equinox.nn, layer)(*SIZES.get(layer, (3, 4, 2)), key=jax.random.key(seed)) for seed in (0, 1)]
    first, second = (vars(one) for one in made)
    arrays = {field for field, value in first.items() if isinstance(value, jax.Array)}
    assert {field for field in arrays if bool((first[field] != second[field]).any())} == DRAWN_LEAVES[name]
