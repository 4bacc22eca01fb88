# Static miss: an item that is deleted from an outer dict is a write like any other.
import functools

import jax

TABLE = {"a": 1}


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    del TABLE["a"]
    return x
