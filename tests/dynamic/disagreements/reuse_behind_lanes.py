# The oracle saw that the lanes share a key, and for that not that every round of the loop uses it again.
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    def body(e):
        return jax.vmap(lambda v: v + jax.random.normal(key, (3,)))(jnp.stack([x, x])).sum() * e

    return jax.lax.map(body, x)
