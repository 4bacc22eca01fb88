"""What optax's own optimisers ask of `update`, and which of them go by the gradients of before."""

from __future__ import annotations

import inspect
from typing import Any

import jax.numpy as jnp
import optax
import pytest

from jaxlint.semantics.optimisers import KEEPING, NEEDED, WITH_PARAMETERS, WITHOUT_PARAMETERS

PARAMS = jnp.array([[1.0, 2.0], [3.0, 4.0]])
GRADIENTS = jnp.array([[0.1, -0.2], [0.3, 0.4]])
OPTIONS: dict[str, dict[str, Any]] = {
    "MultiSteps": {"opt": optax.sgd(0.1), "every_k_schedule": 2},
    "lbfgs": {"learning_rate": 0.1, "linesearch": None},
    "optimistic_adam_v2": {"learning_rate": 0.1},
    "scale_by_schedule": {"step_size_fn": lambda step: 0.1},
    "noisy_sgd": {"learning_rate": 0.1},
    "add_noise": {"eta": 0.1, "gamma": 0.5, "key": 0},
}
NUMBERS = {"learning_rate": 0.1, "weight_decay": 0.1, "decay": 0.9}


def made(name: str) -> Any:
    """The optimiser of that name with its default options, and some number for each that has none."""
    make = getattr(optax, name)
    if name in OPTIONS:
        return make(**OPTIONS[name])
    asked = [one for one in inspect.signature(make).parameters.values() if one.default is one.empty]
    asked = [one for one in asked if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    return make(**{one.name: NUMBERS.get(one.name, 0.1) for one in asked})


@pytest.mark.parametrize("name", WITHOUT_PARAMETERS)
def test_an_optimiser_needs_no_parameters(name: str) -> None:
    assert NEEDED[f"optax.{name}"] == ()
    optimiser = made(name)
    optimiser.update(GRADIENTS, optimiser.init(PARAMS))


@pytest.mark.parametrize("name", WITH_PARAMETERS)
def test_an_optimiser_needs_parameters(name: str) -> None:
    optimiser = made(name)
    state = optimiser.init(PARAMS)
    with pytest.raises((ValueError, TypeError)):
        optimiser.update(GRADIENTS, state)
    optimiser.update(GRADIENTS, state, PARAMS)


@pytest.mark.parametrize("name", sorted(KEEPING))
def test_an_optimiser_goes_by_what_it_has_seen(name: str) -> None:
    optimiser = made(name.removeprefix("optax."))
    start = optimiser.init(PARAMS)
    _, after = optimiser.update(GRADIENTS, start, PARAMS)

    def updates(state: Any, by: float) -> Any:
        return optimiser.update(by * GRADIENTS, state, PARAMS)[0]

    assert any(not jnp.allclose(updates(start, by), updates(after, by)) for by in (-0.05, 1.0))
