"""Masks, slices, sequences, sizes and defaults, rewritten."""

from __future__ import annotations

import pytest

from tests.fixes.fixed_text import fixed, fixed_body

MASKS = {
    "return x[x > 0].sum()": "return x.sum(where=x > 0)",
    "return x[x > 0].mean(dtype=float)": "return x.mean(where=x > 0, dtype=float)",
    "return jnp.sum(x[x > 0])": "return jnp.sum(x, where=x > 0)",
    "return x.at[x < 0].set(0.0)": "return jnp.where(x < 0, 0.0, x)",
    "return x.at[x < 0].multiply(-1)": "return jnp.where(x < 0, x * -1, x)",
    # what is selected is used, has as many items as were selected, or another axis
    "return x[x > 0]": "return x[x > 0]",
    "return x[x > 0].max()": "return x[x > 0].max()",
    "return x[x > 0].sum(axis=0)": "return x[x > 0].sum(axis=0)",
    "return x.at[x < 0].set(y)": "return x.at[x < 0].set(y)",
    "return x[x > 0, 1].sum()": "return x[x > 0, 1].sum()",
}


@pytest.mark.parametrize("before", MASKS)
def test_mask(before: str) -> None:
    assert fixed_body(before, "JAX221") == MASKS[before]


def test_a_mask_of_rows_is_not_safe() -> None:
    body = "return x[y > 0].sum()"
    assert fixed_body(body, "JAX221", unsafe=False) == body
    assert fixed_body("return x[x > 0].sum()", "JAX221", unsafe=False) == "return x.sum(where=x > 0)"


SLICES = {
    "return x[n : n + 3]": "return jax.lax.dynamic_slice_in_dim(x, n, 3)",
    "return x[2 * n - 1 : 2 * n + 2]": "return jax.lax.dynamic_slice_in_dim(x, 2 * n - 1, 3)",
    "return x[:, n : 4 + n]": "return jax.lax.dynamic_slice_in_dim(x, n, 4, axis=1)",
    "return x[:n]": "return x[:n]",
    "return x[n : n + y]": "return x[n : n + y]",
    "return x[n : n + 3 : 2]": "return x[n : n + 3 : 2]",
    "return x[n + 3 : n]": "return x[n + 3 : n]",
    "return x[0, n : n + 3]": "return x[0, n : n + 3]",
    "return x[..., n : n + 3]": "return x[..., n : n + 3]",
}


@pytest.mark.parametrize("before", SLICES)
def test_slice(before: str) -> None:
    assert fixed_body(before, "JAX224") == SLICES[before]


def test_slice_by_a_declared_count() -> None:
    before = "import jax\n\n\n@jax.jit\ndef f(x, n: int):\n    return x[:n]\n"
    after = fixed(before, "JAX224")
    assert after.endswith('@partial(jax.jit, static_argnames="n")\ndef f(x, n: int):\n    return x[:n]\n')


SIZES = {
    "return jnp.nonzero(x)": "return jnp.nonzero(x, size=x.size, fill_value=-1)",
    "return jnp.where(x > 0)": "return jnp.where(x > 0, size=x.size, fill_value=-1)",
    "return jnp.unique(x)": "return jnp.unique(x, size=x.size)",
    "return jnp.union1d(x, y)": "return jnp.union1d(x, y, size=x.size + y.size)",
    "return jnp.unique(x, return_counts=True)": "return jnp.unique(x, return_counts=True)",
    "return jnp.nonzero(jnp.sin(x))": "return jnp.nonzero(jnp.sin(x))",
    "return jnp.bincount(x)": "return jnp.bincount(x)",
}


@pytest.mark.parametrize("before", SIZES)
def test_size(before: str) -> None:
    assert fixed_body(before, "JAX222") == SIZES[before]


SEQUENCES = {
    "rates = [0.1, -0.2]\nreturn rates[n]": "rates = [0.1, -0.2]\nreturn jnp.asarray(rates)[n]",
    "return ((1, 2), (3, 4))[n]": "return jnp.asarray(((1, 2), (3, 4)))[n]",
    "table = np.arange(9)\nreturn table[n]": "table = np.arange(9)\nreturn jnp.asarray(table)[n]",
    "table = np.arange(9)\nreturn table[:n]": "table = np.arange(9)\nreturn table[:n]",
    "return [x, y][n]": "return [x, y][n]",
    "return [[1], [2, 3]][n]": "return [[1], [2, 3]][n]",
    "rates = [1, 2]\nrates.append(x)\nreturn rates[n]": "rates = [1, 2]\nrates.append(x)\nreturn rates[n]",
}


@pytest.mark.parametrize("before", SEQUENCES)
def test_sequence(before: str) -> None:
    assert fixed_body(before, "JAX214") == SEQUENCES[before]


STATICS = {
    "return x.reshape(int(jnp.prod(jnp.array(x.shape))))": "return x.reshape(int(np.prod(np.array(x.shape))))",
    "return x / float(jnp.sqrt(x.shape[0]))": "return x / float(np.sqrt(x.shape[0]))",
    "return jnp.zeros(jnp.ceil(x.shape[0] / 2).astype(int))": "return jnp.zeros(np.ceil(x.shape[0] / 2).astype(int))",
    "return x / int(jnp.sum(jnp.array(jnp.sin(x).shape)))": "return x / int(np.sum(np.array(jnp.sin(x).shape)))",
    "m = jnp.prod(x.shape[0])\nreturn x.reshape(int(m))": "m = jnp.prod(x.shape[0])\nreturn x.reshape(int(m))",
}


@pytest.mark.parametrize("before", STATICS)
def test_static(before: str) -> None:
    assert fixed_body(before, "JAX207") == STATICS[before]


def test_defaults_of_dataclasses() -> None:
    before = """
        from dataclasses import dataclass, field

        import jax
        import jax.numpy as jnp


        @dataclass
        class State:
            width = 3
            names: list = field(default_factory=list)
            weight: jax.Array = jnp.zeros(3)
            bias: jax.Array = jnp.zeros(width)
    """
    after = fixed(before, "JAX116")
    assert "    weight: jax.Array = field(default_factory=lambda: jnp.zeros(3))\n" in after
    assert "    bias: jax.Array = jnp.zeros(width)\n" in after


def test_waiting() -> None:
    after = fixed_body("y.block_until_ready()\nreturn (x + y).block_until_ready()", "JAX217")
    assert after == "jax.block_until_ready(y)\nreturn jax.block_until_ready(x + y)"
