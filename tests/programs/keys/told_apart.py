# Calls of one helper that differ in what the caller knows, or in one field of what it is given.

from typing import NamedTuple

import jax

# --- a key in a NamedTuple, of which a helper draws
class State(NamedTuple):
    params: jax.Array
    rng: jax.Array

def noise(state):
    return jax.random.normal(state.rng, (3,))

def main(key):
    state = State(jax.numpy.zeros(3), key)
    first = noise(state)
    return first + jax.random.uniform(state.rng, (3,))  # JAX401

# --- one that the helper leaves alone
class State(NamedTuple):
    params: jax.Array
    rng: jax.Array

def size(state):
    return state.params.size

def main(key):
    state = State(jax.numpy.zeros(3), key)
    return size(state) + jax.random.uniform(state.rng, (3,))

# --- two of the same key in different fields
class State(NamedTuple):
    first: jax.Array
    second: jax.Array

def noise(state):
    one = jax.random.normal(state.first, (3,))
    return one + jax.random.uniform(state.second, (3,))  # JAX401

def main(key):
    left, right, other = jax.random.split(key, 3)
    return noise(State(left, right)), noise(State(other, other))

# --- a helper asks once more what its caller has asked
class Mode:
    def __init__(self, train):
        self.train = train

def noise(mode, key):
    if mode.train:
        return jax.random.normal(key, (3,))
    return jax.numpy.zeros(3)

def run(mode, key):
    if not mode.train:
        return noise(mode, key) + jax.random.uniform(key, (3,))
    return noise(mode, key)

def main(key):
    return run(Mode(False), key)

# --- and where it has asked for the other
class Mode:
    def __init__(self, train):
        self.train = train

def noise(mode, key):
    if mode.train:
        return jax.random.normal(key, (3,))
    return jax.numpy.zeros(3)

def run(mode, key):
    if mode.train:
        return noise(mode, key) + jax.random.uniform(key, (3,))  # JAX401
    return noise(mode, key)

def main(key):
    return run(Mode(True), key)

# --- what the caller knows of the length of a list ends where the helper changes it
def last(items, key):
    items.pop()
    if items:
        return jax.random.normal(key, (3,))
    return jax.random.normal(key, (3,)) + jax.random.uniform(key, (3,))  # JAX401

def run(items, key):
    if len(items) > 0:
        return last(items, key)
    return jax.numpy.zeros(3)

def main(key):
    return run([1], key)
