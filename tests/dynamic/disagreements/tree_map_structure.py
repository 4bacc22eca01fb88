# Static miss: the result of jax.tree.map over a list that is known was a tree that nothing was known of.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    v, _ = jax.tree.map(lambda leaf: leaf * 2.0, [x, s])
    if v[0] > 0:
        return x
    return v
