# Parameters that are bound to a new array which nothing reads.

import jax
import jax.numpy as jnp

# --- a helper that was to change what it is given, which is an array of JAX
def normalise(w):
    w /= jnp.linalg.norm(w)  # JAX305

def main():
    w = jnp.ones(3)
    normalise(w)
    assert w[0] == 1.0
    return w

# --- a parameter that an inner function reads afterwards, or whose function gives it in steps
def logged(x, log):
    def show():
        log.append(x)

    x += 1.0
    show()

def steps(x):
    x += 1.0
    yield x

def main():
    log = []
    logged(jnp.ones(2), log)
    return log, list(steps(jnp.ones(2)))

# --- helpers of a traced function, where each item is an array
def centre(image):
    image -= image.mean()  # JAX305

@jax.jit
def centred(image, weights):
    def weigh(row):
        row *= weights.sum()  # JAX305

    centre(image)
    for row in image:
        weigh(row)
    return image

def main():
    assert centred(jnp.ones((2, 2)), jnp.ones(2))[0, 0] == 1.0

# --- a list that a helper adds to, or repeats, and an array of NumPy
import numpy as np

def grow(items, more):
    items += more

def repeat(items, times):
    items *= times

def halve(buffer):
    buffer /= 2

@jax.jit
def grown(items, more):
    grow(items, more)
    repeat(items, 2)
    return items

def main():
    buffer = np.ones(2)
    halve(buffer)
    assert buffer[0] == 0.5
    assert len(grown([1.0], [2.0])) == 4

# --- a function that gives something else: whether the caller was to see the change is only possible
def total(x, by):
    result = x.sum()
    x *= by  # JAX305 possible
    return result

def main():
    return total(jnp.ones(2), 2.0)

# --- a script that goes through arrays and was to change them
maps, shown = jnp.ones((2, 3)), []
for plane in maps:
    plane /= plane.sum()  # JAX305

for row in maps:
    row /= row.sum()
    shown.append(row)

def main():
    assert maps[0, 0] == 1.0
    return shown

# --- arrays that a call is given from a generator
from typing import NamedTuple

import numpy as np

class Batch(NamedTuple):
    x: jax.Array
    y: jax.Array

def made(n):
    return Batch(*(jnp.asarray(part) for part in (np.zeros(n), np.ones(n))))

def main():
    targets = made(3).y
    targets[0] = 2.0  # JAX301
