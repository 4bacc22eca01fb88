# Questions that a tracer cannot answer: truth, a number, an index, a text, a hash.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- tuple of the class indexed
class Synth:
    waves = (jnp.sin, jnp.cos)

    def play(self, kind, t):
        return self.waves[kind](t)  # JAX214

@jax.jit
def note(kind, t):
    return Synth().play(kind, t)

def main():
    return note(0, 1.0)

# --- tuple of the class indexed by what is static
from dataclasses import dataclass

class Synth:
    waves = (jnp.sin, jnp.cos)
    levels = (1.0, 2.0)
    gains = (3.0, 4.0)

    def __init__(self, gains):
        self.gains = gains

    def tune(self):
        self.levels = jnp.ones(2)

    def play(self, kind, t):
        rows = jnp.asarray(self.waves[0](t)) + self.levels[kind] * self.gains[kind]
        return rows if self.waves[-1] is jnp.cos and len(self.waves) > 1 else t

class Base:
    table = (1.0, 2.0)

    def read(self, kind):
        return self.table[kind]

class Wide(Base):
    table = jnp.ones(3)

@dataclass
class Record:
    steps: tuple = (1.0, 2.0)

    def step(self, kind):
        return self.steps[kind]

@jax.jit
def note(kind, t):
    synth = Synth(jnp.ones(2))
    synth.tune()
    return synth.play(kind, t) + Wide().read(kind) + Record(jnp.ones(2)).step(kind)

def main():
    return note(0, 1.0)

# --- tuple of the class gone through
class Synth:
    @staticmethod
    def loud(t):
        return t if t > 0 else -t  # JAX201

    waves = (jnp.sin, loud)

    @partial(jax.jit, static_argnums=0)
    def play(self, t):
        for wave in self.waves:
            t = wave(t)
        return t

def main():
    return Synth().play(1.0)

# --- bool operators
@jax.jit
def f(x, y):
    return (x > 0) or (y > 0)  # JAX202

def main():
    return f(1.0, 2.0)

# --- chained comparison
@jax.jit
def f(x):
    return 0.0 < x < 1.0  # JAX202

def main():
    return f(0.5)

# --- membership
@jax.jit
def f(x):
    return x in (1, 2)  # JAX202

def main():
    return f(3)

# --- any of tracers
@jax.jit
def f(xs):
    return any([x > 1 for x in xs])  # JAX202

def main():
    return f([1.0, 2.0])

# --- comprehension filter
@jax.jit
def f(xs):
    return [x for x in xs if x > 0]  # JAX201

def main():
    return f(jnp.ones(3))

# --- range of argument
@jax.jit
def f(x, n):
    for _ in range(n):  # JAX204
        x = x * 2
    return x

def main():
    return f(1.0, 3)

# --- item
@jax.jit
def f(x):
    return x.sum().item()  # JAX211

def main():
    return f(jnp.ones(2))

# --- math
import math

@jax.jit
def f(x):
    return math.sqrt(x)  # JAX213

def main():
    return f(2.0)

# --- numpy ufunc
@jax.jit
def f(x):
    y = x * 2
    return np.maximum(y, 0.0)  # JAX213

def main():
    return f(jnp.ones(2))

# --- list indexed
@jax.jit
def f(i):
    return [1.0, 2.0, 3.0][i]  # JAX214

def main():
    return f(1)

# --- formatted
@jax.jit
def f(x):
    label = f"{x:.2f}"  # JAX215
    return x, len(label)

def main():
    return f(1.0)

# --- dict key
@jax.jit
def f(i):
    return {0: 1.0, 1: 2.0}[i]  # JAX216

def main():
    return f(1)

# --- block until ready
@jax.jit
def f(x):
    y = x * 2
    y.block_until_ready()  # JAX217
    return y

def main():
    return f(1.0)

# --- array operators
@jax.jit
def f(x, y):
    inside = (x > 0) & (y < 1) | ~(x == y)
    return jnp.where(inside, jnp.maximum(x, y), jnp.clip(x, 0.0, 1.0))

def main():
    return f(1.0, 2.0)

# --- traced values where allowed
@jax.jit
def f(x, n):
    a = jnp.full((2,), n) + jnp.linspace(0, n, 2) + jnp.roll(x, n)[:2] + jnp.eye(2, k=n)[0]
    return a + x[n] + x.at[n].set(0.0)[:2] + jax.lax.dynamic_slice_in_dim(x, n, 2) + jax.nn.one_hot(n, 2)

def main():
    return f(jnp.ones(4), 1)

