"""What is right and mostly meant is only possible: the certainty of findings by what the code around them is for.

Marks say which finding stands on a line and how sure it is; what is not marked is not reported at all.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from jaxlint.api import lint_paths
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary.findings import Certainty, Finding

REUSE = """\
import jax


def pair(key):
    first = jax.random.normal(key)
    return first, jax.random.uniform(key)  # JAX401 {}
"""

IN_TESTS = {
    "a module of tests": {"test_noise.py": REUSE.format("possible")},
    "a module of tests by the other name": {"noise_test.py": REUSE.format("possible")},
    "fixtures": {"conftest.py": REUSE.format("possible")},
    "a helper among tests": {"pyproject.toml": "", "pkg/tests/helpers/noise.py": REUSE.format("possible")},
    "a folder of tests that is no program of its own": {"tests/noise.py": REUSE.format("possible")},
    "a module about tests": {"pyproject.toml": "", "testing/latest.py": REUSE.format("certain")},
    "a program in a folder called tests": {"tests/pyproject.toml": "", "tests/noise.py": REUSE.format("certain")},
    "code that tests call": {
        "pyproject.toml": "",
        "noise.py": REUSE.format("certain"),
        "tests/test_noise.py": """
import jax

from noise import pair


def test_pair():
    pair(jax.random.key(0))
""",
    },
    "a test beside what it tests": {
        "noise.py": """
import jax


def test_same_key_same_numbers():
    key = jax.random.key(0)
    assert jax.random.normal(key) == jax.random.normal(key)  # JAX401 possible
"""
    },
    "a test case beside what it tests": {
        "noise.py": """
import unittest

import jax


class NoiseTest(unittest.TestCase):
    def test_same_key_same_numbers(self):
        key = jax.random.key(0)
        self.assertEqual(jax.random.normal(key), jax.random.normal(key))  # JAX401 possible
"""
    },
    "the test step of training": {
        "train.py": """
import jax


def test_step(params, key):
    noise = jax.random.normal(key)
    return params + noise, jax.random.uniform(key)  # JAX401 certain


class Trainer:
    def test(self, key):
        noise = jax.random.normal(key)
        return noise, jax.random.uniform(key)  # JAX401 certain
"""
    },
    "every rule of equal keys": {
        "test_keys.py": """
import jax


def twice(env, seed):
    key = jax.random.key(seed)
    state = env.reset(key)
    return state, env.reset(key)  # JAX402 possible


def passes(key):
    return [jax.random.normal(key) for _ in range(3)]  # JAX403 possible


def split_and_fold(key):
    first, second = jax.random.split(key)
    return first, second, jax.random.fold_in(key, 1)  # JAX404 possible


@jax.jit
def constant(x):
    key = jax.random.key(0)  # JAX406 possible
    return x + jax.random.normal(key)
"""
    },
}

CELLS = """\
# %%
import jax

key = jax.random.key(0)

# %%
first = jax.random.normal(key, (3,))
print(first.mean())
print(jax.random.uniform(key))  # JAX401 certain

# %%
second = jax.random.normal(key, (5,))  # JAX401 possible
print(second.std())
"""

IN_CELLS = {
    "a function that cannot be looked into is tried out": {
        "demo.py": """
# %%
import jax
from elsewhere import reset, step

key = jax.random.key(0)
state = reset(key)
for _ in range(3):
    key, sub = jax.random.split(key)  # JAX402 possible
    state = step(state, sub)


# %%
def rollout(key):
    state = reset(key)
    key, sub = jax.random.split(key)  # JAX402 likely
    return step(state, sub)
"""
    },
    "each cell shows something of its own": {"demo.py": CELLS},
    "the same in a notebook": {"demo.ipynb": CELLS},
    "the same without cells": {"demo.py": CELLS.replace("# %%", "#").replace("  # JAX401 possible", "")},
    "a cell after the key was split": {
        "demo.py": """
import jax

# %%
key = jax.random.key(0)
left, right = jax.random.split(key)
print(jax.random.normal(left), jax.random.normal(right))
# %%
noise = jax.random.normal(key)  # JAX401 possible
"""
    },
    "the key that was made for the cell is used nowhere": {
        "demo.py": """
import jax

# %%
key = jax.random.key(0)
data_key, noise_key = jax.random.split(key)
x = jax.random.normal(data_key)
# %%
y = x + jax.random.normal(key)  # JAX401 certain
"""
    },
    "the new key drawn from in place of its sibling": {
        "demo.py": """
import jax

# %%
key = jax.random.key(0)
key, sub = jax.random.split(key)
x = jax.random.normal(key)
# %%
key, sub = jax.random.split(key)  # JAX401 certain
y = jax.random.normal(sub)
"""
    },
    "functions of a notebook are functions": {
        "demo.py": """
import jax

# %%
def pair(key):
    first = jax.random.normal(key)
    # %%
    return first, jax.random.uniform(key)  # JAX401 certain
"""
    },
    "one cell, several settings": {
        "demo.py": """
import jax

# %%
def walk(key, size):
    return jax.random.normal(key, (100,)).cumsum() * size

# %%
key = jax.random.key(0)
small = walk(key, 0.1)
large = walk(key, 10.0)  # JAX401 possible
# %%
once = walk(key, 0.1)  # JAX401 possible
again = walk(key, 0.1)  # JAX401 certain
"""
    },
}

COMPARED = {
    "common random numbers": {
        "es.py": """
import jax


def loss(params, key):
    return (params * jax.random.normal(key)).sum()


def gradient(params, key, step):
    noise_key, loss_key = jax.random.split(key)
    noise = jax.random.normal(noise_key, params.shape)
    above = loss(params + step * noise, loss_key)
    below = loss(params - step * noise, loss_key)  # JAX401 possible
    return (above - below) / (2 * step) * noise


def in_one_line(f, params, rng):
    return f(params + 1e-3, rng=rng) - f(params - 1e-3, rng=rng)  # JAX402 possible


