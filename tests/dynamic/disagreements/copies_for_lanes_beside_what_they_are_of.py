# jaxlint took copies of an array for all lanes for the array itself, in a function that is given both.
import jax


def helper(copies, s):
    return jax.grad(lambda t: t * t)(s)


@jax.jit
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    copies = jax.vmap(lambda e: s)(x)
    return helper(copies, s)
