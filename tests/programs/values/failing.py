# Calls that fail, which end their path.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- record without a field
from typing import NamedTuple

class State(NamedTuple):
    key: jax.Array
    x: jax.Array
    n: int = 0

def start(key):
    state = State(key)
    return jax.random.normal(state.key) + jax.random.normal(state.key)

def main():
    try:
        start(jax.random.key(0))
    except TypeError:
        pass

# --- function without an argument
def draw(key, shape):
    return jax.random.normal(key, shape)

def twice(key):
    if draw(key).sum():
        return jax.random.normal(key)
    return draw(key, ()) + jax.random.normal(key)

@jax.jit
def f(x):
    rows = draw(jax.random.key(0))
    return rows if x > 0 else x

def main():
    for call in (lambda: twice(jax.random.key(0)), lambda: f(1.0)):
        try:
            call()
        except TypeError:
            pass

# --- all arguments
def draw(key, shape=(), *, scale):
    return scale * jax.random.normal(key, shape)

def pick(key, *rest, **named):
    return draw(key, *rest, **named)

@jax.jit
def f(x, key):
    rows = pick(key, scale=2.0) + draw(x, scale=1.0) if x is key else pick(key, (), scale=x)
    return rows if x > 0 else x  # JAX201

def main():
    return f(1.0, jax.random.key(0))

# --- a method that does not take an argument is not run, and nothing is claimed of what would follow
class Model:
    def __init__(self):
        self.score = None

    def fit(self, x):
        self.score = jnp.sum(x)

def score(x):
    model = Model()
    model.fit(x, with_covariance=True)
    return model.score

def other(x):
    model = Model()
    return model.score

def main():
    try:
        jax.grad(score)(jnp.ones(2))
    except TypeError:
        pass
    jax.grad(other)(jnp.ones(2))  # JAX601
