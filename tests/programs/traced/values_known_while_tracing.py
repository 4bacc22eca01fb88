# What Python knows while JAX traces: shapes, constants, values of the host.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- jnp on a closed over array
LIMIT = jnp.ones(())

@jax.jit
def f(x):
    if LIMIT > 0:  # JAX201
        return x
    return -x

def main():
    return f(1.0)

# --- shape and dtype
@jax.jit
def f(x):
    if x.ndim == 1 and x.shape[0] > 2 and len(x) < 9 and x.dtype == jnp.float32:
        x = x.reshape(int(x.shape[0]), -1)
    if jnp.issubdtype(x.dtype, jnp.floating) and jnp.ndim(x) == 2 and np.shape(x)[0]:
        return x / float(np.prod(x.shape))
    return x

def main():
    return f(jnp.ones(4))

# --- array compared with names
@jax.jit
def f(x):
    return x if x in ("a", None) else 2 * x

def main():
    return f(jnp.ones(3))

# --- booleans that are counted
@jax.jit
def f(rows, limits, table):
    over = rows > limits
    return table[over.sum(axis=1)], table[over.cumsum(axis=1)], table[over.prod(axis=0)]

def main():
    return f(jnp.ones((2, 3)), jnp.ones((2, 3)), jnp.arange(4))

# --- numpy on static
@jax.jit
def f(x):
    freq = np.exp(-np.arange(x.shape[-1]) / 10)
    table = np.zeros(x.shape)
    table[0] = 1.0
    return x * freq + table + np.sqrt(x.shape[0])

def main():
    return f(jnp.ones((2, 3)))

# --- numpy functions that dispatch
@jax.jit
def f(x):
    return np.sum(x) + np.mean(x, axis=0) + np.max(x) + np.reshape(x, -1)[0] + np.float64(2.0) * x.T.sum()

def main():
    return f(jnp.ones((2, 3)))

# --- closed over array converted
TABLE = jnp.arange(4.0)

@jax.jit
def f(x):
    return x * np.asarray(TABLE)

def main():
    return f(1.0)

# --- callbacks run on the host
def on_host(x):
    if x > 0:
        print("positive", float(x))
    return np.sin(np.asarray(x))

@jax.jit
def f(x):
    jax.debug.callback(on_host, x)
    return jax.pure_callback(on_host, jax.ShapeDtypeStruct((), jnp.float32), x)

def main():
    return f(jnp.ones(()))

# --- io callback
from jax.experimental import io_callback

LOG = []

def record(x):
    LOG.append(float(x))

@jax.jit
def f(x):
    io_callback(record, None, x)
    return x * 2

def main():
    return f(1.0)

# --- tree map is eager
def check(x):
    if x > 0:
        return float(x)
    return 0.0

def main():
    return jax.tree.map(check, {"a": 1.0, "b": jnp.ones(())})

# --- module imported anew after the calls
import jax.numpy as np

def norm(x):
    return x / np.linalg.norm(x)

NORMED = jax.pmap(lambda x: norm(x))(np.ones((1, 3)))
import numpy as np

def main():
    return np.asarray(NORMED)

# --- module of host functions for a while
import jax.numpy as np

if jnp.ones(()) == 1:
    import numpy as np
    DATA = np.ones(3)
    import jax.numpy as np

@jax.jit
def norm(x):
    return x / np.linalg.norm(x)

NORMED = norm(DATA)
import numpy as np

def main():
    return np.asarray(NORMED)

# --- int of jnp shape
@jax.jit
def f(x):
    return x.reshape(int(jnp.prod(jnp.array(x.shape))))  # JAX207

def main():
    return f(jnp.ones((2, 2)))

# --- conversion of shapes
import math

@jax.jit
def f(x):
    n = int(math.sqrt(x.shape[0])) + math.prod(x.shape)
    return x / math.sqrt(x.shape[-1]) + float(x.ndim) + jnp.zeros((n,)).sum()

def main():
    return f(jnp.ones(4))

# --- array of constants
@jax.jit
def f(i):
    return jnp.array([1.0, 2.0, 3.0])[i] + jnp.asarray(np.arange(3.0))[i]

def main():
    return f(1)

# --- numbers that a tuple is made of by a generator
def staged(method, static_argnums=None):
    numbers = (0,) + tuple(number + 1 for number in (static_argnums or ()))
    return jax.jit(method, static_argnums=numbers)

class Model:
    @staged
    def step(self, x):
        return x if x > 0 else -x  # JAX201

def main():
    return Model().step(1.0)

# --- static arguments that a tuple is made of by a generator
def staged(method, static_argnums=None):
    numbers = (0,) + tuple(number + 1 for number in (static_argnums or ()))
    return jax.jit(method, static_argnums=numbers)

class Model:
    @partial(staged, static_argnums=(1,))
    def step(self, x, n):
        return x if n > 0 else -x

def main():
    return Model().step(1.0, 2)

# --- a tuple and a list that generators fill with arrays and numbers
@jax.jit
def run(x):
    pair = tuple(2 * part for part in (x, 3))
    sizes = list(part.ndim for part in (x, x))
    if pair[1] > 3 and sizes[0] == 0:
        x = -x
    return x if pair[0] > 3 else -x  # JAX201

def main():
    return run(1.0)

# --- a generator that two tuples are made of
def main():
    numbers = (number for number in (1, 2))
    first, second = tuple(numbers), tuple(numbers)
    return jax.jit(lambda x: x if not second else x[len(first)])(1.0)
