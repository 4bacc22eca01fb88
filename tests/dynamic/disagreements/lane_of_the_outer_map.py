# Static miss: a key that differs in the lanes of the outer map only was taken for one of the inner map, too.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    def row(k, t):
        return jax.vmap(lambda e: e + t * jax.random.normal(k))(x)

    return jax.vmap(row)(jax.random.split(key, 3), x)