def which_is_better(old, new, key):
    scores_of_old = jax.jit(loss)(old, key)
    scores_of_new = jax.jit(loss)(new, key)  # JAX401 possible
    before, after = scores_of_old.mean(), scores_of_new.mean()
    return after > before
"""
    },
    "whether two functions give the same": {
        "equal.py": """
import jax
import jax.numpy as jnp


def old(key):
    return jax.random.normal(key, (3,))


def new(key):
    return jax.random.normal(key, (3,)) * 1.0


def check(key):
    before, after = old(key), new(key)  # JAX401 possible
    print("the same:", bool(jnp.array_equal(before, after)))
"""
    },
    "two samplers are not compared by a difference": {
        "data.py": """
import jax


def spread(key):
    return jax.random.normal(key) - jax.random.uniform(key)  # JAX401 certain


def steps(key, x):
    left = jax.random.normal(key, x.shape)
    right = jax.random.normal(key, x.shape)  # JAX401 certain
    return left - right
"""
    },
    "both results go into one": {
        "data.py": """
import jax
import jax.numpy as jnp


def ring(key, radius):
    return radius * jax.random.normal(key, (10, 2))


def rings(key):
    inner = ring(key, 1.0)
    outer = ring(key, 2.0)  # JAX401 certain
    return jnp.concatenate([inner, outer])
"""
    },
}

EVALUATED = {
    "what the loop trains is looked at in the same way": {
        "train.py": """
import jax


def train(params, batches, key, update, evaluate):
    losses = []
    for batch in batches:
        params = update(params, batch)
        loss = evaluate(params, jax.random.normal(key))  # JAX403 possible
        losses.append(loss)
    return params, losses


def show_pictures(state, steps, key, sampler, plot):
    for step in range(steps):
        state, loss = sampler.update(state, step)
        if step % 100 == 0:
            noise_key, label_key = jax.random.split(key)  # JAX403 possible
            draw = sampler.of(state.params)
            plot(draw(noise_key, label_key), loss)
"""
    },
    "what is drawn comes back": {
        "train.py": """
import jax


def train(params, batches, key, update):
    for batch in batches:
        noise = jax.random.normal(key)  # JAX403 certain
        params = update(params, batch + noise)
    return params


def replay(params, batches, key, update, act):
    seen = []
    for batch in batches:
        action = act(params, jax.random.normal(key), batch)  # JAX403 certain
        seen.append(action)
        params = update(params, seen)
    return params


def step(params, batches, key, update):
    for batch in batches:
        params, loss = update(params, batch, jax.random.normal(key))  # JAX403 certain
        print(loss)
    return params


def walk(x, steps, key, move):
    for _ in range(steps):
        where = x + jax.random.uniform(key)  # JAX403 certain
        x = move(x, where)
    return x


def told(trainer, batches, key):
    for batch in batches:
        batch = trainer.prepare(batch)
        trainer.fit(batch, jax.random.normal(key))  # JAX403 certain
"""
    },
    "nothing is trained": {
        "data.py": """
import jax


def collect(params, batches, key, evaluate):
    found = []
    for batch in batches:
        found.append(evaluate(params, batch, jax.random.normal(key)))  # JAX403 certain
    return found


def count(steps, key, f):
    found, number = [], 0
    while number < steps:
        number += 1
        found.append(f(number, jax.random.normal(key)))  # JAX403 certain
    return found
"""
    },
}

INITIALISED = {
    "a target network": {
        "agent.py": """
import flax.linen as nn


def parameters(key, obs):
    net = nn.Dense(4)
    params = net.init(key, obs)
    target = net.init(key, obs)  # JAX402 possible
    return params, target
"""
    },
    "a target network, by a function that is compiled": {
        "agent.py": """
import haiku as hk
import jax


class Agent:
    def __init__(self):
        self.net = hk.transform(hk.nets.MLP([4, 2]))

    def begin(self, key, obs):
        init = jax.jit(lambda *args: self.net.init(*args))
        self.params = init(key, obs)
        self.target = init(key, obs)  # JAX402 possible


def both(key, obs):
    make = jax.jit(lambda *args: hk.transform(hk.nets.MLP([4, 2])).init(*args))
    first = make(key, obs)
    return first, make(key, 2 * obs)  # JAX402 likely
"""
    },
    "two networks": {
        "agent.py": """
import flax.linen as nn


def parameters(key, obs):
    actor, critic = nn.Dense(4), nn.Dense(1)
    return actor.init(key, obs), critic.init(key, obs)  # JAX402 likely


def ensemble(key, nets, obs):
    return [nn.Dense(4).init(key, obs) for _ in range(nets)]  # JAX402 likely
"""
    },
    "data that only gives shapes": {
        "agent.py": """
import flax.linen as nn
import jax


def parameters(key):
    dummy = jax.random.normal(key, (1, 3))
    print(dummy.shape)
    batch = dummy[None]
    return nn.Dense(4).init(key, batch)  # JAX402 possible


def parameters_and_data(key):
    data = jax.random.normal(key, (1, 3))
    return nn.Dense(4).init(key, data), data  # JAX402 likely
"""
    },
    "data of a network that nobody can look into": {
        "agent.py": """
import jax
import jax.numpy as jnp


def parameters(env, net, key):
    key = jax.random.split(key)[0]
    example = env.observe(key)
    return net.init(key, example)  # JAX402 possible


def parameters_and_start(env, net, key):
    start = jax.random.normal(key, (3,))
    return net.init(key, start), env.reset(start)  # JAX402 likely


def kept(net, key):
    start = jax.random.normal(key, (3,))
    params = net.init(jax.random.key(1), start)
    return params, jax.random.uniform(key)  # JAX401 possible


def split_below(net, key):
    start = jax.random.normal(key, (3,))
    key, subkey = jax.random.split(key)  # JAX401 certain
    return net.init(subkey, start), key


def zeros(key):
    like = jax.tree.map(jnp.zeros_like, jax.random.normal(key, (3,)))
    return like, jax.random.uniform(key)  # JAX401 possible


