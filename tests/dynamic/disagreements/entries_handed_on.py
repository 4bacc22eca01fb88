# Static miss: what a dict display had copied from a traced argument was not known to be traced.
import functools
from typing import NamedTuple

import jax


class State(NamedTuple):
    w: jax.Array
    b: jax.Array


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    w, b = State(**{**params, "w": x})
    return w if b > 0 else -w
