"""What the fixes of the other tests mean: the code before, run without a trace, against the code after, under jit."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.fixes.test_functions import CONVERSIONS, REDUCTIONS, TWINS
from tests.fixes.test_indexing import MASKS, SEQUENCES, STATICS
from tests.fixes.test_printing import PRINTS
from tests.fixes.test_truth import BRANCHES, OPERATORS

Inputs = tuple[Any, Any, Any]

SCALARS = [
    (jnp.float32(1.5), jnp.float32(2.5), jnp.int32(1)),
    (jnp.float32(-1.5), jnp.float32(0.5), jnp.int32(0)),
    (jnp.float32(0.25), jnp.float32(-2.5), jnp.int32(1)),
]
ARRAYS = [(jnp.array([1.0, -2.0, 3.0, 4.0]), jnp.array([2.0, 2.0, 1.0, 0.0]), jnp.int32(1))]
LISTS = [([jnp.float32(1.0), jnp.float32(-2.0), jnp.float32(3.0)], jnp.float32(1.0), jnp.int32(1))]

PAIRS = {
    (before, after): inputs
    for table, inputs in [
        (BRANCHES, SCALARS),
        (OPERATORS, SCALARS),
        (CONVERSIONS, SCALARS),
        (REDUCTIONS, SCALARS),
        (TWINS, ARRAYS),
        (MASKS, ARRAYS),
        (SEQUENCES, ARRAYS),
        (STATICS, ARRAYS),
    ]
    for before, after in table.items()
    if before != after
}


def _inputs(before: str, inputs: list[Inputs]) -> list[Inputs]:
    if " for v in x" in before:
        return LISTS
    return ARRAYS if "sorted" in before else inputs


def _function(body: str) -> Any:
    names: dict[str, Any] = {"jax": jax, "jnp": jnp, "np": np, "g": jnp.sin, "h": jnp.cos}
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    exec(f"def f(x, y, n):\n{lines}", names)
    return names["f"]


@pytest.mark.parametrize(("before", "after"), PAIRS)
def test_result_is_the_same(before: str, after: str) -> None:
    for arguments in _inputs(before, PAIRS[before, after]):
        plain, fixed = _function(before)(*arguments), jax.jit(_function(after))(*arguments)
        assert np.shape(fixed) == np.shape(plain)
        assert np.allclose(fixed, plain, equal_nan=True)


@pytest.mark.parametrize("before", [before for before in PRINTS if "=}" not in before])
def test_text_is_the_same(before: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as plain:
        _function(before)(*SCALARS[0])
    with contextlib.redirect_stdout(io.StringIO()) as fixed:
        jax.block_until_ready(jax.jit(_function(f"{PRINTS[before]}\nreturn x"))(*SCALARS[0]))
        jax.effects_barrier()
    assert fixed.getvalue() == plain.getvalue()
