# Lists and objects that NumPy and JAX are handed.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- lists only
def loader(arrays):
    def get(i):
        return tuple(np.take(a, i, axis=0) if isinstance(a, (list, np.ndarray)) else a[i] for a in arrays)
    return get

def epoch(arrays):
    get = loader(arrays)
    return jax.lax.fori_loop(0, 10, lambda i, s: s + get(i)[0].sum(), 0.0)

def main():
    return epoch((jnp.ones((10, 2)),))

# --- early return for lists
def pick(rows, i):
    if not isinstance(rows, list):
        return rows[i]
    return np.take(rows, i, axis=0)

def epoch(rows):
    return jax.lax.fori_loop(0, 10, lambda i, s: s + pick(rows, i).sum(), 0.0)

def main():
    return epoch(jnp.ones((10, 2)))

# --- of the tracer itself
@jax.jit
def f(x):
    return np.linalg.norm(x)  # JAX213

def main():
    return f(jnp.ones(3))

# --- of a dict
@jax.jit
def f(x, params):
    both = np.sum({"x": x})
    return both["x"], np.array(params).shape, params["w"]

def main():
    return f(1.0, {"w": 1.0})

# --- of a list
@jax.jit
def f(x):
    return np.stack([x, x])  # JAX213

def main():
    return f(1.0)

# --- objects
@jax.jit
def f(x):
    cells = np.empty(2, dtype=object)
    cells[0] = x
    cells[1] = 2 * x
    total = np.sum(cells)
    return cells.sum() + total

def main():
    return f(1.0)

# --- numbers
@jax.jit
def f(x):
    cells = np.empty(2)
    cells[0] = x  # JAX110
    return cells.sum()

def main():
    return f(1.0)
