# Keys in lists, dicts, records and arrays of keys.

import functools

import jax
import jax.numpy as jnp

# --- rows of one of two matrices
def main(key):
    keys, n = jax.random.split(key, (2, 3)), len(jax.devices())
    for _ in range(n):
        for _ in range(max(n, 1)):
            keys = jax.vmap(lambda row: jax.random.split(row[0], 3))(keys)
            if n > 2:
                n = n + 1
    return jax.vmap(lambda row: jax.random.normal(row[0]))(keys)

# --- dict
def main(key):
    rngs = {"params": key}
    a = jax.random.normal(rngs["params"])
    return a + jax.random.uniform(key)  # JAX401

# --- same key two entries
def main(key):
    rngs = {"params": key, "dropout": key}
    a = jax.random.normal(rngs["params"])
    return a + jax.random.uniform(rngs["dropout"])  # JAX401

# --- tuple and unpack
def main(key):
    pair = (1.0, key)
    scale, k = pair
    a = scale * jax.random.normal(k)
    return a + jax.random.normal(pair[1])  # JAX401

# --- namedtuple
from typing import NamedTuple

class State(NamedTuple):
    x: jax.Array
    rng: jax.Array

def main(key):
    state = State(0.0, key)
    state = state._replace(x=jax.random.normal(state.rng))
    return state.x + jax.random.normal(state.rng)  # JAX401

# --- dataclass parameter
from dataclasses import dataclass

@dataclass
class State:
    rng: jax.Array
    step: int = 0

def act(state):
    a = jax.random.normal(state.rng)
    return a + jax.random.uniform(state.rng)  # JAX401

def main(key):
    return act(State(key))

# --- element twice
def main(key):
    ks = jax.random.split(key, 3)
    a = jax.random.normal(ks[1])
    return a + jax.random.normal(ks[0]) + jax.random.uniform(ks[1])  # JAX401

# --- negative element
def main(key):
    ks = jax.random.split(key, 3)
    a = jax.random.normal(ks[-1])
    return a + jax.random.uniform(ks[2])  # JAX401

# --- element and slice
def main(key):
    ks = jax.random.split(key, 3)
    a = jax.vmap(jax.random.normal)(ks[1:])
    return a + jax.random.uniform(ks[2])  # JAX401

# --- iterated and indexed
@jax.jit
def main(key):
    ks = jax.random.split(key, 3)
    a = [jax.random.normal(k) for k in ks]
    return a, jax.random.uniform(ks[0])  # JAX401

# --- list of keys
def main(key):
    keys = list(jax.random.split(key, 3))
    first, *rest = keys
    a = jax.random.normal(first)
    return a + jax.random.normal(keys[0])  # JAX401

# --- replace keeps key
from dataclasses import dataclass, replace

@dataclass
class State:
    rng: jax.Array
    x: float = 0.0

def main(key):
    state = State(key)
    state = replace(state, x=jax.random.normal(state.rng))
    return state.x + jax.random.normal(state.rng)  # JAX401

# --- elements apart
def main(key):
    ks = jax.random.split(key, 4)
    a = jax.random.normal(ks[0]) + jax.random.normal(ks[1])
    return a + jax.random.normal(ks[-1]) + jax.random.normal(ks[-2])

# --- slices apart
def main(key):
    ks = jax.random.split(key, 4)
    return jax.vmap(jax.random.normal)(ks[:2]) + jax.vmap(jax.random.normal)(ks[2:])

# --- dict of children
def main(key):
    names = ("params", "dropout")
    rngs = dict(zip(names, jax.random.split(key, len(names))))
    return {name: jax.random.normal(k) for name, k in rngs.items()}

# --- replaced state
from typing import NamedTuple

class State(NamedTuple):
    x: jax.Array
    rng: jax.Array

def step(state):
    rng, sub = jax.random.split(state.rng)
    return state._replace(x=state.x + jax.random.normal(sub), rng=rng)

def main(key):
    return step(step(State(0.0, key)))

# --- entry renewed
def main(key):
    rngs = {"dropout": key}
    for _ in range(2):
        rngs["dropout"], sub = jax.random.split(rngs["dropout"])
        x = jax.random.normal(sub)
    return x

# --- tree of children
def main(key):
    params = {"a": jnp.ones(2), "b": jnp.ones(3)}
    leaves, tree = jax.tree.flatten(params)
    keys = jax.tree.unflatten(tree, list(jax.random.split(key, len(leaves))))
    return jax.tree.map(lambda p, k: p + jax.random.normal(k, p.shape), params, keys)

# --- grid of keys
def main(key):
    grid = jax.random.split(key, (2, 3))
    return jax.random.normal(grid[0, 1]) + jax.random.normal(grid[1, 0])

