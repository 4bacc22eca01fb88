"""The table of jax.random against the installed jax.random, and against JAX's own key reuse checker."""

from __future__ import annotations

import inspect
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax.experimental.key_reuse import _core as key_reuse

from jaxlint.semantics import random as table
from jaxlint.semantics.model import KeyEffect, KeyFunction

KEY = jax.random.key(0)
FRACTIONS = jnp.array([0.25, 0.75])

# What a parameter without a default can be given.
VALUES: dict[str, Any] = {
    "logits": FRACTIONS,
    "mean": FRACTIONS,
    "cov": jnp.eye(2),
    "alpha": FRACTIONS,
    "x": FRACTIONS,
    "shape": (2,),
    "minval": 0,
    "maxval": 4,
    "lower": 0.0,
    "upper": 1.0,
    "d": 2,
    "n": 2,
    "data": 1,
    "left": 0.0,
    "mode": 0.5,
    "right": 1.0,
    "a": 2.0,
}
GONE = {"shuffle"}  # Removed from jax.random, kept in the table for older projects.
PRESENT = {name: function for name, function in table.KEY_FUNCTIONS.items() if name not in GONE}


def arguments(name: str, function: KeyFunction) -> list[Any]:
    """What the required parameters after the key are given."""
    given = {parameter: VALUES.get(parameter, 0.5) for parameter in function.parameters[1 : function.required]}
    if name == "multinomial":
        given["p"] = FRACTIONS
    if name == "wald":
        given["mean"] = 0.5
    return list(given.values())


def test_every_public_function_is_in_the_table_or_left_out_for_a_reason() -> None:
    public = {name for name in dir(jax.random) if not name.startswith("_") and callable(getattr(jax.random, name))}
    modules = {name for name in public if inspect.ismodule(getattr(jax.random, name))}
    assert public - modules - set(table.KEY_FUNCTIONS) - set(table.LEFT_OUT) == set()


@pytest.mark.parametrize("name", PRESENT)
def test_parameters_are_those_of_the_signature(name: str) -> None:
    parameters = inspect.signature(getattr(jax.random, name)).parameters.values()
    positional = [parameter for parameter in parameters if parameter.kind is parameter.POSITIONAL_OR_KEYWORD]
    function = table.KEY_FUNCTIONS[name]
    assert function.parameters == tuple(parameter.name for parameter in positional)
    assert function.required == sum(parameter.default is parameter.empty for parameter in positional)
    assert function.key == (0, positional[0].name)


@pytest.mark.parametrize("name", [name for name in PRESENT if PRESENT[name].effect is not KeyEffect.CREATE])
def test_effect_is_that_of_the_key_reuse_checker(name: str) -> None:
    function = PRESENT[name]
    if name == "key_impl":
        pytest.skip("it returns a string, which the checker cannot trace")
    rest = arguments(name, function)

    def call(key: jax.Array) -> jax.Array:
        return getattr(jax.random, name)(key, *rest)

    signature = key_reuse.function_type_signature(call, KEY)
    assert bool(list(signature.sinks)) == (function.effect in {KeyEffect.DRAW, KeyEffect.SPLIT})
    returns_keys = jax.dtypes.issubdtype(jax.eval_shape(call, KEY).dtype, jax.dtypes.prng_key)
    assert returns_keys == (function.effect in {KeyEffect.SPLIT, KeyEffect.FOLD, KeyEffect.CLONE})
    assert list(signature.sources) or not returns_keys


@pytest.mark.parametrize("name", [name for name in PRESENT if PRESENT[name].effect is KeyEffect.CREATE])
def test_constructors_return_keys(name: str) -> None:
    seed = jnp.zeros(2, "uint32") if name == "wrap_key_data" else 0
    made = getattr(jax.random, name)(seed)
    assert jax.dtypes.issubdtype(made.dtype, jax.dtypes.prng_key) or made.dtype == "uint32"


def consumes(initializer: Any) -> bool:
    signature = key_reuse.function_type_signature(lambda key: initializer(key, (3, 4, 4), jnp.float32), KEY)
    return bool(list(signature.sinks))


def test_every_initializer_is_classified() -> None:
    module = jax.nn.initializers
    public = {name for name in dir(module) if not name.startswith("_") and callable(getattr(module, name))}
    classified = table.INITIALIZERS | table.KEYLESS_INITIALIZERS | table.DIRECT_INITIALIZERS
    assert public - {"Initializer"} == classified


@pytest.mark.parametrize("name", sorted(table.INITIALIZERS))
def test_initializer_factories_make_functions_that_draw(name: str) -> None:
    options = (1.0, "fan_in", "normal") if name == "variance_scaling" else ()
    assert consumes(getattr(jax.nn.initializers, name)(*options))


def test_constant_initializers_ignore_their_key() -> None:
    assert not consumes(jax.nn.initializers.constant(1.0))
    assert not consumes(jax.nn.initializers.zeros)
    assert not consumes(jax.nn.initializers.ones)
