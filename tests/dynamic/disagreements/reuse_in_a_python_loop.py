# The reuse was at the draw for the oracle and at the call in the loop for the static analysis.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    def noisy(v):
        return v + jax.random.normal(key, (3,))

    for _ in range(2):
        x = noisy(x)
    return x
