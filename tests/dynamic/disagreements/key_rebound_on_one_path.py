# Static miss: a traced argument was not known to be a key where it met another key.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    for _ in range(x.shape[0] - 2):
        key, _ = jax.random.split(key)
    for _ in range(n):
        x = x + jax.random.normal(key, (3,))
    return x
