# What is unpacked of an array, and how many parts it has.

import jax
import jax.numpy as jnp

# --- scalar is unpacked
def split(x):
    total = jnp.sum(x)
    first, second = total  # JAX316
    return first - second

def main():
    split(jnp.ones(3))

# --- rows are more than are unpacked
def corners():
    x = jnp.zeros((3, 2))
    low, high = x  # JAX316
    return low, high

def main():
    corners()

# --- rows are fewer than are unpacked beside a starred one
def heads():
    first, second, third, *rest = jnp.arange(2)  # JAX316
    return first, second, third, rest

def main():
    heads()

# --- row of a map is unpacked
def both(rows):
    def one(row):
        a, b = row  # JAX316
        return a + b

    return jax.vmap(one)(jnp.ones((2, 3)))

def main():
    both(None)

# --- rows are as many as are unpacked
def corners(points):
    low, high = jnp.zeros((2, 3))
    first, *rest = jnp.arange(1)
    (a, b), c = jnp.ones((2, 2))
    x, y, z = points
    return jax.vmap(lambda row: row[0])(jnp.ones((2, 3))), low, high, first, rest, a, b, c, x, y, z

def main():
    corners(jnp.ones(3))

# --- failure of unpacking is expected
def parts(x):
    total = jnp.sum(x)
    try:
        first, second = total
    except TypeError:
        return total
    return first + second

def main():
    parts(jnp.ones(3))

# --- the type of an array is no class of Python
def summed(x):
    if type(x) == tuple:
        a, b, c = x
        return a + b + c
    if type(x) in (list, dict) or type(x) is str:
        a, b = x
        return a + b
    return x

def main():
    return summed(jnp.ones((5, 2)))

# --- a carry of three into two names is no carry that comes back
import pytest
from jax import lax

def counted(x):
    def body(carry):
        count, total = carry
        return count + 1, total

    return lax.while_loop(lambda carry: carry[0] < 3, body, (0, x, x))

def started(x):
    first, *rest = (x, x, x)
    (count, total), *_ = (x, x), x
    return lax.while_loop(lambda carry: carry[0] < 3, lambda carry: carry[:2], (count, total, rest))  # JAX702

def main():
    with pytest.raises(ValueError, match="too many values"):
        counted(jnp.ones(3))
    started(0.0)
