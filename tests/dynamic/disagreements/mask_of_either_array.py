# Static miss: the index of what is one of two arrays was not looked at.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    either = opt
    if either is None:
        either = x * 2.0
    return either[x > 0].sum()
