# A wrong verdict: a part of the condition ran, and its end was never reached.
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    return x if jnp.all(jax.random.normal(jax.random.PRNGKey(0), (3,)) == x[:i].sum()) else -x
