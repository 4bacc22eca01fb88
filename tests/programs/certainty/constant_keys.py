# A key from a constant seed, in compiled functions that call one helper.

# --- each function that reads the key itself draws the same numbers in every call
# file: noise.py
import jax
import jax.numpy as jnp

KEY = jax.random.key(3)


def noise(key, x):
    return x + jax.random.normal(key, x.shape)


@jax.jit
def jitter(x):
    return noise(KEY, x * 2)  # JAX406 likely


@jax.jit
def shake(x):
    return noise(KEY, x * 2)  # JAX406 likely


@jax.jit
def table():
    return noise(KEY, jnp.ones(3) * 2)


def once(x):
    return noise(KEY, x * 2)


@jax.jit
def shiver(key, x):
    return noise(key, x * 2)
