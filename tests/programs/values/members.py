# What arrays had once, and have no longer.

import jax
import jax.numpy as jnp

# --- device that is called
def main():
    x = jnp.ones(3)
    return x.device()  # JAX801

# --- device that is read
def main():
    x = jnp.ones(3)
    return x.device, x.devices(), jax.device_put(x, x.device).device.platform

# --- device that is a method, or not
def main():
    x = jnp.ones(3)
    if callable(x.device):
        return x.device()
    try:
        return x.device()
    except TypeError:
        return x.device

# --- buffer of an array
def main():
    return buffer(jnp.ones(3))

def buffer(x):
    x = jnp.asarray(x)
    return x.device_buffer  # JAX801

# --- buffer of an array that may have one
def main():
    return buffer(jnp.ones(3))

def buffer(x):
    x = jnp.asarray(x)
    if hasattr(x, "device_buffer"):
        return x.device_buffer
    if not hasattr(x, "to_py"):
        return x
    return x.to_py()

# --- split that is a method
@jax.jit
def halves(x):
    return jnp.sin(x).split(2)  # JAX801

def main():
    return halves(jnp.ones(4))

# --- split of a text, and a device of the host
class Device:
    def device(self):
        return "cpu"

def main():
    return "a b".split(), Device().device(), jnp.split(jnp.ones(4), 2)

# --- a jitted method of a class, and a jitted function in a field
import dataclasses
import functools
from collections.abc import Callable

@dataclasses.dataclass
class Config:
    power: Callable = functools.partial(jax.jit, static_argnums=(1, 2))(lambda x, n, m: x ** (n + m))

class Grid:
    config: Config

    def __init__(self):
        self.config = Config()

    @classmethod
    @functools.partial(jax.jit, static_argnums=0)
    def closest(cls, area, x):
        if x[0] > 0:  # JAX201
            return x
        return cls.moved(x, area)

    @staticmethod
    @jax.jit
    def moved(x, area):
        return x + area

    @functools.partial(jax.jit, static_argnums=0)
    def squared(self, x):
        return self.config.power(x, 1, 1) + Grid.closest(x, x)

def main():
    Grid().squared(jnp.ones(2))
    return Grid.closest(jnp.ones(2), jnp.ones(2))

# --- names that NumPy once had
def limits():
    return jnp.array([jnp.Inf, 0.0])  # JAX317

def main():
    limits()

# --- dtypes by the names of Python's types
def counts(n):
    return jnp.zeros(n, dtype=jnp.int)  # JAX317

def main():
    counts(3)

# --- names that NumPy once had are asked for before
def limits():
    inf = jnp.Inf if hasattr(jnp, "Inf") else jnp.inf
    return jnp.array([inf, -jnp.inf, jnp.nan], dtype=float)

def main():
    limits()

# --- arrays where none of several is one of another class
class Grid:
    def __init__(self, data):
        self.data = data

def bare(arrays):
    are_grids = [isinstance(one, Grid) for one in arrays]
    if any(are_grids):
        arrays = tuple(one.data for one in arrays)
    are_plain = [not isinstance(one, Grid) for one in arrays]
    if not all(are_plain):
        return [one.data for one in arrays]
    return arrays

def main():
    return bare((Grid(jnp.ones(2)), Grid(jnp.ones(2)))), bare((jnp.ones(2), jnp.zeros(2)))

# --- properties around what a transform has made
import dataclasses
from functools import partial

@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    x: jax.Array

    @property
    @partial(jax.named_call, name="shifted")
    def shifted(self):
        return self.x + 1

    @property
    @jax.jit
    def doubled(self):
        return self.x * 2

@jax.jit
def scaled(x):
    return x * 2

@jax.jit
def chosen(state):
    if state.doubled.sum() > 0:  # JAX201
        return state.shifted
    return state.x

def main():
    state = State(jnp.ones(3))
    scaled(state.shifted)
    scaled(state.doubled)
    chosen(state)
