# Static miss: keys from a constant seed were forgotten where a map takes them apart.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    return x + jax.vmap(lambda k: jax.random.normal(k))(jax.random.split(jax.random.PRNGKey(1), 3))
