# Effects that are meant.

# --- in tests
# file: test_step.py
import logging
import random

import jax


def test_step():
    @jax.jit
    def step(x):
        print(x)  # JAX101 possible
        logging.info("step of %s", x)  # JAX102 possible
        return x * random.random()  # JAX103 possible

    assert step(1.0) < 1.0

# --- switches of the process and bars of progress
# file: model.py
import os

import jax
from tqdm import tqdm


@jax.jit
def step(x):
    if os.environ.get("FAST") == "1":  # JAX103 possible
        return x
    os.environ["STAGE"] = "step"  # JAX104 possible
    for _ in tqdm(range(3)):  # JAX102 possible
        x = x * 2.0
    return x

# --- seeds that are counted through
# file: norms.py
import jax


@jax.jit
def noisy(weights):
    total, number = 0.0, 0
    for weight in weights:
        start = jax.random.normal(jax.random.key(number), weight.shape)  # JAX406 possible
        total += (start * weight).sum()
        number += 1
    return total


@jax.jit
def alike(weights):
    return jax.random.normal(jax.random.key(7), weights.shape) * weights  # JAX406 likely

# --- what is only traced to be looked at
# file: look.py
import time

import jax


def logged(x):
    print("x:", x)  # JAX101 possible
    return x


def timed(x):
    return x * time.time()  # JAX103 possible


def noted(x):
    print("noted:", x)  # JAX101 certain
    return x


print(jax.make_jaxpr(logged)(3.0))
print(jax.eval_shape(timed, 3.0))
print(jax.make_jaxpr(noted)(3.0), jax.jit(noted)(3.0))

# --- drawn for a function of nothing
# file: data.py
import jax
import jax.numpy as jnp
import numpy as np


def make():
    return jnp.ones(3) * np.random.rand()  # JAX103 possible


def noisy(x):
    return x * np.random.rand()  # JAX103 certain


data = jax.jit(make)()
more = jax.jit(noisy)(data)

# --- where a variable of a callback begins
# file: train.py
import time

import jax


@jax.jit
def train(x):
    last = time.time()  # JAX103 possible
    first = time.time()  # JAX103 certain

    def log(x):
        nonlocal last
        now = time.time()
        print(x, now - last, now - first)
        last = now

    jax.debug.callback(log, x)
    return x

# --- a count of traces that is asserted, and one of calls
# file: train.py
import jax


class Step:
    def __init__(self):
        self.traces = self.calls = 0
        self.step = jax.jit(self._step)

    def _step(self, x):
        self.traces += 1  # JAX105 possible
        self.calls += 1  # JAX105 certain
        return x

    def __call__(self, x):
        y = self.step(x)
        assert self.traces <= 1, "traced again"
        return y

    def report(self):
        return self.calls
