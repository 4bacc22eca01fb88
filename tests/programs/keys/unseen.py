# Callees that nobody can look into.

import jax
import jax.numpy as jnp

# --- split parent to step
def main(key, callee):
    key, action_key = jax.random.split(key)
    env_key, _ = jax.random.split(key)
    state = callee.reset(env_key)
    return callee.step(key, state, jax.random.normal(action_key))  # JAX402 possible

# --- data and init
def main(key, callee):
    x = jax.random.normal(key, (1, 4))
    return callee.init(key, x), x  # JAX402 possible

# --- init and apply
def main(key, callee):
    params = callee.init(key, jnp.ones(3))
    return callee.apply(params, jax.random.normal(key), rngs={"dropout": jax.random.key(1)})  # JAX402 possible

# --- policy value
def main(key, callee):
    noise = jax.random.normal(key)
    return callee(noise, rng=key)  # JAX402 possible

# --- callee then split
def main(rng, callee):
    params = callee.init(rng, 1.0)
    sub, _ = jax.random.split(rng)  # JAX402 possible
    return params, jax.random.normal(sub)

# --- attribute handed on
class Agent:
    def __init__(self, key, model):
        self.key = key
        self.model = model

    def act(self, x):
        noise = jax.random.normal(self.key)
        return self.model(x + noise, self.key)  # JAX402 possible

def main(key, callee):
    return Agent(key, callee).act(1.0)

# --- helper hands on
def reset(env, key):
    return env.reset(key)

def main(key, callee):
    state = reset(callee, key)
    return state + jax.random.normal(key)  # JAX402 possible

# --- child to each
def main(key, callee):
    init_key, step_key, key = jax.random.split(key, 3)
    params = callee.init(init_key, 1.0)
    return callee.step(step_key, params), jax.random.normal(key)

# --- record read before its key is used
def lookup(site):
    return None

def draw(find, site):
    value = find(site)
    if value is None:
        key = site["options"]["key"]
        value = jax.lax.cond(True, lambda k: site["fn"](k), lambda k: 0.0, key)
    return value

def main(key):
    return draw(min([lookup], key=id), min([{"fn": jax.random.normal, "options": {"key": key}}], key=id))

# --- recursion that draws once
def sample(key, observed=None, mask=None):
    if mask is not None:
        seen = sample(key, observed)
        missing = sample(key)
        return jnp.where(mask, seen, missing)
    return jax.random.normal(key) if observed is None else observed

def main(key):
    return sample(key, jnp.ones(()), jnp.ones((), bool))

# --- recursion over an array of keys
from functools import partial

@partial(jax.jit, static_argnums=1)
def split(keys, number):
    if keys.ndim > 0:
        return jax.vmap(split, in_axes=(0, None))(keys, number)
    return jax.random.split(keys, number)

@partial(jax.jit, static_argnames="number")
def children(keys, number):
    if keys.ndim == 0:
        made = jax.random.split(keys, number)
    else:
        made = jax.vmap(partial(children, number=number))(keys)
    return made

def main(key):
    one, other = split(key, 2)
    return split(split(one, 3), 2), children(children(other, number=3), number=2)

# --- recursion over an array of keys that are spent
from functools import partial

@partial(jax.jit, static_argnums=1)
def split(keys, number):
    if keys.ndim > 0:
        return jax.vmap(split, in_axes=(0, None))(keys, number)
    noise = jax.random.normal(keys)
    return jax.random.split(keys, number)  # JAX401

def main(key):
    return split(jax.random.split(key), 2)

# --- recursion that draws each time
def walk(key, steps):
    here = jax.random.normal(key)
    return here + walk(key, steps - 1) if steps else here  # JAX402

def main(key):
    return walk(key, 2)

# --- shapes first then numbers
def main(key, callee):
    def first_step(key):
        params = callee.init(key)
        return params + jax.random.normal(key)  # JAX402 possible

    shape = jax.eval_shape(first_step, key)
    return min([first_step], key=id)(key)

# --- what only shapes are asked of
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x)

def main(key):
    net, x = Net(), jnp.ones(3)
    shapes = jax.eval_shape(net.init, key, x)
    return net.init(key, x), shapes, jax.eval_shape(net.init, key, x)

# --- one callee only
def main(key, callee):
    return callee.sample(key, 1.0)

# --- one callee on each path
def main(key, callee, train=True):
    if train:
        return callee.sample(key)
    return callee.mode(key)

# --- fold for callees
def main(key, callee):
    a = callee.init(jax.random.fold_in(key, 0))
    return a + callee.apply(a, jax.random.fold_in(key, 1))

