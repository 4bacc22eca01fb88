# Static miss: a clone of a key from a constant seed is as constant.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    return x + jax.random.normal(jax.random.clone(jax.random.PRNGKey(1)), (3,))
