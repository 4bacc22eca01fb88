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
