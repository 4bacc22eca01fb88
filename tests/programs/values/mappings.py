# Dicts where arrays are expected, and arrays where dicts are.

import os
import tempfile
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- sorted names in a generator
def named(tree):
    for name in sorted(tree):
        yield name, tree[name]

@jax.jit
def total(params):
    return sum(value for _, value in named(params))

def main():
    return total({"w": 1.0, "b": 2.0})

# --- sorted names handed on
def ordered(values):
    names = sorted(values)
    return [values[name] for name in names], len(names)

@jax.jit
def total(params):
    rows, count = ordered(params)
    return rows[0] * count

def main():
    return total({"w": 1.0, "b": 2.0})

# --- sorted rows
@jax.jit
def median(xs):
    return sorted(xs)[xs.shape[0] // 2]  # JAX203

def main():
    return median(jnp.ones(3))

# --- names that decide
@jax.jit
def total(layers):
    parts = 0.0
    for depth in layers:
        if depth > 1:
            parts = parts + layers.get(depth)
    return parts

def main():
    return total({1: 1.0, 2: 3.0})

# --- rows that decide
@jax.jit
def total(rows):
    parts = 0.0
    for row in rows:
        if row > 1:  # JAX201
            parts = parts + row
    return parts

def main():
    return total(jnp.ones(3))

# --- items of a nested defaultdict
import collections

def walk(tree):
    for name in sorted(tree):
        yield name, tree[name]

@jax.jit
def merge(a, b):
    out = collections.defaultdict(dict)
    for tree in (a, b):
        for name, value in walk(tree):
            out[name]["w"] = value
            out.setdefault(name, {})["v"] = value
    return dict(out)

def main():
    return merge({"x": 1.0}, {"y": 2.0})

# --- setdefault of a dict
@jax.jit
def f(x):
    seen = {}
    seen.setdefault("rows", []).append(x)
    seen.setdefault("rows", []).append(2 * x)
    seen.setdefault("total", x)
    return seen["rows"][0] if seen["total"] > 0 else x  # JAX201

def main():
    return f(1.0)

# --- records taken at a traced index
class Batch:
    def __init__(self, **columns):
        self.columns = columns

    def __getitem__(self, index):
        return {name: column[index] for name, column in self.columns.items()}

def play(batch, count):
    def body(i, total):
        row = batch[i]
        row["weight"] = 2.0
        return total + row["x"] * row["weight"]
    return jax.lax.fori_loop(0, count, body, 0.0)

def main():
    return play(Batch(x=jnp.ones(3)), 3)

# --- rows taken at a traced index
def play(table, count):
    def body(i, total):
        row = table[i]
        row[0] = 2.0  # JAX301
        return total + row.sum()
    return jax.lax.fori_loop(0, count, body, 0.0)

def main():
    return play(jnp.ones((3, 2)), 3)

# --- declared array that is a dict
def record(info: jax.Array, value):
    info["value"] = value
    return info

@jax.jit
def step(info: jax.Array, x):
    info["scale"] = x
    for name in ("a", "b"):
        info[name] = x
    return info

def main():
    return record({}, 1.0), step({}, 1.0)

# --- declared array that is a numpy array
def clear(x: jax.Array, i: int):
    x[i] = 0.0
    x += 1.0

def main():
    return clear(np.ones(3), 1)

# --- declared array
@jax.jit
def clear(x: jax.Array):
    x[0] = 0.0  # JAX301
    return x

def main():
    return clear(jnp.ones(3))

# --- dict keyed by tuples
@jax.jit
def fill(cache, x):
    for depth in range(2):
        cache["k", depth] = x
    return cache

def main():
    return fill({("k", 0): 1.0, ("k", 1): 2.0}, 1.0)

# --- object that decides itself
@jax.tree_util.register_pytree_node_class
class Tagged:
    def __init__(self, x, kind):
        self.x, self.kind = x, kind

    def tree_flatten(self):
        return (self.x,), (self.kind,)

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(children[0], aux[0])

    def __bool__(self):
        return self.kind == "t"

@jax.jit
def bump(value):
    return value.x + 1 if value else value.x

def main():
    return bump(Tagged(1.0, "t")), bump(Tagged(1.0, "f"))

# --- the arrays of a file
def main():
    with tempfile.TemporaryDirectory() as folder:
        jnp.savez(os.path.join(folder, "weights.npz"), w=jnp.ones(3), b=jnp.zeros(2))
        return {name: jnp.asarray(value) for name, value in jnp.load(os.path.join(folder, "weights.npz")).items()}

# --- the array of a file
def main():
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            jnp.save("weights.npy", jnp.ones(3))
            return dict(jnp.load("weights.npy").items())  # JAX317
        finally:
            os.chdir(before)
