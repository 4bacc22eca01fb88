# The oracle overlooked what `update` is given by keyword, and called JAX's leak check an exception.
import functools

import jax

TABLE = {"a": 1}


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    def inner(v, m):
        TABLE.update(a=m)
        return v

    return jax.jit(inner)(x, n)