def moved(key):
    def start():
        return first

    first = jax.random.normal(key, (3,))
    shape = first.shape
    return shape, start(), jax.random.uniform(key)  # JAX401 certain


def headed(key):
    first = jax.random.normal(key, (3,))
    shape = first.shape
    for row in first:
        shape += (row,)
    return shape, jax.random.uniform(key)  # JAX401 certain


def keys(net, key, x):
    key, sub = jax.random.split(key)
    noise = jax.random.normal(sub)
    first, second = jax.random.split(sub)  # JAX401 certain
    return net.init(second, x), net.init(x, first), noise
"""
    },
    "an example for a buffer": {
        "buffer.py": """
import flashbax as fbx
import jax


def make(env, key, size):
    buffer = fbx.make_flat_buffer(size)
    example = env.play(jax.random.normal(key))
    state = buffer.init(example)
    return state, jax.random.uniform(key)  # JAX401 possible


def compiled(env, key, size, agents):
    buffer = fbx.make_flat_buffer(size)
    buffer = buffer.replace(init=jax.jit(buffer.init), add=jax.jit(buffer.add))
    example = {agent: jax.random.normal(key) for agent in agents}  # JAX403 possible
    state = buffer.init(example)

    def step(state, example):
        return buffer.add(state, example)

    return state, step, jax.random.uniform(key)  # JAX401 possible


def reset(key):
    first, second = jax.random.split(key)
    return jax.random.normal(first, (3,)) + jax.random.uniform(second, (3,))


def example_of_a_reset(key, size):
    buffer = fbx.make_flat_buffer(size)
    state = buffer.init(reset(key))
    key, subkey = jax.random.split(key)  # JAX401 possible
    return state, key, subkey


def added(env, key, size):
    buffer = fbx.make_flat_buffer(size)
    example = jax.random.normal(key)
    state = buffer.init(example)

    def step():
        return buffer.add(state, example)

    return step, jax.random.uniform(key)  # JAX401 certain


def chain(sampler, key):
    position = jax.random.normal(key, (3,))
    state = sampler.init(position)
    return state, jax.random.uniform(key)  # JAX401 certain
"""
    },
}

CHOSEN = {
    "one of both": {
        "maze.py": """
import jax
import jax.numpy as jnp


def step(key, upright, row, column):
    y = jax.random.randint(key, (), 0, row)
    x = jax.random.randint(key, (), 0, column)  # JAX401 possible
    return jnp.where(upright, y, row), jnp.where(upright, column, x + 1)


def at_once(key, c):
    return jax.lax.select(c, jax.random.normal(key), jax.random.uniform(key))  # JAX401 possible


def explore(key, best, rate):
    coin = jax.random.uniform(key)
    action = jax.random.randint(key, (), 0, 4)  # JAX401 certain
    return jnp.where(coin < rate, action, best)


def two_conditions(key, a, b):
    y = jax.random.normal(key)
    x = jax.random.uniform(key)  # JAX401 certain
    return jnp.where(a, y, 0.0), jnp.where(b, 0.0, x)


def both_anyway(key, c):
    y = jax.random.normal(key)
    x = jax.random.uniform(key)  # JAX401 certain
    return jnp.where(c, y, x), y


def everywhere(key, done, state):
    fresh = jax.random.normal(key, (3,))
    moved = state + jax.random.uniform(key, (3,))  # JAX401 possible
    return jax.tree.map(lambda x, y: jax.lax.select(done, x, y), fresh, moved)


def in_branches(key, c):
    a, b = jax.random.normal(key), jax.random.uniform(key)  # JAX401 possible
    return jax.lax.cond(c, lambda: a, lambda: b)


def one_of_many(key, i):
    a = jax.random.normal(key)
    b = jax.random.uniform(key)  # JAX401 possible
    return jax.lax.switch(i, [lambda: a, lambda: b])


def by_several_tests(key, c, d):
    a = jax.random.normal(key)
    b = jax.random.uniform(key)  # JAX401 possible
    return jnp.select([c, d], [a, b], 0.0)


def by_a_condition(key, c):
    a = jax.random.normal(key)
    b = jax.random.uniform(key)  # JAX401 possible
    return a if c else b
"""
    },
    "masks": {
        "chest.py": """
import jax


def loot(key, kind):
    coal = jax.random.randint(key, (), 1, 4) * (kind == 0)
    iron = jax.random.randint(key, (), 1, 3) * 2 * (kind == 1).astype(int)  # JAX401 possible
    return coal, iron


def sides(key, c):
    is_up = c > 0
    up = jax.random.normal(key) * is_up
    return up + (1 - is_up) * jax.random.uniform(key)  # JAX401 possible


def mixed(key, part):
    return part * jax.random.normal(key) + (1 - part) * jax.random.uniform(key)  # JAX401 certain


def overlapping(key, kind):
    coal = jax.random.normal(key) * (kind == 0)
    return coal + jax.random.uniform(key) * (kind < 2)  # JAX401 certain


def another_kind(key, kind):
    coal = jax.random.normal(key) * (kind == 0)
    kind = kind + 1
    return coal + jax.random.uniform(key) * (kind == 1)  # JAX401 certain
"""
    },
}

PAIRED = {
    "one order for several arrays": {
        "data.py": """
import jax
import jax.numpy as jnp
from jax import random


def both(key, x, y):
    x = random.permutation(key, x)
    y = random.permutation(key, y)  # JAX401 possible
    return x, y


def leaves(key, batch):
    return jax.tree.map(lambda x: random.permutation(key, x), batch)  # JAX403 possible


def leaves_by_name(key, x, y):
    def one(z):
        return random.permutation(key, z)  # JAX403 possible

    return jax.tree.map(one, (x, y))


def listed(key, x, y):
    return [random.permutation(key, z) for z in (x, y)]  # JAX403 possible


