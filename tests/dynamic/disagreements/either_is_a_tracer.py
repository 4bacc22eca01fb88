# Static miss: what is stored is an argument or a new array, and a tracer in any case.
import functools

import jax
import jax.numpy as jnp


class Model:
    pass


MODEL = Model()


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    chosen = opt
    if chosen is None:
        chosen = jnp.zeros(x.shape)
    MODEL.last = chosen
    return x
