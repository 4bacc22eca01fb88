# Static miss: nothing was known of a gradient, though it is like the argument it belongs to.
import functools

import jax


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    gradient = jax.grad(lambda v: (v**2).sum())(x)
    if gradient[0] > 0:
        return x
    _, gradients = jax.value_and_grad(lambda v, t: (v * t).sum(), argnums=(0, 1))(x, s)
    return float(gradients[1]) * x
