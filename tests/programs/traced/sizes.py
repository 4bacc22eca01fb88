# Results whose size depends on values: masks, ranges, windows, and sizes that are given.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- size and then a condition on it
@jax.vmap
def f(n):
    total, _ = jax.lax.scan(lambda total, _: (total + 1.0, None), 0.0, None, n - 1)  # JAX223
    return total if n > 0 else 0.0

def main():
    return f(jnp.arange(3))

# --- size on one path and a condition on another value
@jax.jit
def f(x, n, flag):
    if flag is None:
        y = x
    else:
        y = jnp.zeros(n)  # JAX223
    if n > 2:  # JAX201
        y = y + 1
    return y

def main():
    return f(1.0, 3, None)

# --- boolean mask
@jax.jit
def f(x):
    return x[x > 0].sum()  # JAX221

def main():
    return f(jnp.ones(3))

# --- boolean mask update
@jax.jit
def f(x):
    mask = jnp.isnan(x)
    return x.at[mask].set(0.0)  # JAX221

def main():
    return f(jnp.ones(3))

# --- nonzero
@jax.jit
def f(x):
    return jnp.nonzero(x > 0)  # JAX222

def main():
    return f(jnp.ones(3))

# --- where one argument
@jax.jit
def f(x):
    return jnp.where(x > 0)[0]  # JAX222

def main():
    return f(jnp.ones(3))

# --- unique
@jax.jit
def f(x):
    return jnp.unique(x)  # JAX222

def main():
    return f(jnp.ones(3))

# --- zeros of argument
@jax.jit
def f(n):
    return jnp.zeros(n)  # JAX223

def main():
    return f(3)

# --- reshape to argument
@jax.jit
def f(x, n):
    return x.reshape(n, -1)  # JAX223

def main():
    return f(jnp.ones(4), 2)

# --- arange of sum
@jax.jit
def f(x):
    return jnp.arange(x.sum())  # JAX223

def main():
    return f(jnp.ones(4, int))

# --- slice to argument
@jax.jit
def f(x, n):
    return x[:n]  # JAX224

def main():
    return f(jnp.ones(4), 2)

# --- window
def main():
    xs = jnp.arange(10.0)
    return jax.lax.fori_loop(0, 3, lambda i, t: t + xs[i : i + 3].sum(), 0.0)  # JAX224

# --- sizes given
@jax.jit
def f(x):
    a = jnp.nonzero(x > 0, size=2)[0]
    b = jnp.unique(x, size=2, fill_value=0)
    c = jnp.where(x > 0, x, 0.0)
    d = jnp.bincount(x.astype(int), length=3)
    e = jnp.repeat(x, jnp.ones(4, int), total_repeat_length=4)
    return a, b, c, d, e, jnp.sum(x, where=x > 0)

def main():
    return f(jnp.ones(4))

# --- static mask
MASK = np.array([True, False, True])

@jax.jit
def f(x):
    return x[MASK], x[np.arange(2)], x[jnp.array([0, 1])], x[::2], x[len(x) // 2 :]

def main():
    return f(jnp.ones(3))

# --- a number that no key of an array has: the last, or the first, is given once more
def main():
    keys = jax.random.split(jax.random.key(0), 2)
    last = keys[2]  # JAX307
    first = keys[-3]  # JAX307
    assert last == keys[1] and first == keys[0]
    return last, first

# --- the numbers of all keys of an array, and of what is made of it
def main():
    keys = jax.random.split(jax.random.key(0), 2)
    more = jax.random.split(keys[-1], 4)[1:]
    wide = jax.random.split(keys[0], (2, 3))
    return more[2], more[-3], wide[1, 2], wide[1][2], keys[None][0]

# --- parts of an argument that only arrays can be
import collections
from functools import partial

Graph = collections.namedtuple("Graph", "nodes senders receivers n_node")

def aggregate(graph):
    return jax.ops.segment_sum(graph.nodes[graph.senders], graph.receivers)  # JAX222

def layer(aggregate, graph, w):
    return aggregate(graph) @ w

def main():
    graph = Graph(jnp.ones((4, 2)), jnp.array([0, 1]), jnp.array([1, 2]), 3)
    return jax.jit(partial(layer, aggregate))(graph, jnp.ones((2, 2)))

# --- parts of an argument that may be numbers which are not traced
import dataclasses

@partial(jax.tree_util.register_dataclass, data_fields=["nodes"], meta_fields=["copies"])
@dataclasses.dataclass
class Graph:
    nodes: jax.Array
    copies: int

@jax.jit
def several(graph):
    kept = jax.ops.segment_sum(graph.nodes, jnp.zeros(4, int), num_segments=graph.copies)
    return jnp.repeat(graph.nodes, graph.copies, axis=0), kept

def main():
    return several(Graph(jnp.ones((4, 2)), 2))

# --- an index behind the solution of a system, its inverse and what a determinant is taken of
N = 4

def walls(u):
    return u.at[N].set(0.0)  # JAX307

def main():
    a = jnp.eye(N)
    return walls(jnp.linalg.solve(a, jnp.ones(N)))

# --- the last index of the solutions of some systems
N = 4

def walls(u):
    return u.at[3].set(0.0)

def main():
    a = jnp.ones((5, N, N)) + jnp.eye(N)
    return walls(jnp.linalg.solve(a, jnp.ones(N))), walls(jnp.linalg.det(a)[:4]), walls(jnp.linalg.inv(a)).shape

# --- NumPy asks an array of JAX for its shape
def rows(x):
    return jax.vmap(jnp.sum)(x)

def summed(x):
    if len(np.shape(x)) == 1 or np.ndim(x) == 0:
        return x.sum()
    return rows(x[0])

def main():
    return summed(jnp.ones((3, 2))[:, 0])

# --- masks of lists that a loop fills
@jax.jit
def kept(xs):
    flags = []
    for x in xs:
        flags.append(x > 0)
    return xs[jnp.stack(flags)]  # JAX221

def main():
    return kept(jnp.ones(20))

# --- masks of lists of unknown length
@jax.jit
def kept(xs):
    return xs[jnp.array([x > 0 for x in xs])]  # JAX221

def main():
    return kept(jnp.ones(20))

# --- places of lists that a loop fills, and a list of either
@jax.jit
def chosen(xs):
    places, either = [], []
    for n, x in enumerate(xs):
        places.append(jnp.argmax(xs[:3]) + n)
        either.append(x > 0 if n % 2 else jnp.argmax(xs))
    return xs[jnp.stack(places)], xs[jnp.stack(either)]

def main():
    return chosen(jnp.ones(20))

# --- slices that are made by name
@partial(jax.jit, static_argnums=2)
def cut(x, start, half):
    rows = slice(start - half, start + half)
    return x.at[rows].set(0.0)  # JAX224

def main():
    return cut(jnp.ones(9), 4, 2)

# --- slices by name of known bounds, and of bounds that nobody traces
@partial(jax.jit, static_argnums=1)
def cut(x, start):
    rows = slice(start, start + 2)
    return x[rows], x[slice(None)], x[..., slice(2)]

def main():
    x = jnp.ones(9)
    return cut(x, 4), x[slice(int(x.sum()) - 9, 3)]
