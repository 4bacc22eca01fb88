# Static false alarm: that a loop may have no pass was taken for the reuse of a key that it rebinds.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    def noisy(v):
        return v + jax.random.normal(key, (3,))

    x = jax.lax.cond(s > 0, noisy, lambda v: v, x)
    for e in x:
        key, sub = jax.random.split(key)
        s = s + e * jax.random.normal(sub)
    return s + jax.random.normal(key, (3,))
