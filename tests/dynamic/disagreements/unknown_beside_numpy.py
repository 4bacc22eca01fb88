# Static alarm: NumPy was thought to compute what is added to a NumPy array, whatever that is.
import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    shifted = np.ones(3) + getattr(jnp, ("sin", "cos")[n - 1])(x)
    return shifted[jnp.argmax(x)]
