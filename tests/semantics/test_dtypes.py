"""The table of dtypes says what JAX and NumPy say."""

from __future__ import annotations

import inspect
from functools import reduce

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxlint.semantics.dtypes import DTYPE_POSITIONS, WIDE, WIDE_TEXTS, narrowed


@pytest.mark.parametrize("name", sorted(DTYPE_POSITIONS))
def test_the_parameter_is_a_dtype(name: str) -> None:
    parameters = list(inspect.signature(reduce(getattr, name.split(".")[1:], jax)).parameters)
    assert parameters[DTYPE_POSITIONS[name]] in ("dtype", "new_dtype")


@pytest.mark.parametrize("name", sorted(WIDE))
def test_the_type_is_narrowed(name: str) -> None:
    module, _, short = name.rpartition(".")
    found = getattr({"jax.numpy": jnp, "numpy": np}[module], short, None)
    if found is None:
        pytest.skip(f"{module} has no {short}")
    assert np.dtype(found) == WIDE[name]
    with pytest.warns(UserWarning, match="is not available"):
        assert jnp.zeros(2, found).dtype == narrowed(WIDE[name])


@pytest.mark.parametrize("text", sorted(WIDE_TEXTS))
def test_the_text_means_the_type(text: str) -> None:
    assert np.dtype(text) == WIDE_TEXTS[text]
