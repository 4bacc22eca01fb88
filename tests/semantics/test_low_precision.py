"""Numbers of NumPy have the say beside arrays of half precision, and the functions of the table promote."""

from __future__ import annotations

from functools import reduce
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxlint.semantics.low_precision import COMBINING, HALVES, JNP_FLOATS, NUMPY_FLOATS


def of(name: str) -> Any:
    root, _, rest = name.partition(".")
    return reduce(getattr, rest.split("."), {"jax": jax, "numpy": np}[root])


@pytest.mark.parametrize("half", sorted(HALVES))
@pytest.mark.parametrize("name", sorted(NUMPY_FLOATS | JNP_FLOATS))
def test_a_number_has_the_say(name: str, half: str) -> None:
    x = jnp.ones(2, half)
    for number in (of(name)(1), of(name)(0.5)):
        assert (x * number).dtype == (number * x).dtype == (x**number).dtype == jnp.float32
    assert (x * 2.0).dtype == half


@pytest.mark.parametrize("name", sorted(COMBINING))
def test_operands_are_promoted(name: str) -> None:
    x = jnp.ones(2, jnp.bfloat16)
    for first, other in ((x, np.float32(1)), (np.float32(1), x), (x, x.astype(jnp.float16))):
        operands = (first, other) if COMBINING[name] == (0, 1) else (x > 0, first, other)
        assert of(name)(*operands).dtype == jnp.float32
