# The oracle told of one key only where two are spent in loops that are called on the line of a comprehension.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    first, second = jax.random.split(key)

    def step(carry, e):
        return carry + jax.random.normal(first), jax.random.normal(second)

    return jax.lax.scan(step, s, jax.numpy.stack([v * 2 for v in x]))
