# jaxlint did not know that a pattern asks for parts, nor what `tree.map` makes of a record.
import dataclasses
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.tree_util.register_dataclass, data_fields=["w", "b"], meta_fields=["power"])
@dataclasses.dataclass(frozen=True)
class Data:
    w: jax.Array
    b: jax.Array
    power: int = 2


def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    match jax.tree.map(jnp.sin, Data(**params)):
        case Data(w=w, b=0.0):
            x = w
    return x


main = jax.jit(main, static_argnums=(5, 6))