# --- conversion outside
@jax.jit
def f(x):
    return (x * x).sum()

def main():
    losses = []
    for _ in range(2):
        loss = f(jnp.ones(2))
        losses.append(float(loss))
        print(f"loss {loss:.3f}", loss.item())
    return np.mean(losses)

# --- eager data dependence
def main():
    x = jnp.arange(4.0)
    n = int(x.sum())
    return x[x > 1], jnp.unique(x), jnp.nonzero(x), jnp.zeros(n), x[:n], f"{x[0]:.2f}", max(x)

# --- static message
@jax.jit
def f(x):
    if x.ndim != 1:
        raise ValueError(f"expected a vector, got {x.shape} of {x.dtype!s:>8}")
    return x

def main():
    return f(jnp.ones(3))

# --- key by name
@jax.jit
def f(x):
    table = {x.dtype: 1.0, x.shape: 2.0, "w": x}
    return table["w"] * table[x.shape]

def main():
    return f(jnp.ones(3))

# --- one of several functions, whose value comes from calls far down
def sign(x):
    return x > 0

def first(x):
    return sign(x)

def second(x):
    return first(x)

def third(x):
    return second(x)

def fourth(x):
    return third(x)

def fifth(x):
    return fourth(x)

def opposite(x):
    return x < 0

TABLE = {"sign": fifth, "opposite": opposite}

@partial(jax.jit, static_argnames="name")
def turned(x, name):
    if TABLE[name](x):  # JAX201
        return x
    return -x

def main():
    return turned(1.0, "sign")

# --- one of several functions, whose static value comes from calls far down
def many(x):
    return x.shape[0] > 1

def first(x):
    return many(x)

def second(x):
    return first(x)

def third(x):
    return second(x)

def fourth(x):
    return third(x)

def fifth(x):
    return fourth(x)

def few(x):
    return x.ndim < 2

TABLE = {"many": fifth, "few": few}

@partial(jax.jit, static_argnames="name")
def turned(x, name):
    if TABLE[name](x):
        return x
    return -x

def main():
    return turned(jnp.ones(3), "many")

# --- what the standard library asks a tracer for
import bisect
import itertools
import operator

@jax.jit
def searched(x):
    return bisect.bisect_right([10, 20, 30], x)  # JAX223

@jax.jit
def listed(x):
    return [1, 2, 3].index(x)  # JAX202

@jax.jit
def looked_up(x):
    return {1: 2.0}.get(x, 0.0)  # JAX216

@jax.jit
def kept(x, limits):
    chosen = list(filter(lambda limit: x > limit, limits))  # JAX201
    return len(chosen)

@jax.jit
def begun(x):
    return list(itertools.takewhile(lambda limit: limit < x, (1, 2)))  # JAX201

@jax.jit
def nearest(x):
    return min((1, 2), key=lambda center: abs(x - center))  # JAX203

@jax.jit
def repeated(x):
    return list(itertools.repeat(1.0, x))  # JAX223

@jax.jit
def both(x, y):
    if operator.gt(x, y):  # JAX201
        return operator.add(x, y)
    return x

@jax.jit
def written(x):
    return len(hex(x))  # JAX211

def main():
    return [f(3) for f in (searched, listed, looked_up, begun, nearest, repeated, written)], kept(3, (1, 2)), both(1, 2)

# --- what the standard library asks no tracer for
import bisect
import itertools
import operator
from functools import reduce

@jax.jit
def f(x, parts):
    size = bisect.bisect_right([10, 20, 30], x.shape[0])
    first = [x, 1].index(x)
    arrays = list(filter(lambda part: part.ndim > 0, parts))
    widest = max(arrays, key=lambda part: part.shape[0])
    flat = list(itertools.takewhile(lambda part: part.ndim == 1, arrays))
    names = {"x": x}.get("x", x)
    ordered = sorted(("b", "a"), key=lambda name: len(name))
    total = reduce(operator.add, parts)
    two = (1, 2).count(x.ndim)
    nearest = min((2,), key=lambda center: abs(x[0] - center))
    letter = {"a": x}[chr(97)]
    if operator.gt(x.ndim, 1) and operator.is_(names, None):
        return x
    return x * size + first + letter + nearest + widest + len(flat) + len(ordered) + total + two

def main():
    return f(jnp.ones(3), (jnp.ones(3), jnp.ones(3)))

# --- arrays that were stored, and one that chance picks
import io
import pickle
import random

def stored():
    return io.BytesIO(pickle.dumps({"weights": jnp.arange(4.0)}))

