# Static miss: what ** hands on of a traced dict to a function that takes it by ** was not known to be traced.
import functools

import jax

TABLE = {}


def kept(v, **more):
    TABLE["last"] = more["w"]
    return v


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    return kept(x, **{name: leaf for name, leaf in params.items()})  # noqa: C416
