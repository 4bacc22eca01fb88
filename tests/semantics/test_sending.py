"""Which compiled functions return before their results are there."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
import pytest

from jaxlint.semantics.sending import AWAITED, DISPATCHING

TRANSFORMS = {"jax.jit": jax.jit, "equinox.filter_jit": eqx.filter_jit}


def is_ready_at_once(name: str) -> bool:
    compiled = TRANSFORMS[name](lambda x: jax.lax.fori_loop(0, 30, lambda _, y: jnp.tanh(y @ y), x).sum())
    x = jnp.ones((400, 400))
    compiled(x).block_until_ready()
    return all(compiled(x).is_ready() for _ in range(4))


@pytest.mark.parametrize("name", sorted(AWAITED))
def test_an_awaited_function_returns_when_all_is_computed(name: str) -> None:
    assert is_ready_at_once(name)


def test_another_one_returns_before() -> None:
    assert "jax.jit" in DISPATCHING - AWAITED
    assert not is_ready_at_once("jax.jit")
