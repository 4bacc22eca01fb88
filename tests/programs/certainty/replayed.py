# A run that is to be the same again.

# --- back to the start
# file: film.py
import jax


@jax.jit
def start(key):
    return jax.random.normal(key, (3,))


def film(key, n):
    state = start(key)
    state = state + 1
    state = start(key)  # JAX401 possible
    for _ in range(n):
        state = state + 1
    return state


def two_samples(key, x, y):
    noise = start(key)
    noise = noise / 2
    first = x + noise
    noise = start(key)  # JAX401 certain
    noise = noise / 2
    return first, y + noise


def unchanged(key, x, y):
    noise = start(key)
    noise = start(key)  # JAX401 possible
    return x + noise

# --- inputs of what is asserted
# file: kernels.py
import jax
import numpy as np


def alike(key, f, g):
    x = jax.random.normal(key, (3, 2))
    y = jax.random.normal(key, (4, 2))  # JAX401 possible
    a = f(x, y)
    b = g(x, y)
    assert abs(a - b).max() < 1e-6
    np.testing.assert_allclose(a, b)
    print("alike")


def alike_and_used(key, f, g):
    x = jax.random.normal(key, (3, 2))
    y = jax.random.normal(key, (4, 2))  # JAX401 certain
    a = f(x, y)
    assert abs(a - g(x, y)).max() < 1e-6
    return a
