# Helpers, closures and partials that are handed a key.

import jax
import jax.numpy as jnp

# --- a call of the module hides nothing
class Steps:
    def __init__(self, one):
        self.one = one

def train(x, key, kind, noisy):
    def step(x, key):
        if noisy:
            x = x + jax.random.normal(key, x.shape)
            x = x * jax.random.uniform(key, x.shape)  # JAX401
        return x
    return getattr(Steps(step), kind)(x, key)

train(jnp.ones(3), jax.random.key(0), "one", noisy=False)

def main(key):
    return train(jnp.ones(3), key, "one", noisy=True)

# --- helper twice
def noise(rng, n):
    return jax.random.normal(rng, (n,))

def main(key):
    a = noise(key, 2)
    b = noise(key, 3)  # JAX401
    return a, b

# --- helper and draw
def noise(rng, n):
    return jax.random.normal(rng, (n,))

def main(key):
    b = noise(n=3, rng=key)
    return b, jax.random.permutation(key, 3)  # JAX401

# --- two calls away
def inner(k):
    return jax.random.split(k)[1]

def outer(k):
    return jax.random.normal(inner(k))

def main(key):
    x = outer(key)
    return x + jax.random.normal(key)  # JAX401

# --- reuse inside helper
def both(k):
    x = jax.random.normal(k)
    return x + jax.random.normal(k)  # JAX401

def main(key):
    return both(key)

# --- jitted helper
@jax.jit
def noise(k):
    return jax.random.normal(k)

def main(key):
    a = noise(key)
    return a + noise(key)  # JAX401

# --- closure twice
def main(key):
    def draw(scale):
        return scale * jax.random.normal(key)

    a = draw(1.0)
    return a + draw(2.0)  # JAX401

# --- partial twice
from functools import partial

def sample(key, scale):
    return scale * jax.random.normal(key)

def main(key):
    draw = partial(sample, key)
    a = draw(1.0)
    return a + draw(2.0)  # JAX401

# --- helper returns the same key
def prepare(key):
    x = jax.random.normal(key)
    return x, key  # JAX401

def main(key):
    x, key = prepare(key)
    return x + jax.random.normal(key)

# --- function as value
def apply(sampler, key):
    return sampler(key)

def main(key):
    a = apply(jax.random.normal, key)
    return a + apply(jax.random.uniform, key)  # JAX401

# --- star arguments
def noise(*args, **kwargs):
    return jax.random.normal(*args, **kwargs)

def main(key):
    a = noise(key, (2,))
    return a + noise(key, shape=(2,))  # JAX401

# --- default key
DEFAULT = jax.random.key(0)

def noise(key=DEFAULT):
    return jax.random.normal(key)

def main(key):
    a = noise()
    return a + noise()  # JAX401

# --- global key
KEY = jax.random.key(3)

def main(key):
    a = jax.random.normal(KEY)
    return a + jax.random.uniform(KEY)  # JAX401

# --- decorated
import functools

def timed(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)

    return wrapper

@timed
def noise(key):
    return jax.random.normal(key)

def main(key):
    a = noise(key)
    return a + noise(key)  # JAX401

# --- lambda helper
draw = lambda k: jax.random.normal(k)

def main(key):
    a = draw(key)
    return a + draw(key)  # JAX401

# --- helper folds
def stream(key, i):
    return jax.random.fold_in(key, i)

def main(key):
    a = jax.random.normal(stream(key, 0))
    return a + jax.random.normal(stream(key, 1))

# --- helper ignores
def greedy(params, key):
    del key
    return params

def main(key):
    a = greedy(1.0, key)
    return a + greedy(2.0, key) + jax.random.normal(key)

# --- helper returns new key
def advance(key):
    key, sub = jax.random.split(key)
    return key, jax.random.normal(sub)

def main(key):
    key, a = advance(key)
    key, b = advance(key)
    return a + b

# --- helper draws on one path
def maybe(key, train):
    if not train:
        return 0.0
    return jax.random.normal(key)

def main(key):
    a = maybe(key, False)
    return a + maybe(key, True)

