# What objects keep that compiled functions ask them for.

import functools

import haiku as hk
import jax
import jax.numpy as jnp

# --- cached property is read in what the constructor compiles
class Basis:
    def __init__(self, size):
        self.size = size
        self.project = jax.jit(lambda x: self.grid @ x)

    @functools.cached_property
    def grid(self):  # JAX113
        return 2.0 * jnp.eye(self.size)

def main():
    basis = Basis(3)
    return basis.project(jnp.ones(3))

# --- cached property is read in a function that the constructor compiles
class Basis:
    def __init__(self, size):
        self.size = size

        def project(x):
            return self.grid @ x

        self.project = jax.jit(project)

    @functools.cached_property
    def grid(self):  # JAX113
        return 2.0 * jnp.eye(self.size)

def main():
    basis = Basis(3)
    return basis.project(jnp.ones(3))

# --- cached property is read by the constructor as well
class Basis:
    def __init__(self, size):
        self.size = size
        self.trace = jnp.trace(self.grid)
        self.project = jax.jit(lambda x: self.grid @ x)

    @functools.cached_property
    def grid(self):
        return 2.0 * jnp.eye(self.size)

class Mapped:
    def __init__(self, size):
        self.size = size

        def scaled(x):
            return self.grid @ x

        self.first = scaled(jnp.ones(size))
        self.project = jax.jit(scaled)

    @functools.cached_property
    def grid(self):
        return 2.0 * jnp.eye(self.size)

def main():
    one, other = Basis(3), Mapped(3)
    return one.project(jnp.ones(3)) @ one.grid, other.project(jnp.ones(3)) @ other.grid

# --- sequence of keys from outside is advanced
class Actor:
    def __init__(self, seed):
        self.rng = hk.PRNGSequence(seed)
        self.act = jax.jit(lambda x: x + jax.random.normal(next(self.rng), x.shape))  # JAX109

def main():
    return Actor(0).act(jnp.ones(2))

# --- sequence of keys of the trace, and one that is advanced outside
def noisy(key, x):
    keys = hk.PRNGSequence(key)
    return x + jax.random.normal(next(keys), x.shape) * jax.random.normal(next(keys), x.shape)

class Actor:
    def __init__(self, seed):
        self.rng = hk.PRNGSequence(seed)
        self.act = jax.jit(noisy)

    def step(self, x):
        return self.act(next(self.rng), x)

def main():
    actor = Actor(0)
    return actor.step(jnp.ones(2)) + actor.step(jnp.ones(2))
