# Static false alarm: what the body of a scan returns is not the object that its next round is given.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    table = dict(params)

    def step(carry, e):
        carry["w"] = carry["w"] * e
        return (carry if flag else table), None

    return jax.lax.scan(step, table, x)[0]
