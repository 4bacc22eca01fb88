# Static miss: a key from a constant seed was forgotten on its way through the carry of a loop.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    def step(carry, e):
        k, v = carry
        k, sub = jax.random.split(k)
        return (k, v + jax.random.normal(sub)), e

    return jax.lax.scan(step, (jax.random.PRNGKey(1), x), x)
