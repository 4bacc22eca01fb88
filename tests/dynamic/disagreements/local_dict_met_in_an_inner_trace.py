# The oracle invented a write to outer state: a module's builtins led it to its own notes, where a local dict was.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    entries = {}

    def grows(v):
        inner = {}
        inner["w"] = v
        return inner["w"].sum() < 9.0

    v = jax.lax.while_loop(grows, lambda v: v * v + 1.0, x)
    entries["w"] = v
    return entries["w"]
