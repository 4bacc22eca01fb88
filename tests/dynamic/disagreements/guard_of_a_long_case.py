# Python 3.11 gives the jump of a guard another place, and a long jump two instructions.
import jax
import jax.numpy as jnp


def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    t = jnp.float32(2.0)
    match t:
        case s2 if s2 > 0:
            x = jnp.where(x > 0, jnp.sin(x) + jnp.cos(x), jnp.tanh(x) + jnp.exp(x)) * jnp.where(x < 0, x + s, x - s)
            x = jnp.where(x > 1, jnp.sin(x) + jnp.cos(x), jnp.tanh(x) + jnp.exp(x)) * jnp.where(x < 1, x + s, x - s)
            x = jnp.where(x > 2, jnp.sin(x) + jnp.cos(x), jnp.tanh(x) + jnp.exp(x)) * jnp.where(x < 2, x + s, x - s)
    return x


main = jax.jit(main, static_argnums=(5, 6))
