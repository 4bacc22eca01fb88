# Errors that the code handles.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- another error
def size(x):
    return int(x[0])  # JAX211

@jax.jit
def f(x):
    try:
        return x[: size(x)]
    except ValueError:
        return x

def main():
    return f(jnp.ones(3))

# --- its superclass
@jax.jit
def f(x):
    try:
        n = int(x[0])
    except TypeError:
        n = 1
    return x + n

def main():
    return f(jnp.ones(3))

# --- one of several
ERRORS = (KeyError, jax.errors.ConcretizationTypeError)

@jax.jit
def f(x):
    try:
        n = 1 if x[0] else 2
    except ERRORS:
        n = 1
    return x + n

def main():
    return f(jnp.ones(3))

# --- in a caller
def size(x):
    return int(x.sum())

def middle(x):
    return size(x) + 1

@jax.jit
def f(x):
    try:
        n = middle(x)
    except Exception:
        n = 1
    return x + n

def main():
    return f(jnp.ones(3))

# --- raised again
STATS = {}

def size(x):
    return int(x[0])  # JAX211

@jax.jit
def f(x):
    try:
        n = size(x)
    except TypeError:
        STATS["failed"] = 1
        raise
    return x + n

def main():
    return f(jnp.ones(3))

# --- suppressed
from contextlib import suppress

@jax.jit
def f(x):
    with suppress(TypeError):
        return x[: int(x[0])]
    return x

def main():
    return f(jnp.ones(3))

# --- suppressed as the second
from contextlib import suppress

@jax.jit
def f(x):
    with suppress(KeyError, TypeError):
        return x[: int(x[0])]
    return x

def main():
    return f(jnp.ones(3))

# --- another error suppressed
from contextlib import suppress

@jax.jit
def f(x):
    with suppress(KeyError, ValueError):
        return x[: int(x[0])]  # JAX211
    return x

def main():
    return f(jnp.ones(3))

# --- a mask that is an index
@jax.jit
def f(x):
    try:
        return x[x > 0].sum()
    except IndexError:
        return x.sum()

def main():
    return f(jnp.ones(3))
