# Static miss: the key of a pass of a loop was taken for the key of a lane.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    keys = jax.random.split(key, 3)

    def noisy(e):
        for k in keys:
            e = e + jax.random.normal(k)
        return e

    return jax.vmap(noisy)(x)
