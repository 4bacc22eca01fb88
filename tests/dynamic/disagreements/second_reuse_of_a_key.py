# The oracle told of the first reuse of a key only, so that a finding about another looked false.
import functools

import jax


def noise(k):
    return jax.random.normal(jax.random.split(k)[0], (3,))


@functools.partial(jax.jit, static_argnames=("n", "flag"))
def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    def loss(v):
        def inner(u):
            jax.random.normal(key, (3,))
            return s

        jax.grad(inner)(v)
        return jax.random.uniform(key) * 2.0

    return jax.value_and_grad(loss)(noise(key))[1]