# --- stored in checkpoint
def main(key):
    x = jax.random.normal(key)
    checkpoint = {"x": x, "rng": key}
    return checkpoint

# --- found by the names of a table
def main(key, params={"a": 1.0, "b": 2.0}):
    keys = {name: sub for name, sub in zip(params, jax.random.split(key, 3))}
    total = 0.0
    for name, leaf in params.items():
        total = total + leaf * jax.random.normal(keys[name])
    return total

# --- found by two numbers
def main(key, first=0, second=1):
    one, other = jax.random.split(key)
    keys = (one, other)
    return jax.random.normal(keys[first]) + jax.random.normal(keys[second])

# --- found by the same name twice
def main(key, params=("a", "b"), name="a"):
    keys = {name: sub for name, sub in zip(params, jax.random.split(key, 3))}
    return jax.random.normal(keys[name]) + jax.random.normal(keys[name])  # JAX401

# --- the first of a list, and the others
def main(key, n=3):
    first, *others = list(jax.random.split(key, n))
    keys = [*jax.random.split(jax.random.fold_in(key, 1), n)]
    total = jax.random.normal(first) + sum(jax.random.normal(one) for one in others)
    *others, last = [jax.random.fold_in(keys[0], i) for i in range(n)]
    total += jax.random.normal(last) + sum(jax.random.normal(one) for one in others)
    return total + jax.random.normal(keys[1]) + sum(jax.random.normal(one) for one in keys[2:])

# --- two halves of a list
def main(key, n=4, half=2):
    keys = list(jax.random.split(key, n))
    total = sum(jax.random.normal(one) for one in keys[:half])
    return total + sum(jax.random.normal(one) for one in keys[half:])

# --- the others of a list twice
def main(key, n=3):
    first, *others = list(jax.random.split(key, n))
    total = jax.random.normal(first) + sum(jax.random.normal(one) for one in others)
    return total + sum(jax.random.uniform(one) for one in others)  # JAX401

# --- the same slice twice
def main(key, n=3):
    keys = list(jax.random.split(key, n))
    return sum(jax.random.normal(one) for one in keys[1:]) + sum(jax.random.normal(one) for one in keys[1:])  # JAX401

# --- all that a slice copies, and the whole
def main(key, n=3):
    keys = list(jax.random.split(key, n))
    return sum(jax.random.normal(one) for one in keys[:]) + sum(jax.random.normal(one) for one in keys)  # JAX401

# --- one of a display that has a starred part, twice
def main(key, n=3):
    keys = [*jax.random.split(key, n)]
    return jax.random.normal(keys[0]) + jax.random.normal(keys[1]) + jax.random.normal(keys[1])  # JAX401

# --- handed on by names that nobody knows
def draw(a, b):
    return jax.random.normal(a) + jax.random.normal(b)

def main(key, names=("a", "b")):
    return draw(**{name: jax.random.fold_in(key, i) for i, name in enumerate(names)})

# --- handed on by names that nobody knows, twice
def draw(a, b):
    return jax.random.normal(a) + jax.random.normal(b)

def main(key, names=("a", "b")):
    keys = {name: jax.random.fold_in(key, i) for i, name in enumerate(names)}
    return draw(**keys) + draw(**keys)  # JAX401

# --- the first that a generator gives
import itertools

def stream(key):
    while True:
        key, sub = jax.random.split(key)
        yield sub

def main(key):
    a, b = itertools.islice(stream(key), 2)
    return jax.random.normal(a) + jax.random.normal(b)

# --- what a generator that is cut off splits
import itertools

def stream(key):
    while True:
        key, sub = jax.random.split(key)
        yield sub

def main(key):
    a, b = itertools.islice(stream(key), 2)
    return jax.random.normal(a) + jax.random.normal(key)  # JAX401

# --- the first of a list that is cut off
import itertools

def main(key):
    keys = [*jax.random.split(key, 3)]
    a, b = itertools.islice(keys, 2)
    c, d = itertools.islice([jax.random.key(1), jax.random.key(2), jax.random.key(3)], 1, 3)
    return jax.random.normal(a) + jax.random.normal(b) + jax.random.normal(c) + jax.random.normal(d)

# --- keys of an iterator that nobody can see, at places of a list that a traced function is given
class Sampler:
    def __init__(self, keys, count):
        self.keys, self.count = keys, count

    def run(self):
        found = [next(self.keys) for _ in range(2 * self.count)]
        return self.drawn(found)

    @functools.partial(jax.jit, static_argnums=0)
    def drawn(self, keys):
        total = 0.0
        for step in range(self.count):
            if step == 0:
                total += jax.random.normal(keys[0]) + jax.random.normal(keys[1])
            else:
                total += jax.random.normal(keys[2 * step]) + jax.random.normal(keys[2 * step + 1])
        return total

