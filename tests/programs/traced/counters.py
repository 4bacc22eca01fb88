# Counters, cycles and generators from outside the trace.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- next of a counter
import itertools

ids = itertools.count()

@jax.jit
def tag(x):
    number = 2 * next(ids)  # JAX109
    return x + number

def main():
    assert tag(1.0) == 1.0
    assert tag(1.0) == 1.0
    return next(ids)

# --- next of what nothing is known of but that it is older than the trace
def fed(source):
    batches = iter(source)

    @jax.jit
    def step(x):
        return x + next(batches)  # JAX109

    return step(1.0) + step(1.0)

def drawn(numbers):
    return jax.jit(lambda x: x + next(numbers))  # JAX109

def main():
    assert fed([1.0, 2.0]) == 4.0
    add = drawn(iter([1.0, 2.0]))
    assert add(1.0) == add(1.0) == 2.0

# --- next of what the trace has made itself, or of what is no matter of a trace
@jax.jit
def summed(xs):
    parts = iter(xs)
    return next(parts) + next(parts)

@partial(jax.jit, static_argnums=0)
def named(make, x):
    names = make()
    return {next(names): x, next(names): x}

def fed(source, step):
    batches = iter(source)
    total = step(next(batches))
    return total + step(next(batches))

def main():
    assert summed(jnp.array([1.0, 2.0])) == 3.0
    assert named(lambda: iter("ab"), 1.0) == {"a": 1.0, "b": 1.0}
    assert fed([1.0, 2.0], jax.jit(lambda x: x + 1.0)) == 5.0

# --- next of a cycle
import itertools

scales = itertools.cycle([1.0, 2.0])

@jax.jit
def scale(x):
    return x * next(scales)  # JAX109

def main():
    assert scale(1.0) == scale(1.0) == 1.0

# --- next of an endless generator
def belt():
    n = 0.0
    while True:
        n = n + 1.0
        yield n

feed = belt()

@jax.jit
def load(total):
    return total + next(feed)  # JAX109

def main():
    assert load(0.0) == load(0.0) == 1.0

# --- numbers of counters
import itertools

ids = itertools.count()

def belt():
    n = 0.0
    while True:
        n = n + 1.0
        yield n

@jax.jit
def named(x):
    with jax.named_scope(f"layer{next(ids)}"):
        return x * 2

@jax.jit
def inside(x):
    mine, feed = itertools.count(1), belt()
    return x + next(mine) * next(mine) + next(feed)

@jax.jit
def weighted(x, rows):
    for number, row in zip(itertools.count(), rows):
        x = x + number * row
    return x

def main():
    return named(1.0), inside(1.0), weighted(1.0, [2.0, 3.0]), 2 + next(ids)

# --- iterators that are not used up
def make(weights):
    table = {"a": 1.0, "b": 2.0}
    pairs, names, count = list(zip(weights, weights)), table.keys(), range(3)

    @jax.jit
    def stack(x):
        for a, b in pairs:
            x = x + a * b
        for name in names:
            x = x + table[name]
        layers = (w * 2 for w in weights)
        for number, layer in zip(count, layers):
            x = x + number * layer
        inner = iter(weights)

        def body(total, row):
            for w in inner:
                total = total + w * row
            return total, None

        return jax.lax.scan(body, x.sum(), jnp.ones(2))[0]

    return stack

def once(weights):
    total = jax.grad(lambda x: sum(w * x for w in iter(weights)))(1.0)
    rows = (w for w in weights)
    return total + jax.vmap(lambda x: sum(w * x for w in rows))(jnp.ones(2)).sum()

def main():
    stack = make((1.0, 2.0))
    assert stack(jnp.ones(2)) - stack(jnp.ones(1)) == 13.0
    return once([1.0, 2.0])

# --- the number of a counter that is returned, folded into a key, or handed to a helper; and one that names things
import itertools

_calls = itertools.count()

def mix(x, number):
    return x + number

@jax.jit
def returned(x):
    number = next(_calls)  # JAX109
    return x + 1, number

@jax.jit
def folded(key, x):
    key = jax.random.fold_in(key, next(_calls))  # JAX109
    return x + jax.random.normal(key)

@jax.jit
def mixed(x):
    return mix(x, next(_calls))  # JAX109

@jax.jit
def named(x):
    with jax.named_scope(f"layer{next(_calls)}"):
        return x + 1

def main():
    x = jnp.ones(3)
    return returned(x), folded(jax.random.key(0), x), mixed(x), named(x)
