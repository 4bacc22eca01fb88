# The oracle invented a leak: JAX keeps a trace that an exception ends, and so the tracers that it closes over.
import functools

import jax


def refused(v, t):
    v = v + t * 2
    raise TypeError(v)


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    try:  # noqa: SIM105
        x = jax.jit(functools.partial(refused, t=s))(x)
    except TypeError:
        pass
    return x
