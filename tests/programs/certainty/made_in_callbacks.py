# What callbacks make of sizes that are written in them.

import jax
import jax.numpy as jnp
import numpy as np

def floats(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.float32)

# --- row of numbers is shorter than is told
def grid(x):
    return np.linspace(x.min(), x.max(), 5).astype(np.float32)

@jax.jit
def on_grid(x):
    return jax.pure_callback(grid, jax.ShapeDtypeStruct((10,), jnp.float32), x)  # JAX713 certain

def main():
    return jax.block_until_ready(on_grid(jnp.ones(3)))

# --- buffer is filled before it is given
def first(x):
    out = np.zeros((4,), np.float32)
    out[0] = x[0]
    return out

@jax.jit
def padded(x):
    return jax.pure_callback(first, jax.ShapeDtypeStruct((3,), jnp.float32), x)  # JAX713 certain

def main():
    return jax.block_until_ready(padded(jnp.ones(3)))

# --- sizes are as they are told
def grid(x):
    return np.linspace(x.min(), x.max(), num=5).astype(np.float32)

def rows(x):
    return np.linspace(x, 2 * x, 5)

def counts(x):
    return np.histogram(x)[0].astype(np.int32)

def square(x):
    out = np.zeros(4, np.float32)
    out.shape = (2, 2)
    return out

@jax.jit
def all_of(x):
    told = jax.ShapeDtypeStruct((10,), jnp.int32)
    first = jax.pure_callback(grid, floats(5), x), jax.pure_callback(rows, floats(5, 3), x)
    return first, jax.pure_callback(counts, told, x), jax.pure_callback(square, floats(2, 2), x)

def main():
    return jax.block_until_ready(all_of(jnp.ones(3)))
