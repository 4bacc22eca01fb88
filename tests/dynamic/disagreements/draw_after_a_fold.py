# Invented by the oracle: `randint` splits its key itself, which was taken for a split beside the fold.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    folded = jax.random.fold_in(key, i)
    return x.at[jax.random.randint(key, (), 0, 3)].add(s), folded
