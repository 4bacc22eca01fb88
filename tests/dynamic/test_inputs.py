"""Inputs: arguments as JSON, and calls made up from what a function says about itself."""

from __future__ import annotations

import functools
import json
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxlint.dynamic.inputs import signatures
from jaxlint.dynamic.inputs.calls import Call, describe
from jaxlint.dynamic.observations import Origin


class State(NamedTuple):
    mean: Any
    count: Any


CALLS = {
    "arrays": ((jnp.zeros((3, 4)), jnp.int32(1)), {}),
    "numbers": ((2, 0.5, True, None, float("inf"), 1j), {}),
    "text is not an array": (("float32[3]",), {"mode": "same"}),
    "containers": (([1, (2, 3)], {"w": jnp.ones(2), "b": {1: "x"}}, {1, 2}, frozenset({3})), {}),
    "functions": ((jnp.sin, functools.partial(jnp.sum, axis=0), jnp.float32, jnp.dtype("bfloat16"), jax.lax), {}),
    "slices": ((slice(1, None), range(3), ...), {}),
    "typed key": ((jax.random.key(0),), {"rng": jax.random.PRNGKey(1)}),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_call_survives_json(call: tuple[tuple[Any, ...], dict[str, Any]]) -> None:
    args, kwargs = signatures.decode(json.loads(json.dumps(signatures.encode(*call))))
    for before, after in zip([*call[0], *call[1].values()], [*args, *kwargs.values()], strict=True):
        leaves, structure = jax.tree_util.tree_flatten(before)
        assert jax.tree_util.tree_structure(after) == structure
        for one, other in zip(leaves, jax.tree_util.tree_leaves(after)):
            if isinstance(one, jax.Array):
                assert (other.shape, other.dtype) == (one.shape, one.dtype)
            elif isinstance(one, functools.partial):
                assert (other.func, other.keywords) == (one.func, one.keywords)
            else:
                assert other == one


def test_arrays_read_as_their_types() -> None:
    encoded = signatures.encode((jnp.zeros((3, 4)), np.zeros(2, np.int32)), {"lr": 0.1})
    assert encoded == {"args": ["float32[3,4]", "numpy int32[2]"], "kwargs": {"lr": 0.1}}


def test_weak_types_are_kept() -> None:
    seen = []
    jax.make_jaxpr(lambda x: seen.append(signatures.encode((x,), {})) or x)(2.0)
    assert seen == [{"args": ["float32[] weak"], "kwargs": {}}]


def test_an_array_that_no_trace_lifts_keeps_its_value() -> None:
    encoded = signatures.encode((np.arange(3),), {}, lift=False)
    assert not signatures.has_traced(encoded)
    assert signatures.decode(encoded)[0][0].tolist() == [0, 1, 2]


def test_what_has_no_name_is_refused() -> None:
    with pytest.raises(signatures.Unencodable, match="lambda"):
        signatures.encode((lambda x: x,), {})


def test_numpy_only_calls_are_told_apart() -> None:
    assert signatures.is_numpy_only(signatures.encode((np.zeros(2), 1), {}))
    assert not signatures.is_numpy_only(signatures.encode((np.zeros(2), jnp.zeros(2)), {}))


def test_a_call_reads_on_one_line_whatever_its_arguments_say_of_themselves() -> None:
    class Layer:
        def __repr__(self) -> str:
            return "Layer(\n  size=3,\n)"

    said = describe(
        "apply", ["layer", "x"], Call((Layer(), jax.ShapeDtypeStruct((3,), "float32")), {}, Origin.RECORDED)
    )
    assert said == "apply(layer=Layer( size=3, ), x: float32[3])"
