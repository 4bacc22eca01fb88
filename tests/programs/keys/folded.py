# Keys that numbers are folded into.

import jax
import jax.numpy as jnp

# --- folds beyond the children
def main(key):
    a, b = jax.random.split(key)
    for i in range(2, 12):
        a = a, jax.random.fold_in(key, i)
    for number, name in enumerate(sorted(locals()), start=2):
        b = b, jax.random.fold_in(key, number)
    return a, b

# --- folds moved beyond the children
def main(key):
    a, b = jax.random.split(key)
    keys = [jax.random.fold_in(key, 2 + i) for i in range(3)] + [jax.random.fold_in(key, i + 12) for i in range(3)]
    for number in range(1, 4):
        keys.append(jax.random.fold_in(key, 50 * number))
    return a, b, keys

# --- folds of characters
def main(key):
    a, b = jax.random.split(key)
    return a, b, jax.random.fold_in(key, ord("a")), [jax.random.fold_in(key, ord(letter)) for letter in str(b)]

# --- folds of hashes
def main(key):
    a, b = jax.random.split(key)
    name = ("train", 1)
    return a, b, jax.random.fold_in(key, abs(hash(name)) % 2**31), jax.random.fold_in(key, hash(name) % 2**31)

# --- in a helper of a comprehension
import zlib

def stream(key, name):
    return jax.random.fold_in(key, zlib.crc32(name.encode()))

def main(key):
    shapes = {name: (2,) for name in "ab"}
    return {name: jax.random.normal(stream(key, name), shape) for name, shape in shapes.items()}

# --- in a helper of a loop
def at(key, i):
    return jax.random.normal(jax.random.fold_in(key, i))

def main(key):
    return [at(key, i) for i in range(int(key.size) + 2)]

# --- in a jitted helper
@jax.jit
def jitter(i, x, key):
    return x + jax.random.normal(jax.random.fold_in(key, i), x.shape)

def main(key):
    x = jitter(0, jnp.ones(3), key)
    for i in range(1, 3 + x.size):
        x = jitter(i, x, key)
    return x

# --- counted by a helper
def following(i):
    return i + 1

def main(key):
    i, total = 0, 0.0
    while i < 3:
        total += jax.random.normal(jax.random.fold_in(key, i))
        i = following(i)
    return total

# --- counted by an attribute
class Noise:
    def __init__(self, key):
        self.key, self.step = key, 0

    def __call__(self):
        self.step += 1
        return jax.random.normal(jax.random.fold_in(self.key, self.step))

def main(key):
    noise = Noise(key)
    return noise(), noise(), [noise() for _ in range(3)]

# --- a member of a batch that a helper picks
def pick(keys, i):
    return jax.random.normal(keys[i])

def main(key):
    keys = jax.random.split(key, 4)
    return [pick(keys, i) for i in range(keys.shape[0])]

# --- bound by partial and mapped
from functools import partial

def at(key, i):
    return jax.random.normal(jax.random.fold_in(key, i))

def main(key):
    return list(map(partial(at, key), range(int(key.size) + 2)))

# --- folded after a call that draws and splits
def noise(key):
    drawn = jax.random.normal(key)
    first, _ = jax.random.split(key)  # JAX401
    return drawn + jax.random.normal(first)

@jax.jit
def main(key, i: jax.Array = 0):
    return noise(key) + jax.random.normal(jax.random.fold_in(key, i))  # JAX404

# --- folded with more than a call that draws has children
def noise(key):
    drawn = jax.random.normal(key)
    first, _ = jax.random.split(key)  # JAX401
    return drawn + jax.random.normal(first)

def main(key):
    return noise(key) + jax.random.normal(jax.random.fold_in(key, 7))

# --- folded after a call of what calls a function that draws and splits
def parts(key):
    drawn = jax.random.normal(key)
    first, _ = jax.random.split(key)  # JAX401
    return drawn, first

def noise(key):
    drawn, first = parts(key)
    return drawn + jax.random.normal(first)

@jax.jit
def main(key, i: jax.Array = 0):
    return noise(key) + jax.random.normal(jax.random.fold_in(key, i))  # JAX404

# --- folded after a call of what calls a function that splits into fewer
def parts(key):
    first, second = jax.random.split(key)
    return jax.random.normal(first), second

def noise(key):
    drawn, second = parts(key)
    return drawn + jax.random.normal(second)

def main(key):
    return noise(key) + jax.random.normal(jax.random.fold_in(key, 7))

# --- folded beside children that are taken
def main(key):
    _, second = jax.random.split(key)
    keys = jax.random.split(jax.random.clone(key), 3)
    clone = jax.random.clone(key)
    third = jax.random.split(clone, 3)[2]
    return second, keys, third, jax.random.fold_in(key, 0), jax.random.fold_in(clone, 1)

# --- folded and forgotten
def main(key, n=3):
    total = 0.0
    for step in range(n):
        step_key = jax.random.fold_in(key, step)
        total += step
    first, second = jax.random.split(key)
    return jax.random.normal(first) + jax.random.normal(second) * total
