# The oracle missed text of a tracer that is written by a file's own method.
import functools
import sys

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    sys.stdout.write(str(x))
    return x
