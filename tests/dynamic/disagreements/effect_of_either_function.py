# Static miss: an effect of one of two functions, of which a static argument tells which is called.
import functools

import jax
import jax.numpy as jnp

TABLE = {"a": 1}


def clears(x):
    del TABLE["a"]
    print(x)
    return x


@functools.partial(jax.jit, static_argnums=(5, 6))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    chosen = [jax.checkpoint(jnp.sin), functools.partial(clears)][n - 1]
    return jax.lax.cond(True, chosen, chosen, x)
