# The comparison counted the draws of two traces as two passes of a Python loop, and took its alarm for a false one.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    for _ in range(x.size - 2):
        x = x + jax.random.normal(key, (3,))
    return x