def by_indices(key, x, y, n):
    x = x[random.permutation(key, n)]
    y = y[random.permutation(key, n)]  # JAX401 possible
    return x, y


def twice(key, x):
    return random.permutation(key, x), random.permutation(key, x)  # JAX401 certain


def orders(key, n):
    return random.permutation(key, n // 2), random.permutation(key, 2 * n)  # JAX401 certain


def epochs(key, x):
    for _ in range(3):
        x = random.permutation(key, x)  # JAX403 certain
    return x


def batches(key, xs):
    return jax.lax.map(lambda x: random.permutation(key, x), xs)  # JAX403 certain
"""
    },
    "the same rows of several arrays": {
        "data.py": """
import jax
import jax.numpy as jnp
from jax import random


def rows(key, data, n):
    picked = random.choice(key, len(data), shape=(n,))
    return data[picked]


def batch(key, x, y):
    return rows(key, x, 8), rows(key, y, 8)  # JAX401 possible


def leaves(key, tree):
    return jax.tree.map(lambda x: rows(key, x, 8), tree)  # JAX403 possible


def by_names(key, x, y, n):
    i = random.randint(key, (n,), 0, len(x))
    j = random.randint(key, (n,), 0, len(y))  # JAX401 possible
    return x[i], jnp.take(y, j, axis=0)


def same_batch(key, x):
    return rows(key, x, 8), rows(key, x, 8)  # JAX401 certain


def same_rows(key, x, n):
    return x[random.randint(key, (n,), 0, 9)], x[random.randint(key, (n,), 0, 9)]  # JAX401 certain


def one_of_each(key, colours, shapes):
    return colours[random.randint(key, (), 0, 3)], shapes[random.randint(key, (), 0, 3)]  # JAX401 certain


def entries(key, grid, h, w):
    return grid[random.randint(key, (2,), 0, h), random.randint(key, (2,), 0, w)]  # JAX401 certain


def places(key, walls, goals, h):
    rows_of_walls = random.randint(key, (2,), 0, h)
    rows_of_goals = random.randint(key, (2,), 0, h)  # JAX401 certain
    return walls.at[rows_of_walls].set(1), goals.at[rows_of_goals].set(1)


def also_numbers(key, x, y, n):
    i = random.randint(key, (n,), 0, 9)
    j = random.randint(key, (n,), 0, 9)  # JAX401 certain
    return x[i], y[j], i + j


def noise(key, tree):
    return jax.tree.map(lambda x: x + random.normal(key, x.shape), tree)  # JAX403 certain
"""
    },
}

REPLAYED = {
    "back to the start": {
        "film.py": """
import jax


@jax.jit
def start(key):
    return jax.random.normal(key, (3,))


def film(key, n):
    state = start(key)
    state = state + 1
    state = start(key)  # JAX401 possible
    for _ in range(n):
        state = state + 1
    return state


def two_samples(key, x, y):
    noise = start(key)
    noise = noise / 2
    first = x + noise
    noise = start(key)  # JAX401 certain
    noise = noise / 2
    return first, y + noise


def unchanged(key, x, y):
    noise = start(key)
    noise = start(key)  # JAX401 possible
    return x + noise
"""
    },
    "inputs of what is asserted": {
        "kernels.py": """
import jax
import numpy as np


def alike(key, f, g):
    x = jax.random.normal(key, (3, 2))
    y = jax.random.normal(key, (4, 2))  # JAX401 possible
    a = f(x, y)
    b = g(x, y)
    assert abs(a - b).max() < 1e-6
    np.testing.assert_allclose(a, b)
    print("alike")


def alike_and_used(key, f, g):
    x = jax.random.normal(key, (3, 2))
    y = jax.random.normal(key, (4, 2))  # JAX401 certain
    a = f(x, y)
    assert abs(a - g(x, y)).max() < 1e-6
    return a
"""
    },
}

UNSEEN = {
    "two callees that nobody can look into": {
        "play.py": """
import jax


def play(env, agent, key):
    key = jax.random.split(key)[0]
    state = env.reset(key)
    return agent.plan(key, state)  # JAX402 possible


def play_at_random(env, key):
    state = env.reset(key)
    return state, jax.random.uniform(key)  # JAX402 likely


def hidden(posteriors, key):
    key = jax.random.split(key)[0]
    return [posterior.sample(seed=key) for posterior in posteriors]  # JAX402 likely
"""
    },
    "of a key that a script makes for itself": {
        "measure.py": """
import jax


def measure(env, agent):
    key = jax.random.key(0)
    states = jax.vmap(env.reset)(jax.random.split(key, 8))
    return agent.start(key, states)  # JAX402 possible


def measure_with(env, agent, key):
    states = jax.vmap(env.reset)(jax.random.split(key, 8))
    return agent.plan(key, states)  # JAX402 likely


def play(env, policy):
    key = jax.random.key(1)
    state = env.reset(key)
    for _ in range(10):
        act_key, key = jax.random.split(key)  # JAX402 likely
        state = env.move(state, policy(state, act_key))
    return state


def both_draw():
    key = jax.random.key(0)
    return jax.random.normal(key), jax.random.uniform(key)  # JAX401 certain
"""
    },
    "methods of classes in reach": {
        "agents.py": """
import jax


class Slow:
    @jax.jit
    def plan(self, key, state):
        return self.noisy(state, key=key)

    def noisy(self, state, key=None):
        return state + jax.random.normal(key)

    def look(self, key, state):
        return self.noisy(state, key) if state is None else state


class Fast(Slow):
    def plan(self, key, state):
        first, second = jax.random.split(key)
        return state + jax.random.normal(first)


class Silent:
    def plan(self, key, state):
        return state
""",
        "play.py": """
import jax
from agents import Fast, Slow


class Trainer:
    def __init__(self, kinds, name):
        self.agent = kinds[name]()

    def play(self, key):
        state = self.agent.plan(key, 0.0)
        return self.agent.plan(key, state)  # JAX402 likely

    def look(self, key):
        state = self.agent.plan(key, 0.0)
        return self.agent.look(state=state, key=key)  # JAX402 likely
""",
        "other.py": """
from agents import Silent, Slow


class Trainer:
    def __init__(self, kinds, name):
        self.agent = kinds[name]()

    def play(self, key):
        state = self.agent.plan(key, 0.0)
        return self.agent.plan(key, state)
""",
    },
    "methods of one module": {
        "net.py": """
import flax.linen as nn


class Net(nn.Module):
    def setup(self):
        self.before, self.after = nn.Dropout(0.5, deterministic=False), nn.Dropout(0.5, deterministic=False)

    def encode(self, x):
        return self.before(x)

    def decode(self, x):
        return self.after(x)


def through(key, x):
    net = Net()
    code = net.apply({}, x, method="encode", rngs={"dropout": key})
    return net.apply({}, code, method="decode", rngs={"dropout": key})  # JAX402 possible


def twice(key, x):
    net = Net()
    code = net.apply({}, x, method="encode", rngs={"dropout": key})
    return net.apply({}, code, method="encode", rngs={"dropout": key})  # JAX402 likely
"""
    },
}

LOOKED_AT = {
    "numbers that are read from a file at once": {
        "load.py": """
import equinox as eqx
import jax


class Net(eqx.Module):
    weights: jax.Array

    def __init__(self, key):
        self.weights = jax.random.normal(key, (3,))


def load(key, path):
    first = eqx.tree_deserialise_leaves(path, Net(key))
    second = eqx.tree_deserialise_leaves(path, Net(key))  # JAX401 possible
    return first, second


def make(key):
    return Net(key), Net(key)  # JAX401 certain
"""
    },
    "timing": {
        "bench.py": """
import time

import jax


@jax.jit
def f(key):
    return jax.random.normal(key, (1000,)).sum()


def measure(key, n):
    start = time.perf_counter()
    for _ in range(n):
        out = f(key)  # JAX403 possible
    return (time.perf_counter() - start) / n


def once(key):
    f(key).block_until_ready()
    start = time.perf_counter()
    f(key).block_until_ready()  # JAX401 possible
    return time.perf_counter() - start


def train(key, n):
    start = time.perf_counter()
    total = 0.0
    for _ in range(n):
        total = total + f(key)  # JAX403 certain
    print(time.perf_counter() - start)
    return total
"""
    },
    "timing by a function that does it": {
        "bench.py": """
import timeit

import jax


@jax.jit
def walk(key):
    start = jax.random.normal(key)
    return start + jax.random.uniform(key)  # JAX401 possible


@jax.jit
def stroll(key):
    start = jax.random.normal(key)
    return start + jax.random.uniform(key)  # JAX401 certain


def untimed(key):
    start = jax.random.normal(key)
    return start + jax.random.uniform(key)  # JAX401 certain


key = jax.random.key(0)
compiled = walk.lower(key).compile()
print(timeit.timeit(lambda: compiled(key), number=3))
print(timeit.timeit(lambda: stroll(key), number=3), stroll(key))
"""
    },
    "printed to be seen": {
        "demo.py": """
import jax


def show(key):
    print(jax.random.normal(key))
    print("again", jax.random.normal(key))  # JAX401 possible
    print("and used", jax.random.uniform(key))  # JAX401 possible
    return jax.random.bernoulli(key)  # JAX401 certain


def by_name(key):
    first = jax.random.normal(key)
    second = jax.random.normal(key)  # JAX401 possible
    print("the first is", first)
    print(f"the second is {second}", first == second)


def computed(key, fit):
    x = jax.random.normal(key, (9,))
    noise = jax.random.normal(key, (9,))  # JAX401 certain
    loss = fit(x, x + noise)
    print(loss, noise)
"""
    },
    "with something on and off": {
        "play.py": """
import jax


def play(key, state, steps, at_random):
    move = jax.random.normal(key, (steps,)) if at_random else jax.random.uniform(key, (steps,))
    return state + move.sum()


def baselines(key, state):
    return play(key, state, 9, at_random=False), play(key, state, 9, at_random=True)  # JAX401 possible


def lengths(key, state):
    return play(key, state, 5, at_random=True), play(key, state, 9, at_random=False)  # JAX401 certain
"""
    },
}

SETTINGS = {
    "a setter for the users of the module": {
        "views.py": """
import jax

RADIUS = 3
SCALE = {"gain": 1.0}


def set_radius(radius):
    global RADIUS
    RADIUS = radius


def set_gain(gain):
    SCALE["gain"] = gain


@jax.jit
def view(x):
    return x * RADIUS  # JAX108 possible


@jax.jit
def scaled(x):
    return x * SCALE["gain"]  # JAX108 possible
"""
    },
    "a step that computes with the old value, and setters that keep a part of it": {
        "fit.py": """
import jax
import jax.numpy as jnp

WEIGHTS = {"w": jnp.ones(2)}
RATE = 1.0
SCALE = {"gain": 1.0, "bias": 0.0}


def fit(x):
    global WEIGHTS
    WEIGHTS = {"w": WEIGHTS["w"] - 0.1 * x}


def cool():
    global RATE
    RATE *= 0.5


def configure(**options):
    global SCALE
    SCALE = {**SCALE, **options}


@jax.jit
def predict(x):
    return x @ WEIGHTS["w"]  # JAX108 likely


@jax.jit
def step(x):
    return x * RATE  # JAX108 likely


@jax.jit
def scaled(x):
    return x * SCALE["gain"]  # JAX108 possible
"""
    },
    "a setter that the program calls, and one that runs the function": {
        "anneal.py": """
import jax

RATE = 1.0
HEAT = 1.0


def set_rate(rate):
    global RATE
    RATE = rate


def set_heat(heat):
    global HEAT
    before = warm(1.0)
    HEAT = heat
    return before, warm(1.0)


@jax.jit
def step(x):
    return x * RATE  # JAX108 likely


@jax.jit
def warm(x):
    return x * HEAT  # JAX108 likely


def train(x, n):
    for i in range(n):
        x = step(x)
        set_rate(1.0 / (i + 1))
    return x
"""
    },
}

PARAMETERS = {
    "only applied, and the layers of what is called there": {
        "world.py": """
import flax.linen as nn
import jax


class Cell(nn.Module):
    @nn.compact
    def __call__(self, h, x):
        return nn.tanh(nn.Dense(3)(h) + x)


class World(nn.Module):
    def setup(self):
        self.cell = Cell()

    def probe(self, x):
        \"\"\"Makes the parameters, as observe() must not.\"\"\"
        return self.cell(x, x)

    def observe(self, xs):
        return jax.lax.scan(lambda h, x: (self.cell(h, x), None), xs[0], xs)[0]


def start(key, x):
    return World().init(key, x, method=World.probe)
"""
    },
    "called by init": {
        "world.py": """
import flax.linen as nn
import jax


class Cell(nn.Module):
    @nn.compact
    def __call__(self, h, x):
        return nn.tanh(nn.Dense(3)(h) + x)  # JAX114 certain


class World(nn.Module):
    def setup(self):
        self.cell = Cell()

    def __call__(self, xs):
        return self.observe(xs)

    def observe(self, xs):
        return jax.lax.scan(lambda h, x: (self.cell(h, x), None), xs[0], xs)[0]
"""
    },
    "called by the init of nobody knows what": {
        "world.py": """
import flax.linen as nn
import jax


class World(nn.Module):
    def setup(self):
        self.cell = nn.Dense(3)

    def observe(self, xs):
        return jax.lax.scan(lambda h, x: (self.cell(h) + x, None), xs[0], xs)[0]  # JAX114 possible


class Still(nn.Module):
    def observe(self, xs):
        return xs[-1]


class Agent(nn.Module):
    world: nn.Module

    def __call__(self, xs):
        return self.world.observe(xs)
"""
    },
    "init may run another method": {
        "world.py": """
import flax.linen as nn
import jax


class World(nn.Module):
    def setup(self):
        self.cell = nn.Dense(3)

    def probe(self, x):
        return self.cell(x)

    def __call__(self, xs):
        return jax.lax.scan(lambda h, x: (self.cell(h) + x, None), xs[0], xs)[0]  # JAX114 possible


def start(key, x):
    return World().init(key, x, method="probe")
"""
    },
}

PASSED_ON = {
    "read by what the trace runs next": {
        "model.py": """
from functools import partial

import jax
import jax.numpy as jnp


class Model:
    @partial(jax.jit, static_argnums=0)
    def forward(self, x):
        self.hidden = jnp.tanh(x)  # JAX107 possible
        return self.head() + self.hidden.sum()

    def head(self):
        return self.hidden * 2
"""
    },
    "read by what others run, too": {
        "model.py": """
from functools import partial

import jax
import jax.numpy as jnp


class Model:
    @partial(jax.jit, static_argnums=0)
    def forward(self, x):
        self.hidden = jnp.tanh(x)  # JAX107 certain
        return self.head()

    def head(self):
        return self.hidden * 2


def show(model, x):
    model.forward(x)
    return model.head()
"""
    },
    "read by another method, before it is set, and by nobody": {
        "model.py": """
from functools import partial

import jax
import jax.numpy as jnp


class Model:
    @partial(jax.jit, static_argnums=0)
    def forward(self, x):
        self.hidden = jnp.tanh(x)  # JAX107 certain
        self.last = x  # JAX107 certain
        scale = self.scale
        self.scale = scale * x.max()  # JAX107 certain
        return self.head()

    def head(self):
        return self.hidden * 2

    def report(self):
        return self.hidden.mean()
"""
    },
}

IMPURE = {
    "in tests": {
        "test_step.py": """
import logging
import random

import jax


def test_step():
    @jax.jit
    def step(x):
        print(x)  # JAX101 possible
        logging.info("step of %s", x)  # JAX102 possible
        return x * random.random()  # JAX103 possible

    assert step(1.0) < 1.0
"""
    },
    "switches of the process and bars of progress": {
        "model.py": """
import os

import jax
from tqdm import tqdm


@jax.jit
def step(x):
    if os.environ.get("FAST") == "1":  # JAX103 possible
        return x
    os.environ["STAGE"] = "step"  # JAX104 possible
    for _ in tqdm(range(3)):  # JAX102 possible
        x = x * 2.0
    return x
"""
    },
    "seeds that are counted through": {
        "norms.py": """
import jax


@jax.jit
def noisy(weights):
    total, number = 0.0, 0
    for weight in weights:
        start = jax.random.normal(jax.random.key(number), weight.shape)  # JAX406 possible
        total += (start * weight).sum()
        number += 1
    return total


@jax.jit
def alike(weights):
    return jax.random.normal(jax.random.key(7), weights.shape) * weights  # JAX406 likely
"""
    },
    "what is only traced to be looked at": {
        "look.py": """
import time

import jax


def logged(x):
    print("x:", x)  # JAX101 possible
    return x


def timed(x):
    return x * time.time()  # JAX103 possible


def noted(x):
    print("noted:", x)  # JAX101 certain
    return x


print(jax.make_jaxpr(logged)(3.0))
print(jax.eval_shape(timed, 3.0))
print(jax.make_jaxpr(noted)(3.0), jax.jit(noted)(3.0))
"""
    },
    "drawn for a function of nothing": {
        "data.py": """
import jax
import jax.numpy as jnp
import numpy as np


def make():
    return jnp.ones(3) * np.random.rand()  # JAX103 possible


def noisy(x):
    return x * np.random.rand()  # JAX103 certain


data = jax.jit(make)()
more = jax.jit(noisy)(data)
"""
    },
    "where a variable of a callback begins": {
        "train.py": """
import time

import jax


@jax.jit
def train(x):
    last = time.time()  # JAX103 possible
    first = time.time()  # JAX103 certain

    def log(x):
        nonlocal last
        now = time.time()
        print(x, now - last, now - first)
        last = now

    jax.debug.callback(log, x)
    return x
"""
    },
    "a count of traces that is asserted, and one of calls": {
        "train.py": """
import jax


class Step:
    def __init__(self):
        self.traces = self.calls = 0
        self.step = jax.jit(self._step)

    def _step(self, x):
        self.traces += 1  # JAX105 possible
        self.calls += 1  # JAX105 certain
        return x

    def __call__(self, x):
        y = self.step(x)
        assert self.traces <= 1, "traced again"
        return y

    def report(self):
        return self.calls
"""
    },
}

UNREAD = {
    "overwritten before it is read": {
        "over.py": """
import jax
import jax.numpy as jnp


def children(key, n):
    keys = jnp.stack(jax.random.split(key, n)).reshape(n, -1)
    keys = jax.random.split(key, n + 1)  # JAX401 possible
    return keys


def numbers(key):
    x = jax.random.normal(key)
    x = jax.random.uniform(key)  # JAX401 possible
    return x


def carried(key, n):
    _, keys = jax.lax.scan(lambda k, _: (jax.random.split(k)[1], None), key, None, n)
    keys = jax.random.split(key, n)  # JAX401 possible
    return keys


def read_between(key):
    x = jax.random.normal(key)
    y = x + 1
    x = jax.random.uniform(key)  # JAX401 certain
    return x, y


def read_on_one_path(key, again):
    x = jax.random.normal(key)
    y = jax.random.uniform(key)  # JAX401 certain
    if again:
        x = y
    return x + y


def read_in_the_next_pass(key, n):
    x = last = 0.0
    for _ in range(n):
        last = x
        x = jax.random.normal(key)  # JAX403 certain
    return last


def read_by_a_closure(key):
    x = jax.random.normal(key)
    show = lambda: print(x)
    show()
    x = jax.random.uniform(key)  # JAX401 certain
    return x


def read_where_it_fails(key, f):
    x = jax.random.normal(key)
    try:
        x = f(jax.random.uniform(key))  # JAX401 certain
    except ValueError:
        pass
    return x


def forgotten(key):
    left, right = jax.random.split(key)
    return jax.random.normal(key)  # JAX401 certain
"""
    },
    "dropped": {
        "dropped.py": """
import jax


def sample(key):
    return jax.random.normal(key)


def step(x, key):
    return x + sample(key)


def a_draw_and_nothing_else(key):
    jax.random.bits(key)  # JAX303 certain
    return jax.random.normal(key)  # JAX401 certain


def mapped(keys):
    jax.vmap(jax.random.bits)(keys)
    return jax.vmap(jax.random.normal)(keys)  # JAX401 certain


def in_a_function_that_only_draws(key):
    _ = jax.jit(sample)(key)
    return jax.random.uniform(key)  # JAX401 certain


def in_a_lambda(key):
    (lambda k: jax.random.bits(k))(key)
    return sample(key)  # JAX401 certain


def twice(key):
    _ = sample(key)
    _ = sample(key)  # JAX401 certain


def of_a_step_that_is_run_to_compile_it(x, key):
    step(x, key)
    return jax.random.normal(key)  # JAX401 possible


def of_what_is_made_of_it(x, key):
    _ = x * jax.random.normal(key)
    return jax.random.normal(key)  # JAX401 possible


def a_split(key):
    jax.random.split(key)  # JAX407 certain
    return jax.random.normal(key)  # JAX401 possible
"""
    },
    "returned to where it is overwritten": {
        "evaluate.py": """
import jax
import jax.numpy as jnp


def setup(key, params, n):
    key, *keys = jax.random.split(key, n + 1)
    keys = jnp.stack(keys)
    return jax.pmap(jnp.sin), (params, keys)


def train(params, key, n, rounds):
    evaluate, (trained, keys) = setup(key, params, n)
    for _ in range(rounds):
        key, *keys = jax.random.split(key, n + 1)  # JAX401 possible
        keys = jnp.stack(keys)
        trained = evaluate(trained, keys)
    return trained


def train_at_once(params, key, n, rounds):
    evaluate, (trained, keys) = setup(key, params, n)
    trained = evaluate(trained, keys)
    for _ in range(rounds):
        key, *keys = jax.random.split(key, n + 1)  # JAX401 certain
        keys = jnp.stack(keys)
        trained = evaluate(trained, keys)
    return trained


def train_at_last(params, key, n, rounds):
    evaluate, (trained, keys) = setup(key, params, n)
    for _ in range(rounds):
        key, *keys = jax.random.split(key, n + 1)  # JAX401 certain
        trained = evaluate(trained, jnp.stack(keys))
    return trained, keys
"""
    },
    "multiplied by zero": {
        "zero.py": """
import jax


def start(key, f):
    x = 0.0 * jax.random.normal(key, (3,))
    return f(x, jax.random.uniform(key))  # JAX401 possible


def scaled(key, f):
    x = 0.1 * jax.random.normal(key, (3,))
    return f(x, jax.random.uniform(key))  # JAX401 certain
"""
    },
}

PINS = "dm-haiku==0.0.4\nnumpy~=1.19.2\n"
FORTRAN = "import numpy as np\n\n\ndef solve(a, b):\n    return np.linalg.solve(a, b)\n"
DOUBLED = """
import jax


def double(tree):
    return jax.tree_map(lambda x: 2 * x, tree)  # JAX80{}
"""

VERSIONS = {
    "packages whose pins leave only a jax that has the name": {
        "requirements.txt": PINS,
        "a.py": DOUBLED.format("2 possible"),
    },
    "the same packages without pins": {"requirements.txt": "dm-haiku\nnumpy\n", "a.py": DOUBLED.format("1 certain")},
    "a notebook that installs what it needs": {
        "requirements.txt": PINS,
        "a.ipynb": "# %%\n!pip install dm-haiku\n# %%" + DOUBLED.format("1 certain"),
    },
    "a notebook that installs other things": {
        "requirements.txt": PINS,
        "a.ipynb": "# %%\n!pip install einops\n# %%" + DOUBLED.format("2 possible"),
    },
    "a file that imports a package which is gone": {
        "pyproject.toml": "",
        "fem/__init__.py": "",
        "fem/solver.py": FORTRAN,
        "old/demo.py": "from fem.elements.linear import Bar\nfrom fem.solver import solve\n"
        + DOUBLED.format("1 possible"),
    },
    "a file that imports two modules which are gone": {
        "pyproject.toml": "",
        "fem/__init__.py": "",
        "fem/solver.py": FORTRAN,
        "old/demo.py": "from fem.core import Bar\nimport fem.mesh\n" + DOUBLED.format("1 possible"),
    },
    "a file that imports one module which may be generated": {
        "pyproject.toml": "",
        "fem/__init__.py": "",
        "fem/solver.py": FORTRAN,
        "demo.py": "from fem.version import __version__\nfrom fem.solver import solve\n" + DOUBLED.format("1 certain"),
    },
    "a file that imports what was compiled": {
        "pyproject.toml": "",
        "fem/__init__.py": "",
        "fem/mesh.cpython-311-x86_64-linux-gnu.so": "",
        "fem/data/readme.txt": "",
        "demo.py": "from fem.mesh import grid\nfrom fem.data import rows\n" + DOUBLED.format("1 certain"),
    },
    "a file that gets along without what is gone": {
        "pyproject.toml": "",
        "fem/__init__.py": "",
        "demo.py": "try:\n    import fem.gpu.core\nexcept ImportError:\n    pass\n" + DOUBLED.format("1 certain"),
    },
    "a file that imports other packages": {
        "pyproject.toml": "",
        "demo.py": "import flax.linen.gone\nimport elsewhere.deep.down\n" + DOUBLED.format("1 certain"),
    },
}

NOISE = """\
import jax


def noise(key):
    return jax.random.normal(key, (3,))


def demo():
    key = jax.random.key(0)
    return noise(key) + noise(key)  # JAX401 {inside}


if __name__ == "__main__":
    key = jax.random.key(0)
    total = noise(key) + noise(key)  # JAX401 {block}
    print(total + demo())
"""

IN_DEMOS = {
    "a module of a package that another imports": {
        "pkg/__init__.py": "from .noise import noise\n",
        "pkg/noise.py": NOISE.format(inside="possible", block="possible"),
    },
    "a module beside the program": {
        "noise.py": NOISE.format(inside="certain", block="possible"),
        "train.py": "from noise import noise\n",
    },
    "a function that others import": {
        "pkg/__init__.py": "from pkg.noise import demo\n",
        "pkg/noise.py": NOISE.format(inside="certain", block="possible"),
    },
    "a program": {"noise.py": NOISE.format(inside="certain", block="certain"), "other.py": "import jax\n"},
    "a program that its tests import": {
        "noise.py": NOISE.format(inside="certain", block="certain"),
        "test_noise.py": "from noise import noise\n",
    },
    "a program with arguments that another imports": {
        "pkg/__init__.py": "",
        "pkg/noise.py": "import argparse\n" + NOISE.format(inside="certain", block="certain"),
        "pkg/evaluate.py": "from pkg.noise import noise\n",
    },
}

SHAPES = {
    "a constant key for a shape": {
        "env.py": """
import jax
import jax.numpy as jnp


class Game:
    def start(self, key):
        return {"board": jax.random.normal(key, (3, 3))}

    def seen(self, state):
        return jnp.ravel(state["board"])


game = Game()


@jax.jit
def step(x):
    return x * size() + drawn()


def size():
    state = game.start(jax.random.key(0))  # JAX406 possible
    seen = game.seen(state)
    return seen.shape[0]


def drawn():
    state = game.start(jax.random.key(0))  # JAX406 likely
    seen = game.seen(state)
    return seen[0]
"""
    },
}

PROGRAMS = {
    f"{group}: {name}": files
    for group, programs in {
        "tests": IN_TESTS,
        "demos": IN_DEMOS,
        "cells": IN_CELLS,
        "compared": COMPARED,
        "evaluated": EVALUATED,
        "initialised": INITIALISED,
        "looked at": LOOKED_AT,
        "settings": SETTINGS,
        "chosen": CHOSEN,
        "paired": PAIRED,
        "replayed": REPLAYED,
        "unseen": UNSEEN,
        "impure": IMPURE,
        "parameters": PARAMETERS,
        "passed on": PASSED_ON,
        "unread": UNREAD,
        "versions": VERSIONS,
        "shapes": SHAPES,
    }.items()
    for name, files in programs.items()
}
_MARK = re.compile(r"# (JAX\d{3}) (possible|likely|certain)$")


def notebook(text: str) -> str:
    """The cells of a text as a notebook; lines are counted on, as they are in the text."""
    cells = re.split(r"(?m)^(?=# %%)", text)[1:]
    code = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": c} for c in cells]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": code})


@pytest.mark.parametrize("name", PROGRAMS)
def test_certainty(name: str, tmp_path: Path) -> None:
    expected = set()
    for path, text in PROGRAMS[name].items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(notebook(text) if path.endswith(".ipynb") else text)
        for line in text.splitlines():
            if mark := _MARK.search(line):
                expected.add((path, line, mark[1], mark[2]))
    found = lint_paths([tmp_path], Settings(certainty=Certainty.POSSIBLE))
    assert {(*line_of(finding, tmp_path), finding.code, finding.certainty.label) for finding in found} == expected


def line_of(finding: Finding, folder: Path) -> tuple[str, str]:
    """The file, relative to the folder, and the text of the line of a finding."""
    text = Path(finding.path).read_text()
    if finding.location.cell:
        text = json.loads(text)["cells"][finding.location.cell - 1]["source"]
    return str(Path(finding.path).relative_to(folder)), text.splitlines()[finding.location.line - 1]
