# Writes into arrays, and updates that are made and dropped.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- item assignment
@jax.jit
def f(x):
    x[0] = 1.0  # JAX301
    return x

def main():
    return f(jnp.ones(2))

# --- item assignment eager
def main():
    x = jnp.linspace(0.0, 1.0, 5)
    x[1:3] *= 2  # JAX301
    return x

# --- numpy buffer write
@jax.jit
def f(x):
    out = np.zeros(3)
    for i in range(3):
        out[i] = x * i  # JAX110
    return out

def main():
    return f(1.0)

# --- out argument
def main():
    x = jnp.ones(3)
    return jnp.add(x, x, out=x)  # JAX304

# --- readonly view
def main():
    x = np.asarray(jnp.ones(3))
    x[0] = 2.0  # JAX306
    return x

# --- fill
def main():
    x = jnp.ones(3)
    x.fill(0)  # JAX303
    return x

# --- update discarded
@jax.jit
def f(x):
    x.at[0].set(1.0)  # JAX302
    return x

def main():
    return f(jnp.zeros(2))

# --- sort discarded
def main():
    x = jnp.array([2.0, 1.0])
    x.sort()  # JAX303
    return x

# --- stacked instead of written
@jax.jit
def f(x):
    rows = []
    for i in range(3):
        rows.append(x * i)
    out = jnp.zeros(3).at[1].set(x)
    return jnp.stack(rows) + out

def main():
    return f(1.0)

# --- array references
@jax.jit
def f(x):
    ref = jax.new_ref(x)
    ref[0] = 5.0
    ref[...] += 1.0
    return ref[...]

def main():
    return f(jnp.ones(3))

# --- update kept
@jax.jit
def f(x):
    x = x.at[0].set(1.0)
    return x.at[1].add(2.0).sort()

def main():
    return f(jnp.zeros(2))

# --- a place that an update sets twice to the same
SCALE = 2.0
ROWS = SCALE * jnp.ones((2, 3))

def main():
    x = jnp.zeros(4).at[jnp.array([1, 1])].set(jnp.full(2, 5.0))
    x = x.at[jnp.array([0, 3, 0])].set(jnp.array([1.0, 2.0, 1.0]))
    return x, jnp.zeros((4, 3)).at[jnp.array([1, 1])].set(ROWS)

# --- a place that an update sets twice
ROWS = jnp.arange(2.0) * jnp.ones(2)

def main():
    x = jnp.zeros(4).at[jnp.array([1, 1])].set(ROWS)  # JAX318
    return x.at[jnp.array([0, 3, 0])].set(jnp.array([1.0, 2.0, 3.0]))  # JAX318

# --- a record is copied, and the copy is dropped
from typing import NamedTuple

import optax
from flax import struct
from flax.training.train_state import TrainState

@struct.dataclass
class Level:
    value: jax.Array

class Point(NamedTuple):
    x: float

class Table(dict):
    def replace(self, **values):
        self.update(values)

def main():
    level, point, table = Level(jnp.ones(3)), Point(1.0), Table()
    level.replace(value=2 * level.value)  # JAX303
    point._replace(x=2.0)  # JAX303
    point = point._replace(x=3.0)
    table.replace(x=2.0)
    state = TrainState.create(apply_fn=None, params=jnp.ones(3), tx=optax.sgd(0.1))
    state.apply_gradients(grads=jnp.ones(3))  # JAX303
    return state.replace(step=1), level, point, table

# --- a branch for NumPy alone, and one for its twin
def table(n, xp=np):
    made = xp.zeros(n)
    if xp == jnp:
        return made.at[0].set(1)
    made[0] = 1
    return made

def ones(n, xp):
    made = xp.zeros(n)
    if xp is not np:
        return made + 1
    made[:] = 1
    return made

def main():
    return jax.jit(lambda x: x + table(3, jnp) + ones(3, jnp))(1.0), table(3), ones(3, np)

# --- the branch for NumPy is taken with its twin
def table(n, xp):
    made = xp.zeros(n)
    if xp == np:
        return made
    made[0] = 1  # JAX301
    return made

def main():
    return table(3, jnp)

# --- on one path the parameter itself, on the other what was computed from it
@jax.jit
def symmetrize(p):
    n = p.shape[0]
    if n > 1 and p.ndim == 2:
        p = 0.5 * (p + p.T)
    for i in range(n):
        p[i, i] += 1e-6  # JAX301
    return p

def main():
    return symmetrize(jnp.eye(3))

# --- on one path a parameter that is a list, on the other a list of what is in it
@jax.jit
def first(parts):
    if len(parts) > 1:
        parts = [part * 2 for part in parts]
    parts[0] = parts[0] + 1
    return parts

def main():
    return first([jnp.ones(2), jnp.ones(2)])

# --- on one path a parameter that is a dict, on the other an array
@jax.jit
def scaled(p, by):
    if not isinstance(p, dict):
        p = p * by
    else:
        p[0, 1] = by
    return p

def main():
    return scaled(jnp.ones(2), 2.0), scaled({(0, 1): 1.0}, 2.0)

# --- Python and NumPy shuffle in place
import random

def by_numpy(x):
    x = jnp.asarray(x)
    np.random.shuffle(x)  # JAX304
    return x

def by_a_generator(n):
    x = jnp.arange(n)
    np.random.default_rng(0).shuffle(x)  # JAX304
    return x

def by_python(n):
    x = jnp.arange(n)
    random.shuffle(x)  # JAX304
    return x

def main():
    return by_numpy([1, 2])

# --- what they shuffle is no array of JAX
def main():
    x = np.arange(3)
    np.random.shuffle(x)
    y = np.random.default_rng(0).permutation(jnp.arange(3))
    return x, y