# --- advanced in loop
def main(key, callee):
    state = callee.reset(jax.random.fold_in(key, 100))
    for _ in range(3):
        key, sub = jax.random.split(key)
        state = callee.step(sub, state)
    return state

# --- callee returns new key
def main(key, callee):
    for _ in range(3):
        key, state = callee.next(key), 0.0
    return state

# --- an unseen callee whose name says that it keeps the key
def main(key, callee):
    drawn = jax.random.normal(key)
    return callee.save_checkpoint(key), drawn  # JAX402 possible

# --- an unseen callee that is called as a builtin is
def main(key, callee):
    drawn, replicate = jax.random.normal(key), callee
    return replicate(key), drawn  # JAX402 possible

# --- a method as lists have it, which the program has, too, and draws in
class Noise:
    def insert(self, position, key):
        return jax.random.normal(key) + position

def main(key, callee):
    drawn = jax.random.normal(key)
    return callee.insert(0, key), drawn  # JAX402

# --- a method as lists have it, which the program has, too, and draws nothing in
import types

class Row:
    def insert(self, position, key):
        self.row = [position, key.shape]

def main(key):
    other = types.SimpleNamespace(row=[])
    other.row.insert(0, key)
    return jax.random.normal(key)

# --- Python's own functions and objects
import json
import logging
import os
import pprint
import queue

def main(key):
    waiting = queue.Queue()
    waiting.put(key)
    logging.getLogger("of keys").info("%s", key)
    text = os.path.join(pprint.pformat(key), json.dumps({"key": str(key)}))
    return jax.random.normal(key), len(text)

# --- each item of a map is handed over once
def main(key, callee):
    first, second = map(callee, jax.random.split(key))
    return first, second

# --- map hands over what was drawn from
def main(key, callee):
    drawn = jax.random.normal(key)
    return list(map(callee, [key])), drawn  # JAX402 possible

# --- the random numbers of a module that a parameter gives: jax's where a key goes in
import numpy as np

def pick(backend, count):
    first = backend.random.choice(count, size=2)
    return first, backend.random.choice(count, size=2)

def draw(backend):
    key = jax.random.key(0)
    return backend.random.normal(key), backend.random.normal(key)  # JAX401

def main():
    return pick(np, np.arange(3)), draw(jax)

# --- recursion that hands one key to both halves
def halved(key, x, depth):
    if depth == 0:
        return jax.random.normal(key, x.shape).sum()
    left = halved(key, x[:1], depth - 1)
    return left + halved(key, x[1:], depth - 1)  # JAX402

def main(key):
    return halved(key, jnp.ones(2), 1)

# --- recursion that hands each half a child, or the way there
def halved(key, x, depth):
    if depth == 0:
        return jax.random.normal(key, x.shape).sum()
    left, right = jax.random.split(key)
    return halved(left, x[:1], depth - 1) + halved(right, x[1:], depth - 1)

def folded(key, x, depth, way=0):
    if depth == 0:
        return jax.random.normal(jax.random.fold_in(key, way), x.shape).sum()
    return folded(key, x[:1], depth - 1, 2 * way) + folded(key, x[1:], depth - 1, 2 * way + 1)

def main(key):
    first, second = jax.random.split(key)
    return halved(first, jnp.ones(2), 1) + folded(second, jnp.ones(2), 1)

# --- recursion that takes one of two ways with a key
def walked(key, x, depth):
    if depth == 0:
        return jax.random.normal(key, x.shape).sum()
    if depth % 2:
        return walked(key, x[:1], depth - 1)
    return walked(key, x[1:], depth - 1)

def main(key):
    return walked(key, jnp.ones(4), 2)

# --- recursion whose two results are compared
def slope(key, x, depth):
    if depth == 0:
        return x + jax.random.normal(key)
    return slope(key, x + 1, depth - 1) - slope(key, x - 1, depth - 1)  # JAX402 possible

def main(key):
    return slope(key, 1.0, 1)

# --- recursion that draws in one of two ways
def sampled(key, x, noisy=True, depth=1):
    if depth:
        return sampled(key, x, False, depth - 1) + sampled(key, x, True, depth - 1)
    return x + jax.random.normal(key) if noisy else x

def observed(key, x=None, parts=None):
    if parts is not None:
        return observed(key, parts) + observed(key)
    return jax.random.normal(key) if x is None else x

def main(key):
    first, second = jax.random.split(key)
    return sampled(first, 1.0) + observed(second, parts=jnp.ones(()))
