# The comparison took the call of `checkpoint` for one of the function that it is given.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    x = x + jax.random.normal(key, (3,))
    later = jax.checkpoint(lambda v: v * jax.random.uniform(key))
    return x if callable(later) else s
