# Static miss: a transform of one of two functions made something unknown.
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    if jax.checkpoint(jnp.sin if flag else jnp.cos)(x)[0]:
        x = -x
    return x
