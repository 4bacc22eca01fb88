# What transforms around a compiled function make of its static arguments, and those that leave arguments as they are.
from functools import partial

import jax
import jax.numpy as jnp
from jax import export
from jax.experimental import checkify

# --- an exported function with a static argument
@partial(jax.jit, static_argnums=1)
def power(x, n):
    for _ in range(n):
        x = x * x
    return x

def main():
    return export.export(power)(1.0, 3)

# --- an exported function without static arguments
@jax.jit
def power(x, n):
    for _ in range(n):  # JAX204
        x = x * x
    return x

def main():
    return export.export(power)(1.0, 3)

# --- numbers under checkify
def power(x, n):
    if n > 2:
        x = x * x
    return x, float(x)

def main():
    return checkify.checkify(power)(1.0, 3)

# --- an array that is computed under checkify
def power(x):
    if jnp.sum(x) > 2:  # JAX201
        x = x * x
    return x

def main():
    return checkify.checkify(power)(jnp.ones(3))

# --- checkify around a compiled function with a static argument
@checkify.checkify
@partial(jax.jit, static_argnums=1)
def power(x, n):
    for _ in range(n):
        x = x * x
    return x

def main():
    return power(1.0, 3)

# --- a compiled function under checkify
@jax.jit
@checkify.checkify
def power(x):
    if x > 2:  # JAX201
        x = x * x
    return x

def main():
    return power(1.0)

# --- the shape of a compiled function with a static argument
@partial(jax.jit, static_argnums=1)
def rows(x, n):
    return jnp.ones(n) * x if n > 2 else x

def main():
    return jax.eval_shape(rows, 1.0, 3)

# --- the shape of a function
def rows(x, n):
    return jnp.ones(3) * x if n > 2 else x  # JAX201

def main():
    return jax.eval_shape(rows, 1.0, 3)