# --- closure once
def main(key):
    def draw():
        return jax.random.normal(key)

    return draw()

# --- defined not called
def main(key):
    def a():
        return jax.random.normal(key)

    def b():
        return jax.random.uniform(key)

    return a() if key.ndim == 0 else b()

# --- no name tells that anything is random
from jax import random as chance

class Walk:
    def __init__(self, box):
        self.box = box

    def on(self):
        return further(self.box)

def further(box):
    return chance.normal(box[0])

def main(start):
    walk = Walk([start])
    return walk.on() + walk.on()  # JAX401

# --- default key, in whose place a dict may have another one
def survey(x, *, seed=jax.random.key(42)):
    return x + jax.random.normal(seed)

def forward(func, x, **kwargs):
    first = func(x, **kwargs)
    window = jax.jit(lambda s, **kwargs: func(s, **kwargs))
    for number in range(3):
        kwargs.update(seed=jax.random.key(number))
        first = first + window(x, **kwargs)
    return first

def main(key):
    return forward(lambda x, **kwargs: survey(x, **kwargs), jnp.ones(3))

# --- default key, twice
def survey(x, scale=1.0, seed=jax.random.key(42)):
    return scale * x + jax.random.normal(seed)

def forward(func, x, **kwargs):
    return func(x, **kwargs) + func(2 * x, **kwargs)  # JAX401

def main(key):
    return forward(survey, jnp.ones(3), scale=2.0)

# --- rngs of an apply that nobody knows, in a step that a loop calls
def step(callee, x, rng):
    return callee.apply_fn({"params": 1.0}, x, train=True, rngs={"dropout": rng})

def epoch(callee, data, key):
    losses = []
    for x in data:
        losses.append(step(callee, x, key))  # JAX402 possible
    return losses

def main(key, callee):
    return epoch(callee, [1.0, 2.0], key)

# --- a helper that draws on a condition, and who draws on another one
def noise(key, train):
    return jax.random.normal(key) if train else 0.0

def by_mode(key, mode):
    if mode == "a":
        return jax.random.normal(key)
    return 0.0

def sample(key, train):
    x = noise(key, train)
    if not train:
        x = jax.random.uniform(key)
    return x

def sample_by_mode(key, mode):
    x = by_mode(key, mode)
    if mode == "b":
        x = jax.random.uniform(key)
    return x

def sample_again(key, mode):
    x = by_mode(key, mode)
    if mode != "b":
        x = jax.random.uniform(key)  # JAX401
    return x

def sample_of_another(key, train, other):
    x = noise(key, train)
    if not other:
        x = jax.random.uniform(key)  # JAX401
    return x

def main():
    keys = jax.random.split(jax.random.key(0), 6)
    sample(keys[0], True), sample(keys[1], False), sample_by_mode(keys[2], "a"), sample_by_mode(keys[3], "b")
    return sample_again(keys[4], "a"), sample_of_another(keys[5], True, False)

# --- what is there on a condition only, and a helper that asks whether it is
from typing import NamedTuple

class Noise(NamedTuple):
    key: jax.Array
    rate: float = 0.5

def of_noise(noise):
    if noise is None:
        return 0.0
    return noise.rate * jax.random.normal(noise.key)

def of_key(key=None):
    return 0.0 if key is None else jax.random.normal(key)

def with_noise(key, beta):
    noise, x = None, 0.0
    if beta is not None:
        noise = Noise(key)
    else:
        x = jax.random.normal(key)
    return x + of_noise(noise)

def with_key(key, beta):
    inner, x = None, 0.0
    if beta is not None:
        inner = key
    else:
        x = jax.random.normal(key)
    return x + of_key(inner)

def with_both(key, beta):
    inner = None
    if beta is not None:
        inner = key
    x = jax.random.normal(key)
    return x + of_key(inner)  # JAX401

def main():
    keys = jax.random.split(jax.random.key(0), 5)
    with_noise(keys[0], None), with_noise(keys[1], 0.1), with_key(keys[2], None), with_key(keys[3], 0.1)
    return with_both(keys[4], 0.1)
