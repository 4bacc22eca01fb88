# Loops of Python.

import jax
import jax.numpy as jnp

# --- for
def main(key):
    total = 0.0
    for _ in range(3):
        total += jax.random.normal(key)  # JAX403
    return total

# --- while
def main(key):
    n = 0
    while n < 3:
        x = jax.random.normal(key)  # JAX403
        n += 1
    return x

# --- list comprehension
def main(key):
    return [jax.random.normal(key, (n,)) for n in (1, 2)]  # JAX403

# --- dict comprehension
def main(key):
    return {name: jax.random.normal(key) for name in ("kernel", "bias")}  # JAX403

# --- generator
def main(key):
    return sum(jax.random.normal(key) for _ in range(3))  # JAX403

# --- split in loop not kept
def main(key):
    out = []
    for _ in range(3):
        _, sub = jax.random.split(key)  # JAX403
        out.append(jax.random.normal(sub))
    return out

# --- nested loops inner key
def main(key):
    out = []
    for epoch in range(2):
        key, epoch_key = jax.random.split(key)
        for batch in range(2):
            out.append(jax.random.normal(epoch_key))  # JAX403
    return out

# --- eval key again
def main(key):
    key, test_key = jax.random.split(key)
    out = []
    for _ in range(2):
        key, sub = jax.random.split(key)
        out.append(jax.random.normal(sub))
        out.append(jax.random.normal(test_key))  # JAX403
    return out

# --- advanced then drawn
def main(rng):
    out = []
    for _ in range(2):
        rng, _ = jax.random.split(rng)  # JAX403
        out.append(jax.random.normal(rng))
    return out

# --- helper in loop
def noise(key):
    return jax.random.normal(key)

def main(key):
    out = []
    for _ in range(2):
        out.append(noise(key))  # JAX403
    return out

# --- map builtin
def main(key):
    return list(map(lambda scale: scale * jax.random.normal(key), (1.0, 2.0)))  # JAX403

# --- advanced
def main(key):
    out = []
    for _ in range(3):
        key, sub = jax.random.split(key)
        out.append(jax.random.normal(sub))
    return out

# --- folded
def main(key):
    return [jax.random.normal(jax.random.fold_in(key, i)) for i in range(3)]

# --- over children
def main(key):
    out = []
    for sub in jax.random.split(key, 3):
        out.append(jax.random.normal(sub))
    return out

# --- zip enumerate children
def main(key):
    pairs = zip(jax.random.split(key, 2), ("a", "b"))
    return {name: jax.random.normal(k) * i for i, (k, name) in enumerate(pairs)}

# --- indexed children
def main(key):
    keys = jax.random.split(key, 3)
    out = []
    for i in range(3):
        out.append(jax.random.normal(keys[i]))
    return out

# --- comprehension shadows
def main(key):
    draws = [jax.random.normal(key) for key in jax.random.split(jax.random.fold_in(key, 0), 2)]
    return draws, jax.random.normal(key)

# --- break after use
def main(key):
    for n in (0, 3, 4):
        if n > 0:
            x = jax.random.normal(key, (n,))
            break
    return x

# --- return in loop
def main(key):
    for n in (0, 3, 4):
        if n > 0:
            return jax.random.normal(key, (n,))
    return None

# --- drawn before loop
def main(key):
    x = jax.random.normal(key)
    for i in range(3):
        x = x * i
    return x

# --- renewed at end
def main(key):
    for _ in range(3):
        x = jax.random.normal(key)
        key = jax.random.fold_in(key, 1)
    return x

# --- seeds
def main(key):
    return [jax.random.normal(jax.random.key(seed)) for seed in range(3)]

# --- keys mapped from seeds
def main(key):
    keys = map(jax.random.key, range(3))
    return [jax.random.normal(k, (n,)) for k, n in zip(keys, (1, 2, 3))]

# --- popped
def main(key):
    keys = list(jax.random.split(key, 3))
    out = []
    while keys:
        out.append(jax.random.normal(keys.pop()))
    return out

# --- next of iterator
def main(key):
    keys = iter(jax.random.split(key, 3))
    return jax.random.normal(next(keys)) + jax.random.normal(next(keys))

# --- zip of functions and keys
def once(key):
    return jax.random.normal(key)

def twice(key):
    return jax.random.normal(key) + jax.random.uniform(jax.random.fold_in(key, 1))

def main(key):
    total = 0.0
    for draw, sub in zip((once, twice), jax.random.split(key, 2)):
        total = total + draw(sub)
    for name, sub in zip(("a", "b"), jax.random.split(jax.random.key(3), 8)):
        total = total + jax.random.normal(sub)
    return total

