# Static miss: a clone that is made in a map was taken for another key in each lane.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    def noisy(e):
        return e + jax.random.normal(jax.random.clone(key))

    return jax.vmap(noisy)(x)
