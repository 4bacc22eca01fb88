# A wrong place: Python 3.11 says that the jump of `or` belongs to the comparison before it.
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    if x.ndim == 1 and (jnp.bool_(True) or flag):
        return x
    return -x