def main(key):
    return Sampler(iter(jax.random.split(key, 6)), 3).run()

# --- one place of such a list, twice in a pass
class Sampler:
    def __init__(self, keys, count):
        self.keys, self.count = keys, count

    def run(self):
        found = [next(self.keys) for _ in range(2 * self.count)]
        return self.drawn(found)

    @functools.partial(jax.jit, static_argnums=0)
    def drawn(self, keys):
        total = 0.0
        for step in range(self.count):
            total += jax.random.normal(keys[step]) + jax.random.normal(keys[step])  # JAX401
        return total

def main(key):
    return Sampler(iter(jax.random.split(key, 6)), 3).run()

# --- rows of a list of pairs, of which nobody knows how many there are
def main(key):
    rows = [("noise", one) for one in jax.random.split(key, len(jax.devices()) + 1)]
    return jax.random.normal(rows[len(rows) - 1][1]) + jax.random.normal(rows[0][1])

# --- one row of such a list twice
def main(key):
    rows = [("noise", one) for one in jax.random.split(key, len(jax.devices()) + 1)]
    return jax.random.normal(rows[0][1]) + jax.random.normal(rows[0][1])  # JAX401

# --- one key under all names of a dict
def main(key):
    keys = dict.fromkeys(("mask", "noise"), key)
    kept = jax.random.bernoulli(keys["mask"], 0.5, (3,))
    return kept * jax.random.normal(keys["noise"], (3,))  # JAX401

# --- one key under all names of a dict, of which the name makes others
def main(key):
    names = ("mask", "noise")
    keys = dict.fromkeys(names, key)
    keys = {name: jax.random.fold_in(keys[name], number) for number, name in enumerate(names)}
    return jax.random.bernoulli(keys["mask"], 0.5, (3,)) * jax.random.normal(keys["noise"], (3,))

# --- nothing under the names of a dict, and then a key for each
def main(key):
    keys = dict.fromkeys(("mask", "noise"))
    keys["mask"], keys["noise"] = jax.random.split(key)
    return jax.random.bernoulli(keys["mask"], 0.5, (3,)) * jax.random.normal(keys["noise"], (3,))

# --- keys by name, one for each
def main(key, names=("a", "b", "c")):
    table = {name: child for name, child in zip(names, jax.random.split(key, len(names)))}
    filled = {}
    for name, child in zip(names, jax.random.split(jax.random.fold_in(key, 1), len(names))):
        filled[name] = child
    drawn = {name: jax.random.normal(child) for name, child in table.items()}
    return drawn, [jax.random.normal(child) for child in filled.values()]

# --- the same key over and over
import itertools

def main(key):
    drawn = []
    for _, same in zip(range(3), itertools.repeat(key)):
        drawn.append(jax.random.normal(same))  # JAX403
    return drawn

# --- the same key for each of some rows
import itertools

def main(key):
    rows = [1.0, 2.0]
    folded = [x + jax.random.normal(jax.random.fold_in(k, i)) for i, (x, k) in enumerate(zip(rows, itertools.repeat(key)))]
    return folded, [x + jax.random.uniform(k) for x, k in zip(rows, itertools.repeat(jax.random.clone(key), 2))]  # JAX403

# --- a dict that a helper reads under a key it is given: the same one twice, and others
def draw(keys, name):
    return jax.random.normal(keys[name])

def made(seed):
    first, second = jax.random.split(jax.random.key(seed))
    return {"params": first, "dropout": second}

def same(name):
    keys = made(0)
    x = draw(keys, name)
    return x + draw(keys, name)  # JAX401

def others(a, b):
    keys = made(1)
    return draw(keys, a) + draw(keys, b)

def moved_on(name):
    keys = made(2)
    x = draw(keys, name)
    keys[name] = jax.random.key(3)
    return x + draw(keys, name)

def replaced(name):
    keys = made(4)
    x = draw(keys, name)
    keys = made(5)
    return x + draw(keys, name)

def each(names):
    keys = made(6)
    return sum(draw(keys, name) for name in names)

def main(name="params"):
    return same(name), others(name, "dropout"), moved_on(name), replaced(name), each([name])

# --- a key in a union of dicts
def main():
    state = {"key": jax.random.key(0)} | {"step": 0}
    state |= {"step": 1}
    x = jax.random.normal(state["key"])
    return x + jax.random.normal(state["key"])  # JAX401

# --- a key that a union of dicts puts in the place of another one
def main():
    state = {"key": jax.random.key(0), "step": 0}
    key, now = jax.random.split(state["key"])
    state = state | {"key": key}
    return jax.random.normal(now) + jax.random.normal(state["key"])
