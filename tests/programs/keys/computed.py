# Attributes that are computed: properties, descriptors, getattr.

import jax
import jax.numpy as jnp

# --- by a property of a sibling
class Advancing:
    @property
    def next_key(self):
        self._key, sub = jax.random.split(self._key)
        return sub

class Noisy:
    def draw(self):
        return jax.random.normal(self.next_key), jax.random.uniform(self.next_key)

class Agent(Advancing, Noisy):
    def __init__(self, key):
        self._key = key

def main(key):
    return Agent(key).draw()

# --- by a property of a subclass
class Noisy:
    def draw(self):
        return jax.random.normal(self.rng), jax.random.uniform(self.rng)

class Agent(Noisy):
    def __init__(self, key):
        self._key = key

    @property
    def rng(self):
        self._key, sub = jax.random.split(self._key)
        return sub

def main(key):
    return Agent(key).draw()

# --- by getattr
class Agent:
    def __init__(self, key):
        self._key = key

    def __getattr__(self, name):
        if name != "rng":
            raise AttributeError(name)
        self._key, sub = jax.random.split(self._key)
        return sub

    def draw(self):
        return jax.random.normal(self.rng), jax.random.uniform(self.rng)

def main(key):
    return Agent(key).draw()

# --- by a descriptor
class Fresh:
    def __get__(self, owner, kind):
        owner._key, sub = jax.random.split(owner._key)
        return sub

class Agent:
    rng = Fresh()

    def __init__(self, key):
        self._key = key

    def draw(self):
        return jax.random.normal(self.rng), jax.random.uniform(self.rng)

def main(key):
    return Agent(key).draw()

# --- an attribute that a method renews
from types import SimpleNamespace

def advance(state):
    state.key = jax.random.split(state.key)[0]

def draw(state):
    a = jax.random.normal(jax.random.fold_in(state.key, 0))
    state.advance(state)
    return a, jax.random.normal(jax.random.fold_in(state.key, 0))

def main(key):
    return draw(SimpleNamespace(key=key, advance=advance))

# --- kept and given out
class Agent:
    def __init__(self, key):
        self.rng = key

    def draw(self):
        return jax.random.normal(self.rng), jax.random.uniform(self.rng)  # JAX401

def main(key):
    return Agent(key).draw()