# --- key of a zip used twice
def once(key):
    return jax.random.normal(key)

def main(key):
    total = 0.0
    for number, (draw, sub) in enumerate(zip((once, once), jax.random.split(key, 2))):
        total = total + draw(sub)
        total = total + number * jax.random.normal(sub)  # JAX401
    return total

# --- keys that move up while the last one stays
def main(key):
    a, b, c = jax.random.split(key, 3)
    total = 0.0
    for _ in range(5):
        total += jax.random.normal(a)  # JAX403
        a, b = b, c
    return total

# --- keys that move up and come from a split
def main(key):
    key, a, b, c = jax.random.split(key, 4)
    total = 0.0
    for _ in range(5):
        total += jax.random.normal(a)
        key, new = jax.random.split(key)
        a, b, c = b, c, new
    return total

# --- two keys that change places
def main(key):
    a, b = jax.random.split(key)
    total = 0.0
    for _ in range(4):
        total += jax.random.normal(a)  # JAX403
        a, b = b, a
    return total

# --- an object whose key each round renews
from typing import NamedTuple

class Samples(NamedTuple):
    key: jax.Array
    total: jax.Array

def step(samples):
    key, sub = jax.random.split(samples.key)
    return Samples(key, samples.total + jax.random.normal(sub))

class Sampler:
    def __init__(self, key):
        self.key = key

    def generate(self, lengths):
        samples = Samples(self.key, jnp.zeros(()))
        for _ in lengths:
            samples = step(samples)
        self.key = samples.key
        return samples.total

def main(key):
    sampler = Sampler(key)
    lengths = [[1, 2], [1]]
    while lengths:
        sampler.generate(lengths.pop())

# --- an object whose key each round renews and nobody keeps
from typing import NamedTuple

class Samples(NamedTuple):
    key: jax.Array
    total: jax.Array

def step(samples):
    key, sub = jax.random.split(samples.key)
    return Samples(key, samples.total + jax.random.normal(sub))

class Sampler:
    def __init__(self, key):
        self.key = key

    def generate(self, lengths):
        samples = Samples(self.key, jnp.zeros(()))
        for _ in lengths:
            samples = step(samples)
        return samples.total

def main(key):
    sampler = Sampler(key)
    lengths = [[1, 2], [1]]
    while lengths:
        sampler.generate(lengths.pop())  # JAX403

# --- in the last round only
def main(key):
    sizes, x = [3, 2, 4], jnp.ones(3)
    for i, size in enumerate(sizes):
        if i < len(sizes) - 1:
            x = jnp.tanh(x)
        else:
            x = x + jax.random.normal(key, (size - 1,))[0]
    rank = x.ndim
    for n in range(len(sizes)):
        if n == rank:
            x = x * jax.random.normal(jax.random.fold_in(key, 1))
        elif n > 0:
            x = x + 1
        else:
            x = x - jax.random.normal(jax.random.fold_in(key, 2))
    return x

# --- in all rounds but one
def main(key):
    x = jnp.ones(3)
    for i in range(4):
        if i != 2:
            x = x + jax.random.normal(key)  # JAX403
    return x

# --- in the rounds whose number is another one's
def main(key):
    x, last = jnp.ones(3), 0
    for i in range(4):
        if i == last:
            x = x + jax.random.normal(key)  # JAX403
        last = last + 1
    return x

# --- in the last round and before it
def main(key):
    x, n = jnp.ones(3), 3
    for i in range(n):
        if i < n - 1:
            x = x + jax.random.normal(key, (3,))  # JAX403
        else:
            x = x * jax.random.uniform(key)
    return x

# --- keys of the last pass, of a loop that may end at any
def score(value, key):
    return value + jax.random.normal(key)

def search(key, values):
    for number in range(5):
        keys = jax.random.split(jax.random.fold_in(key, number), 3)
        values = jax.vmap(score)(values, keys)
        if values.max() > 1.0:
            break
    return score(values[0], keys[0])  # JAX401

def main():
    return search(jax.random.key(0), jnp.zeros(3))

# --- another key of the last pass
def score(value, key):
    return value + jax.random.normal(key)

def search(key, values):
    for number in range(5):
        keys = jax.random.split(jax.random.fold_in(key, number), 3)
        values = values + score(values, keys[0]) + score(values, keys[2])
        if values.max() > 1.0:
            break
    return score(values[0], keys[1])

def main():
    return search(jax.random.key(0), jnp.zeros(3))
