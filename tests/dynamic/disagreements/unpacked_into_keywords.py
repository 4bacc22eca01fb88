# Static miss: what ** unpacks from a traced argument was not known to be traced.
import functools

import jax


def scaled(w, b):
    if w.sum() > 0:
        return w
    return w * b


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    print(scaled(**params))
    return params["w"]
