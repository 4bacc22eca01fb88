"""The functions of `jax.lax` in the tables take what they say, and nothing else."""

from __future__ import annotations

from functools import reduce
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxlint.semantics.strict_dtypes import OF_FLOATS, OF_ONE_DTYPE, OF_ONE_RANK, OF_SAME_RANK

FLOATS, INTS = jnp.ones(3), jnp.arange(3)


def of(name: str) -> Any:
    return reduce(getattr, name.split(".")[1:], jax)


def called(name: str, first: Any, other: Any) -> object:
    """Calls it with ``other`` as the last of the operands that have to be of one dtype."""
    function = of(name)
    if name.endswith("select"):
        return function(FLOATS > 0, first, other)
    if name.endswith("clamp"):
        return function(first, first, other)
    if name.endswith("dynamic_update_slice"):
        return function(first, other, (0,))
    if name.endswith("pad"):
        return function(first, other[0], [(0, 1, 0)])
    return function(first, other)


@pytest.mark.parametrize("name", sorted(OF_ONE_DTYPE))
def test_operands_are_of_one_dtype(name: str) -> None:
    called(name, FLOATS, FLOATS)
    for first, other in ((FLOATS, INTS), (INTS, FLOATS)):
        with pytest.raises(TypeError, match="dtype"):
            called(name, first, other)


@pytest.mark.parametrize("name", sorted(OF_FLOATS))
def test_whole_numbers_are_refused(name: str) -> None:
    of(name)(FLOATS)
    for operand in (INTS, INTS > 0):
        with pytest.raises(TypeError, match="dtype"):
            of(name)(operand)


@pytest.mark.parametrize("name", sorted(OF_ONE_RANK))
def test_operands_are_of_one_rank_or_scalars(name: str) -> None:
    integers = "bitwise" in name or "shift" in name
    row, rows, one = (jnp.ones(shape, jnp.int32 if integers else jnp.float32) for shape in ((3,), (2, 3), ()))
    for first, other in ((row, one), (one, rows), (rows, row[None])):
        of(name)(first, other)
    for first, other in ((row, rows), (rows, row)):
        with pytest.raises(TypeError, match="same number of dimensions"):
            of(name)(first, other)


@pytest.mark.parametrize("name", sorted(OF_SAME_RANK))
def test_a_scalar_does_not_go_with_an_array(name: str) -> None:
    called(name, FLOATS, FLOATS)
    with pytest.raises(TypeError, match=r"shape|rank"):
        called(name, FLOATS, FLOATS[0])
