# Variables that are bound again before a closure runs.

import jax
import jax.numpy as jnp

# --- bound again before the closure runs
def main(key):
    key, sub = jax.random.split(key)
    first = jax.random.normal(sub)

    @jax.jit
    def shake(x):
        return x + jax.random.normal(sub)

    key, sub = jax.random.split(key)
    return first, shake(1.0)

# --- bound again before the mapped lambda runs
def main(key):
    key, sub = jax.random.split(key)
    first = jax.random.normal(sub)
    shake = jax.vmap(lambda x: x + jax.random.normal(sub))
    key, sub = jax.random.split(key)
    return first, shake(jnp.ones(2))

# --- bound again after the closure ran
def main(key):
    key, sub = jax.random.split(key)
    first = jax.random.normal(sub)

    @jax.jit
    def shake(x):
        return x + jax.random.normal(sub)

    second = shake(1.0)  # JAX401
    key, sub = jax.random.split(key)
    return first, second, jax.random.normal(sub)

# --- spent after it is bound again
def main(key):
    key, sub = jax.random.split(key)

    @jax.jit
    def shake(x):
        return x + jax.random.normal(sub)

    key, sub = jax.random.split(key)
    first = jax.random.normal(sub)
    return first, shake(1.0)  # JAX401
