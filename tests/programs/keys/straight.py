# One function, line after line.

import jax
import jax.numpy as jnp

# --- two samplers
def main(key):
    a = jax.random.normal(key)
    return a + jax.random.uniform(key)  # JAX401

# --- two samplers by keyword
def main(key):
    a = jax.random.normal(key=key, shape=(2,))
    return a, jax.random.gamma(a=1.0, key=key)  # JAX401

# --- three draws are one cause
def main(key):
    a = jax.random.normal(key)
    b = jax.random.normal(key)  # JAX401
    c = jax.random.normal(key)
    return a, b, c

# --- from import and alias
from jax import random as jr
from jax.random import normal as gauss

def main(key):
    other = key
    a = gauss(other)
    return a + jr.bernoulli(key)  # JAX401

# --- draw then split
def main(key):
    a = jax.random.normal(key)
    key, sub = jax.random.split(key)  # JAX401
    return a + jax.random.normal(sub)

# --- split then draw
def main(rng):
    init_rng, data_rng = jax.random.split(rng)
    a = jax.random.normal(init_rng) + jax.random.normal(data_rng)
    return a * jax.random.normal(rng)  # JAX401

# --- split twice
def main(key):
    a, b = jax.random.split(key)
    c, d, e = jax.random.split(key, 3)  # JAX401
    return a, b, c, d, e

# --- consumed child
def main(key):
    key, sub = jax.random.split(key)
    a = jax.random.normal(sub, (3,))
    return a + jax.random.laplace(sub, (3,)), key  # JAX401

# --- initializer and sampler
def main(key):
    init = jax.nn.initializers.he_normal()
    kernel = init(key, (3, 3))
    return kernel @ jax.random.normal(key, (3,))  # JAX401

# --- two initializers
from jax.nn.initializers import orthogonal, zeros

def main(key):
    bias = zeros(key, (3,))
    left = orthogonal()(key, (3, 3))
    return left, orthogonal(2.0)(key, (3, 3)), bias  # JAX401

# --- walrus and tuple
def main(key):
    if (a := jax.random.uniform(key)) > 2:
        return a
    return (a, jax.random.normal(key))  # JAX401

# --- created here
def main(key):
    mine = jax.random.key(0)
    x = jax.random.normal(mine, (3,))
    y = jax.random.randint(mine, (3,), 0, 2)  # JAX401
    return x, y

# --- in both arguments
def main(key):
    return jnp.dot(jax.random.normal(key, (3,)), jax.random.normal(key, (3,)))  # JAX401

# --- advanced each time
def main(key):
    key, sub = jax.random.split(key)
    a = jax.random.normal(sub)
    key, sub = jax.random.split(key)
    return a + jax.random.normal(sub) + jax.random.normal(key)

# --- parent forgotten
def main(key):
    key, *subs = jax.random.split(key, 4)
    a, b, c = subs
    return jax.random.normal(a), jax.random.normal(b), jax.random.normal(c), jax.random.normal(key)

# --- folded after draw
def main(key):
    a = jax.random.normal(key)
    return a + jax.random.normal(jax.random.fold_in(key, 7))

# --- folded apart
def main(key):
    a = jax.random.normal(jax.random.fold_in(key, 0))
    b = jax.random.normal(jax.random.fold_in(key, 1))
    return a + b + jax.random.normal(key)

# --- clone says so
def main(key):
    a = jax.random.normal(key)
    return a - jax.random.normal(jax.random.clone(key)) + a

# --- inspected
def main(key):
    print(key, key.shape, key.dtype, jax.random.key_impl(key))
    data = jax.random.key_data(key)
    assert jax.random.wrap_key_data(data) == key
    jax.debug.print("{}", data)
    return jax.random.normal(key)

# --- deleted and rebound
def main(key):
    a = jax.random.normal(key)
    del key
    key = jax.random.key(1)
    return a + jax.random.normal(key)

# --- traced but not run
def draw(key):
    return jax.random.normal(key)

def main(key):
    shape = jax.eval_shape(draw, key)
    lowered = jax.jit(draw).lower(key)
    jaxpr = jax.make_jaxpr(draw)(key)
    return draw(key), shape, lowered, jaxpr

# --- keyless initializers
from jax.nn.initializers import constant, ones, zeros

def main(key):
    bias = zeros(key, (3,)) + ones(key, (3,)) + constant(0.5)(key, (3,))
    return bias * jax.random.normal(key, (3,))

# --- keys of generators
def keys_of(key, n):
    for _ in range(n):
        key, sub = jax.random.split(key)
        yield sub

def forever(key):
    i = 0
    while True:
        key, sub = jax.random.split(key)
        yield i, sub
        i += 1

def main(key):
    left, right = jax.random.split(key)
    some, more = keys_of(left, 3), forever(right)
    (_, a), (_, b) = next(more), next(more)
    drawn = [jax.random.normal(next(some)), jax.random.normal(next(some)), jax.random.normal(a)]
    made = (jax.random.key(i) for i in range(2))
    return drawn, jax.random.normal(b), jax.random.normal(next(made)), jax.random.normal(next(made))

# --- key of a generator used twice
def forever(key):
    while True:
        key, sub = jax.random.split(key)
        yield sub

def main(key):
    drawn = []
    for sub in forever(key):
        drawn.append(jax.random.normal(sub))
        drawn.append(jax.random.uniform(sub))  # JAX401
        if len(drawn) > 3:
            return drawn

# --- folded with a counter
import itertools

def main(key):
    ids = itertools.count()
    a = jax.random.normal(jax.random.fold_in(key, next(ids)))
    return a, jax.random.normal(jax.random.fold_in(key, next(ids)))

# --- a generator that nobody advances
def stream(key):
    while True:
        key, sub = jax.random.split(key)
        yield sub

def main(key):
    subs = stream(key)
    stream(key)
    return jax.random.normal(key)

# --- a generator that somebody advances
def stream(key):
    while True:
        key, sub = jax.random.split(key)
        yield sub

def main(key):
    subs = stream(key)
    return next(subs), jax.random.normal(key)  # JAX401