def main():
    saved = pickle.load(stored())
    picked = random.choice([jnp.arange(4.0), jnp.ones(4)])
    return jax.jit(lambda i: saved["weights"][i] + picked[i])(2)

# --- numbers that a file holds
import io
import json

def main():
    saved = json.load(io.StringIO('{"weights": [1.0, 2.0]}'))
    return jax.jit(lambda i: saved["weights"][i])(1)  # JAX214

# --- numbers of which chance picks one list
import random

def main():
    picked = random.choice([[1.0, 2.0], [2.0, 3.0]])
    return jax.jit(lambda i: picked[i])(1)  # JAX214

# --- where in a grid a kernel runs
from jax.experimental import pallas as pl

def summed(x_ref, out_ref):
    i = pl.program_id(0)
    if i == 0:  # JAX201
        out_ref[...] = jnp.zeros_like(out_ref)
    out_ref[...] += jnp.sum(x_ref[...], axis=0, keepdims=True)

def main():
    block = pl.BlockSpec((2, 3), lambda i: (i, 0))
    whole = pl.BlockSpec((1, 3), lambda i: (0, 0))
    shape = jax.ShapeDtypeStruct((1, 3), jnp.float32)
    call = pl.pallas_call(summed, shape, grid=(2,), in_specs=[block], out_specs=whole, interpret=True)
    return call(jnp.ones((4, 3)))

# --- where in a grid a kernel runs, asked with when
from jax.experimental import pallas as pl

def summed(x_ref, out_ref, *, rows):
    i = pl.program_id(0)

    @pl.when(i == 0)
    def _():
        out_ref[...] = jnp.zeros_like(out_ref)

    for _ in range(pl.cdiv(rows, 4)):
        out_ref[...] += jnp.sum(x_ref[...], axis=0, keepdims=True)

def main():
    block = pl.BlockSpec((2, 3), lambda i: (i, 0))
    whole = pl.BlockSpec((1, 3), lambda i: (0, 0))
    shape = jax.ShapeDtypeStruct((1, 3), jnp.float32)
    kernel = partial(summed, rows=4)
    call = pl.pallas_call(kernel, shape, grid=(2,), in_specs=[block], out_specs=whole, interpret=True)
    return call(jnp.ones((4, 3)))

# --- on which device of a map a function runs
def main():
    def first(x):
        if jax.lax.axis_index("lanes") == 0:  # JAX201
            return x
        return -x

    return jax.pmap(first, axis_name="lanes")(jnp.ones((1, 3)))

# --- in which lane of a map a function runs
def main():
    def first(x):
        lane = jax.lax.axis_index("lanes")
        return x if lane == 0 else -x  # JAX201

    return jax.vmap(first, axis_name="lanes")(jnp.ones(3))

# --- in which lane of a map a function runs, chosen by JAX; how many there are is a number
def main():
    def first(x):
        lane = jax.lax.axis_index("lanes")
        return jnp.where(lane == 0, x, -x) if jax.lax.axis_size("lanes") > 1 else x

    return jax.vmap(first, axis_name="lanes")(jnp.ones(3))

# --- what is made of an array that nobody knows
class Buffer:
    def __init__(self, data):
        self.data = data

    @partial(jax.jit, static_argnums=0)
    def put(self, x, i):
        data = self.data.at[i].set(x)
        return data if data[0] > 0 else x  # JAX201

def main():
    return Buffer(jnp.zeros(3)).put(1.0, 0)

# --- a list is sorted in place
@jax.jit
def ranked(x, y):
    scores = [x.sum(), y.sum()]
    scores.sort()  # JAX203
    return scores

@jax.jit
def by_rank(x, y):
    sizes, parts = [3, 1, 2], [x, y]
    sizes.sort()
    parts.sort(key=lambda part: part.ndim)
    return jnp.zeros(sizes[0]), parts

def main():
    by_rank(jnp.ones(2), jnp.ones(()))
    return ranked(jnp.ones(2), jnp.ones(3))

# --- what is greatest is asked of a dict
@jax.jit
def worst(x, y):
    norms = {"x": jnp.linalg.norm(x), "y": jnp.linalg.norm(y)}
    return norms[max(norms, key=norms.get)]  # JAX203

@jax.jit
def longest(x, y):
    named = {"x": x, "yy": y}
    sizes = {name: len(name) for name in named}
    return named[max(named, key=len)], named[min(sizes, key=sizes.get)]

def main():
    longest(jnp.ones(2), jnp.ones(3))
    return worst(jnp.ones(2), jnp.ones(3))
