# Static miss: nothing was known of the tangent that jax.jvp returns.
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    if jax.jvp(jnp.sin, (x,), (x,))[1][0] > 0:
        return x
    return s
