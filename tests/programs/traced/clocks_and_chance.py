# Clocks and random numbers of the host, read once while JAX traces.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- clock
import time

@jax.jit
def f(x):
    return x + time.time()  # JAX103

def main():
    return f(1.0)

# --- numpy random
@jax.jit
def f(x):
    return x + np.random.normal(size=3)  # JAX103

def main():
    return f(1.0)

# --- python random in vmap
import random

def noisy(x):
    return x + random.gauss(0.0, 1.0)  # JAX103

def main():
    return jax.vmap(noisy)(jnp.ones(3))

# --- drawn where no key is given
import random

def noise(key=None):
    return random.random() if key is None else jax.random.normal(key)  # JAX103

@jax.jit
def f(x, key=None):
    return x + noise(key)

def main():
    return f(1.0)

# --- random outside
WEIGHTS = np.random.default_rng(0).normal(size=3)

@jax.jit
def f(x):
    fixed = np.random.RandomState(0).normal(size=3)
    return x * WEIGHTS + fixed

def main():
    return f(1.0)

# --- draw in a function of a zip
def pepper(dish, k):
    return dish + np.random.rand()  # JAX103

def salt(dish, k):
    return dish * jax.random.normal(k)

@jax.jit
def serve(dish, key):
    for step, k in zip((pepper, salt), jax.random.split(key, 2)):
        dish = step(dish, k)
    return dish

def main():
    return serve(1.0, jax.random.key(0))
