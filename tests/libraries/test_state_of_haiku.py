"""The modules of haiku that keep state: `hk.transform` has no place for it, whatever else they are told."""

from __future__ import annotations

from collections.abc import Callable

import haiku as hk
import jax
import jax.numpy as jnp
import pytest

from jaxlint.semantics.libraries.haiku import STATEFUL

ROWS, IMAGES = jnp.ones((2, 4)), jnp.ones((1, 32, 32, 3))


def called(name: str) -> Callable[[], object]:
    """A call of the module, as it is made by default."""
    module = getattr(hk.nets if name.startswith("nets.") else hk, name.rpartition(".")[2])
    if name == "BatchNorm":
        return lambda: module(True, True, 0.9)(ROWS, True)
    if name == "ExponentialMovingAverage":
        return lambda: module(0.9)(ROWS)
    if name == "SpectralNorm":
        return lambda: module()(ROWS)
    if name == "nets.VectorQuantizerEMA":
        return lambda: module(4, 3, 0.1, 0.9)(ROWS, True)
    if name == "nets.ResNet":
        return lambda: module((1, 1, 1, 1), 3)(IMAGES, True)
    return lambda: module(3)(IMAGES, True) if "ResNet" in name else module()(IMAGES, True)


@pytest.mark.parametrize("name", sorted(one.removeprefix("haiku.") for one in STATEFUL))
def test_the_module_asks_for_state(name: str) -> None:
    with pytest.raises(ValueError, match="transform_with_state"):
        jax.eval_shape(hk.transform(called(name)).init, jax.random.key(0))
