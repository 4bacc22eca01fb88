# The verdicts did not count the question that NumPy asks a scalar tracer which is stored into its array.
import functools

import jax
import numpy as np


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    host = np.ones(3)
    host[0] = s
    return x + host
