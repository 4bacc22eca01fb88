"""The layers of libraries whose call gives one array, each called."""

from __future__ import annotations

from typing import Any

import equinox as eqx
import haiku as hk
import jax
import jax.numpy as jnp
import pytest
from flax import nnx

from jaxlint.semantics.libraries.equinox import ARRAY_LAYERS as EQUINOX
from jaxlint.semantics.libraries.flax import NNX_ARRAY_LAYERS
from jaxlint.semantics.libraries.haiku import ARRAY_LAYERS as HAIKU

KEY = jax.random.key(0)
IMAGE, ROWS = jnp.ones((1, 4, 4, 2)), jnp.ones((2, 4))


def spatial(layer: str) -> int:
    """How many axes a convolution or a pool slides over."""
    return int(layer[-2]) if layer[-1] in "dD" and layer[-2].isdigit() else 1


EQUINOX_OF: dict[str, tuple[tuple[Any, ...], dict[str, Any], tuple[Any, ...]]] = {
    "Conv": ((1, 2, 2, 1), {"key": KEY}, (jnp.ones((2, 4)),)),
    "ConvTranspose": ((1, 2, 2, 1), {"key": KEY}, (jnp.ones((2, 4)),)),
    "Dropout": ((0.0,), {}, (ROWS,)),
    "Embedding": ((3, 4), {"key": KEY}, (jnp.int32(1),)),
    "GRUCell": ((4, 4), {"key": KEY}, (ROWS[0], ROWS[0])),
    "GroupNorm": ((1, 2), {}, (ROWS,)),
    "Linear": ((4, 3), {"key": KEY}, (ROWS[0],)),
    "LayerNorm": ((4,), {}, (ROWS[0],)),
    "MLP": ((4, 3, 5, 1), {"key": KEY}, (ROWS[0],)),
    "MultiheadAttention": ((2, 4), {"key": KEY}, (ROWS, ROWS, ROWS)),
    "PReLU": ((), {}, (ROWS,)),
    "RMSNorm": ((4,), {}, (ROWS[0],)),
    "RotaryPositionalEmbedding": ((4,), {}, (ROWS,)),
}


@pytest.mark.parametrize("layer", EQUINOX)
def test_layers_of_equinox(layer: str) -> None:
    image = jnp.ones((2, *[4] * spatial(layer)))
    if layer.startswith("Adaptive"):
        given, options, inputs = (2,), {}, (image,)
    elif "Pool" in layer:
        given, options, inputs = (2, 1), {}, (image,)
    elif layer in EQUINOX_OF:
        given, options, inputs = EQUINOX_OF[layer]
    else:
        given, options, inputs = (2, 2, 1), {"key": KEY}, (image,)
    assert isinstance(getattr(eqx.nn, layer)(*given, **options)(*inputs), jax.Array)


NNX_OF: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "BatchNorm": ((4,), (ROWS,)),
    "Conv": ((2, 3, (2, 2)), (IMAGE,)),
    "ConvTranspose": ((2, 3, (2, 2)), (IMAGE,)),
    "Dropout": ((0.5,), (ROWS,)),
    "Einsum": (("ab,bc->ac", (4, 3)), (ROWS,)),
    "Embed": ((3, 4), (jnp.ones(2, int),)),
    "GroupNorm": ((4, 2), (ROWS,)),
    "InstanceNorm": ((2,), (IMAGE,)),
    "LayerNorm": ((4,), (ROWS,)),
    "Linear": ((4, 3), (ROWS,)),
    "LinearGeneral": ((4, 3), (ROWS,)),
    "LoRA": ((4, 2, 3), (ROWS,)),
    "LoRALinear": ((4, 3), (ROWS,)),
    "MultiHeadAttention": ((2, 4), (ROWS,)),
    "PReLU": ((), (ROWS,)),
    "RMSNorm": ((4,), (ROWS,)),
}


@pytest.mark.parametrize("layer", NNX_ARRAY_LAYERS)
def test_layers_of_nnx(layer: str) -> None:
    given, inputs = NNX_OF[layer]
    options: dict[str, Any] = {} if layer == "PReLU" else {"rngs": nnx.Rngs(0)}
    options |= {"lora_rank": 2} if layer == "LoRALinear" else {}
    options |= {"decode": False} if layer == "MultiHeadAttention" else {}
    assert isinstance(getattr(nnx, layer)(*given, **options)(*inputs), jax.Array)


HAIKU_OF: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "AvgPool": ((2, 1, "SAME"), (IMAGE,)),
    "BatchNorm": ((True, True, 0.9), (ROWS, True)),
    "Bias": ((), (ROWS,)),
    "ConvND": ((2, 3, 2), (IMAGE,)),
    "DepthwiseConv2D": ((1, 2), (IMAGE,)),
    "Embed": ((3, 4), (jnp.ones(2, int),)),
    "Flatten": ((), (IMAGE,)),
    "GroupNorm": ((1,), (IMAGE,)),
    "InstanceNorm": ((True, True), (IMAGE,)),
    "LayerNorm": ((-1, True, True), (ROWS,)),
    "Linear": ((3,), (ROWS,)),
    "MaxPool": ((2, 1, "SAME"), (IMAGE,)),
    "MultiHeadAttention": ((2, 2, 1.0), (ROWS, ROWS, ROWS)),
    "RMSNorm": ((-1,), (ROWS,)),
    "Reshape": (((2, -1),), (IMAGE,)),
    "SeparableDepthwiseConv2D": ((1, 2), (IMAGE,)),
}


@pytest.mark.parametrize("layer", HAIKU)
def test_layers_of_haiku(layer: str) -> None:
    slides = int(layer[4]) if layer[4:5].isdigit() else 0
    given, inputs = HAIKU_OF.get(layer, ((3, 2), (jnp.ones((1, *[4] * slides, 2)),)))
    function = hk.transform_with_state(lambda *inputs: getattr(hk, layer)(*given)(*inputs))
    params, state = function.init(KEY, *inputs)
    assert isinstance(function.apply(params, state, KEY, *inputs)[0], jax.Array)
