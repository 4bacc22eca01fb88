# Options that all calls in the program leave out.

# --- a branch that no call in the program leads to
# file: ppo.py
import jax


def train(env, seed, randomize=None, steps=0):
    key, other = jax.random.split(jax.random.PRNGKey(seed))
    if randomize is not None:
        env = randomize(env, jax.random.split(key, 8))
    keys = jax.random.split(key, 4)  # JAX401 possible
    noise = jax.random.normal(other) if steps > 0 else 0.0
    return env, keys, noise, jax.random.uniform(other)  # JAX401 possible


# file: run.py
import functools

import ppo as train

fit = functools.partial(train.train, "env")
fit(seed=3)
train.train("other", 4)

# --- one that a call leads to
# file: ppo.py
import jax


def train(env, seed, randomize=None):
    key = jax.random.PRNGKey(seed)
    if randomize is not None:
        env = randomize(env, jax.random.split(key, 8))
    return env, jax.random.split(key, 4)  # JAX401 certain


# file: run.py
import functools

import ppo

train = functools.partial(ppo.train, "env")
train(seed=3)
train(seed=4, randomize=lambda env, keys: env)

# --- one of a function that nobody in the program calls
# file: ppo.py
import jax


def train(env, seed, randomize=None):
    key = jax.random.PRNGKey(seed)
    if randomize is not None:
        env = randomize(env, jax.random.split(key, 8))
    return env, jax.random.split(key, 4)  # JAX401 certain

# --- what a call gives by its position or in a dict, and what the default leads to
# file: ppo.py
import jax


def train(env, seed, randomize=None):
    key = jax.random.PRNGKey(seed)
    if randomize is not None:
        env = randomize(env, jax.random.split(key, 8))
    return env, jax.random.split(key, 4)  # JAX401 certain


def resumed(env, seed, randomize=None):
    key = jax.random.PRNGKey(seed)
    if randomize is not None:
        env = randomize(env, jax.random.split(key, 8))
    return env, jax.random.split(key, 4)  # JAX401 certain


def plain(env, seed, randomize=None):
    key = jax.random.PRNGKey(seed)
    if randomize is None:
        env = env + jax.random.normal(key)
    return env, jax.random.split(key, 4)  # JAX401 certain


# file: run.py
from ppo import plain, resumed, train


def main(options):
    return train("env", 3, None), resumed("env", 3, **options), plain(0.0, 3)
