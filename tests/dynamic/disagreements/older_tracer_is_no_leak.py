# The oracle invented a leak: what is stored, and where, are as old as each other.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    def loss(v):
        params["w"] = x
        return v.sum()

    return jax.grad(loss)(x) + params["w"]
