# The oracle invented a leak: the second trace, which looks for leaks, kept frames to look for outer writes.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    rows = []
    for number in range(2):
        rows.append(x * number)
    return sum(rows)
