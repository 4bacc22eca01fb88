# A variable that is None until something is found: where None raises, what goes on has the other value.

import jax
import jax.numpy as jnp

# --- arithmetic, ordering and numbers of None raise
@jax.jit
def run(x):
    best = None
    if x.shape[0] > 2:
        best = x.min()
    if best + 1 > 0:  # JAX201
        x = x + 1
    if -best > 0:  # JAX201
        x = x + 1
    if best > 0:  # JAX201
        x = x + 1
    return x * float(best)  # JAX211

def main():
    return run(jnp.ones(3))

# --- None has no items and is no iterator
@jax.jit
def run(x):
    rows = None
    if x.shape[0] > 2:
        rows = [x, x + 1]
    first, second = rows
    if first > second:  # JAX201
        return x
    for row in rows:
        if row > 0:  # JAX201
            return x
    return x + 1

def main():
    return run(jnp.ones(3))

# --- elements of one list or of the other
@jax.jit
def run(x, y):
    if x.shape[0] > 2:
        rows = [x, x + 1]
    else:
        rows = (y,)
    for row in rows:
        if row > 0:  # JAX201
            return x
    return x + 1

def main():
    return run(jnp.ones(3), jnp.ones(3))

# --- what may be None is compared with ==, tested and asked for
@jax.jit
def run(x, scale):
    best = None
    if x.shape[0] > 2:
        best = 3
    if best == 3:
        x = x + 1
    if best:
        x = x + best
    if best is not None and best > 2:
        x = x - 1
    return x

def main():
    return run(jnp.ones(3), 2.0)

# --- a number or None is no tracer
@jax.jit
def run(x):
    size = None
    for length in x.shape:
        if size is None or length > size:
            size = length
    if size > 4 and -size < 0:
        x = x + float(size)
    return x

def main():
    return run(jnp.ones(3))
