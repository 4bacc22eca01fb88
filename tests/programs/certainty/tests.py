# In tests, what tests do on purpose is only possible.

# --- a module of tests
# file: test_noise.py
import jax


def pair(key):
    first = jax.random.normal(key)
    return first, jax.random.uniform(key)  # JAX401 possible

# --- a module of tests by the other name
# file: noise_test.py
import jax


def pair(key):
    first = jax.random.normal(key)
    return first, jax.random.uniform(key)  # JAX401 possible

# --- fixtures
# file: conftest.py
import jax


def pair(key):
    first = jax.random.normal(key)
    return first, jax.random.uniform(key)  # JAX401 possible

# --- a helper among tests
# file: pyproject.toml
# file: pkg/tests/helpers/noise.py
import jax


def pair(key):
    first = jax.random.normal(key)
    return first, jax.random.uniform(key)  # JAX401 possible

# --- a folder of tests that is no program of its own
# file: tests/noise.py
import jax


def pair(key):
    first = jax.random.normal(key)
    return first, jax.random.uniform(key)  # JAX401 possible

# --- a module about tests
# file: pyproject.toml
# file: testing/latest.py
import jax


def pair(key):
    first = jax.random.normal(key)
    return first, jax.random.uniform(key)  # JAX401 certain

# --- a program in a folder called tests
# file: tests/pyproject.toml
# file: tests/noise.py
import jax


def pair(key):
    first = jax.random.normal(key)
    return first, jax.random.uniform(key)  # JAX401 certain

# --- code that tests call
# file: pyproject.toml
# file: noise.py
import jax


def pair(key):
    first = jax.random.normal(key)
    return first, jax.random.uniform(key)  # JAX401 certain
# file: tests/test_noise.py
import jax

from noise import pair


def test_pair():
    pair(jax.random.key(0))

# --- a test beside what it tests
# file: noise.py
import jax


def test_same_key_same_numbers():
    key = jax.random.key(0)
    assert jax.random.normal(key) == jax.random.normal(key)  # JAX401 possible

# --- a test case beside what it tests
# file: noise.py
import unittest

import jax


class NoiseTest(unittest.TestCase):
    def test_same_key_same_numbers(self):
        key = jax.random.key(0)
        self.assertEqual(jax.random.normal(key), jax.random.normal(key))  # JAX401 possible

# --- the test step of training
# file: train.py
import jax


def test_step(params, key):
    noise = jax.random.normal(key)
    return params + noise, jax.random.uniform(key)  # JAX401 certain


class Trainer:
    def test(self, key):
        noise = jax.random.normal(key)
        return noise, jax.random.uniform(key)  # JAX401 certain

# --- every rule of equal keys
# file: test_keys.py
import jax


def twice(env, seed):
    key = jax.random.key(seed)
    state = env.reset(key)
    return state, env.reset(key)  # JAX402 possible


def passes(key):
    return [jax.random.normal(key) for _ in range(3)]  # JAX403 possible


def split_and_fold(key):
    first, second = jax.random.split(key)
    return first, second, jax.random.fold_in(key, 1)  # JAX404 possible


@jax.jit
def constant(x):
    key = jax.random.key(0)  # JAX406 possible
    return x + jax.random.normal(key)

# --- what only a test repeats is compiled anew, and costs nobody anything
# file: pyproject.toml
# file: solver.py
import jax


def solved(rows, x):
    def step(carry, row):
        return carry * row, carry

    return jax.lax.scan(step, x, rows)[0]  # JAX503 possible


def advanced(rows, x):
    def step(carry, row):
        return carry * row, carry

    return jax.lax.scan(step, x, rows)[0]  # JAX503 likely
# file: run.py
import jax.numpy as jnp

from solver import advanced

x = jnp.ones(3)
for _ in range(10):
    x = advanced(jnp.ones((4, 3)), x)
# file: tests/test_solver.py
import jax.numpy as jnp

from solver import advanced, solved


def iterated(x):
    for _ in range(10):
        x = solved(jnp.ones((4, 3)), x) + advanced(jnp.ones((4, 3)), x)
    return x


if __name__ == "__main__":
    assert iterated(jnp.ones(3)).shape == (3,)
