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

# --- a class that is given too few arguments is not made, and takes no argument for another
class Block:
    def __init__(self, width, iterations, key, strategy):
        first, second = jax.random.split(key)
        self.kernel = jax.random.normal(first, (width,))
        self.bias = jax.random.normal(second, (width,))

class Model:
    def __init__(self, number, key, strategy):
        self.strategy = strategy
        make = lambda k: Block(2, k, self.strategy)
        self.blocks = [make(k) for k in jax.random.split(key, number)]

def main():
    try:
        Model(3, jax.random.key(0), jax.random.key(1))
    except TypeError:
        pass

# --- a class that is given all its arguments, by place, by name and by default
class Block:
    def __init__(self, width, key, *, scale=1.0):
        first, second = jax.random.split(key)
        self.kernel = scale * jax.random.normal(first, (width,))
        self.bias = jax.random.normal(second, (width,))

class Model:
    def __init__(self, number, key):
        self.blocks = [Block(2, key=key, scale=2.0) for _ in range(number)]  # JAX403

def main():
    return Model(3, jax.random.key(0)).blocks[0].bias

# --- a compiled function with too many arguments or too few ends the path
@jax.jit
def step(x, key):
    return x + jax.random.normal(key)

def many(key):
    step(1.0, key, 3)
    return jax.random.normal(key) + jax.random.normal(key)

def few(key):
    step(key)
    return jax.random.normal(key) + jax.random.normal(key)

def right(key):
    return step(1.0, key=key) + jax.random.normal(key)  # JAX401

def main():
    for call in (many, few):
        try:
            call(jax.random.key(0))
        except TypeError:
            pass
    return right(jax.random.key(0))

# --- a number in a list of floats
def main():
    return jnp.array([1.0, 2654435761]), jnp.array([1, 2654435761], jnp.uint32), jnp.array([True, 2147483647])

# --- a dict that is unpacked into another number of names
def update(grads, params):
    new, first, second = jax.tree.map(lambda g, p: (p - g, g, g * g), grads, params)
    return new, first, second

def step(params):
    params, first, second = update(params, params)
    return jax.jit(lambda p: p)(params)

def main():
    try:
        step({"w": jnp.ones(2), "b": jnp.zeros(2)})
    except ValueError:
        pass
