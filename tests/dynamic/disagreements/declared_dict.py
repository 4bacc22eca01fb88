# Static miss: what is declared to be a dict of arrays was not known to hold arrays.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    copy = {**params, "c": x}
    if copy["b"]:
        x = -x
    return x
