# Counters, cycles and generators from outside the trace.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- next of a counter
import itertools

ids = itertools.count()

@jax.jit
def tag(x):
    number = 2 * next(ids)  # JAX109
    return x + number

def main():
    assert tag(1.0) == 1.0
    assert tag(1.0) == 1.0
    return next(ids)

# --- next of a cycle
import itertools

scales = itertools.cycle([1.0, 2.0])

@jax.jit
def scale(x):
    return x * next(scales)  # JAX109

def main():
    assert scale(1.0) == scale(1.0) == 1.0

# --- next of an endless generator
def belt():
    n = 0.0
    while True:
        n = n + 1.0
        yield n

feed = belt()

@jax.jit
def load(total):
    return total + next(feed)  # JAX109

def main():
    assert load(0.0) == load(0.0) == 1.0

# --- numbers of counters
import itertools

ids = itertools.count()

def belt():
    n = 0.0
    while True:
        n = n + 1.0
        yield n

@jax.jit
def named(x):
    with jax.named_scope(f"layer{next(ids)}"):
        return x * 2

@jax.jit
def inside(x):
    mine, feed = itertools.count(1), belt()
    return x + next(mine) * next(mine) + next(feed)

@jax.jit
def weighted(x, rows):
    for number, row in zip(itertools.count(), rows):
        x = x + number * row
    return x

def main():
    return named(1.0), inside(1.0), weighted(1.0, [2.0, 3.0]), 2 + next(ids)
