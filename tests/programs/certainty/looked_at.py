# Numbers that are looked at, or timed.

# --- numbers that are read from a file at once
# file: load.py
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

# --- timing
# file: bench.py
import time

import jax


@jax.jit
def f(key):
    return jax.random.normal(key, (1000,)).sum()


def measure(key, n):
    start = time.perf_counter()
    for _ in range(n):
        out = f(key)  # JAX403 possible
    return (time.perf_counter() - start) / n  # JAX509 likely


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
    print(time.perf_counter() - start)  # JAX509 likely
    return total

# --- timing by a function that does it
# file: bench.py
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
print(timeit.timeit(lambda: compiled(key), number=3))  # JAX509 likely
print(timeit.timeit(lambda: stroll(key), number=3), stroll(key))  # JAX509 likely

# --- timing of what a class gives
# file: bench.py
import timeit

import jax


class Walks:
    @staticmethod
    def slow(key):
        start = jax.random.normal(key)
        return start + jax.random.uniform(key)  # JAX401 possible


def make_and_run(key):
    def step(key):
        start = jax.random.normal(key)
        return start + jax.random.uniform(key)  # JAX401 certain

    print(step(key))
    return step


key = jax.random.key(0)
run = make_and_run(key)
walk = Walks.slow
print(timeit.timeit(lambda: walk(key), number=3))
print(timeit.timeit(lambda: run(key), number=3))

# --- printed to be seen
# file: demo.py
import jax


def show(key):
    print(jax.random.normal(key))
    print("again", jax.random.normal(key))  # JAX401 possible
    print("and used", jax.random.uniform(key))  # JAX401 possible
    return jax.random.bernoulli(key)  # JAX401 certain


def before_it_is_split(key):
    print("one number:", jax.random.normal(key))
    key, subkey = jax.random.split(key)  # JAX401 possible
    return key, jax.random.normal(subkey)


def used_before_it_is_split(key):
    x = jax.random.normal(key)
    print("one number:", x)
    key, subkey = jax.random.split(key)  # JAX401 certain
    return key, x + jax.random.normal(subkey)


def by_name(key):
    first = jax.random.normal(key)
    second = jax.random.normal(key)  # JAX401 possible
    print("the first is", first)
    print(f"the second is {second}", first == second)


def two_numbers(key):
    first = jax.random.normal(key)
    second = jax.random.normal(key)  # JAX401 certain
    print(first, second)


def computed(key, fit):
    x = jax.random.normal(key, (9,))
    noise = jax.random.normal(key, (9,))  # JAX401 certain
    loss = fit(x, x + noise)
    print(loss, noise)

# --- with something on and off
# file: play.py
import jax


def play(key, state, steps, at_random):
    move = jax.random.normal(key, (steps,)) if at_random else jax.random.uniform(key, (steps,))
    return state + move.sum()


def baselines(key, state):
    return play(key, state, 9, at_random=False), play(key, state, 9, at_random=True)  # JAX401 possible


def lengths(key, state):
    return play(key, state, 5, at_random=True), play(key, state, 9, at_random=False)  # JAX401 certain

# --- what a benchmark runs on
# file: bench.py
import time

import jax
import jax.numpy as jnp


@jax.jit
def transformed(x, y):
    return jnp.fft.fft2(x) * y


def run(key, runs):
    x = jax.random.normal(key, (8, 8)) + 1j * jax.random.normal(key, (8, 8))  # JAX401 possible
    y = jax.random.normal(key, (8, 8))  # JAX401 possible
    print(x.shape)
    transformed(x, y).block_until_ready()
    start = time.perf_counter()
    for _ in range(runs):
        last = transformed(x, y.T)
    jax.block_until_ready(last)
    return time.perf_counter() - start


def run_and_show(key):
    x = jax.random.normal(key, (8, 8))
    y = jax.random.normal(key, (8, 8))  # JAX401 certain
    start = time.perf_counter()
    last = transformed(x, y)
    last.block_until_ready()
    print(time.perf_counter() - start, last.mean())

# --- a benchmark whose results are trees, each leaf of which is waited for
# file: benchmark.py
import time

import jax


@jax.jit
def step(key, state):
    return {**state, "x": state["x"] + jax.random.normal(key, state["x"].shape)}


def timed(key, state):
    out = step(key, state)
    jax.tree.map(lambda leaf: leaf.block_until_ready() if hasattr(leaf, "block_until_ready") else leaf, out)
    start = time.perf_counter()
    out = step(key, state)  # JAX401 possible
    jax.tree_util.tree_map(lambda leaf: leaf.block_until_ready(), out)
    return time.perf_counter() - start


def timed_and_shown(key, state):
    out = step(key, state)
    start = time.perf_counter()
    jax.tree.map(lambda leaf: leaf.block_until_ready(), out)
    print(time.perf_counter() - start)
    return out, step(key, state)  # JAX401 certain

# --- training that is timed, of which each step waits for the one before
# file: train.py
import time

import jax


@jax.jit
def update(params, batch):
    return params - batch.mean() * params, params.sum()


def train(params, batches):
    for epoch in range(3):
        start = time.perf_counter()
        for batch in batches:
            params, loss = update(params, batch)
        print(epoch, time.perf_counter() - start)  # JAX509 possible
    return params


def train_and_time_each(params, batches):
    for batch in batches:
        start = time.perf_counter()
        params, loss = update(params, batch)
        print(time.perf_counter() - start)  # JAX509 likely
    return params


def apart(params, batches):
    start = time.perf_counter()
    for batch in batches:
        new, loss = update(params, batch)
    print(time.perf_counter() - start)  # JAX509 likely
    return new


def counted(params, batch):
    start = time.perf_counter()
    for _ in range(10):
        params, loss = update(params, batch)
    print(time.perf_counter() - start)  # JAX509 likely
    return params

# --- what a pass takes is measured where the time is divided by their number
# file: bench.py
import time

import jax


@jax.jit
def step(params, x):
    return params - 0.1 * x


def measured(params, x, repeats=20):
    start = time.perf_counter()
    for _ in range(repeats):
        params = step(params, x)
    elapsed = time.perf_counter() - start  # JAX509 likely
    return elapsed / repeats


def trained(params, x, steps=20):
    start = time.perf_counter()
    for _ in range(steps):
        params = step(params, x)
    print(time.perf_counter() - start)  # JAX509 possible
    return params / steps

# --- what some passes keep is taken away by the next one
# file: train.py
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def update(params, target, x):
    return params - 0.1 * (params - target) * x


def followed(params, steps):
    target = jnp.copy(params)
    for step in range(steps):
        params = update(params, target, 1.0)
        if step % 10 == 0:
            target = params  # JAX508 likely
    return params


def best_of(params, batches):
    best, lowest = None, float("inf")
    for batch in batches:
        params = update(params, 0.0, batch)
        loss = float(batch.sum())
        if loss < lowest:
            best, lowest = jnp.copy(params), loss
            kept = params  # JAX508 likely
    return best, kept


class Fit:
    def __init__(self):
        self.best, self.lowest = None, float("inf")

    def run(self, params, batches):
        for batch in batches:
            params = update(params, 0.0, batch)
            loss = float(batch.sum())
            if loss < self.lowest:
                self.lowest, self.best = loss, params  # JAX508 likely
        return params

    def evaluate(self, x):
        return self.best * x


def best_in_a_tuple(params, batches):
    best, lowest = params, float("inf")
    for batch in batches:
        params = update(params, 0.0, batch)
        loss = float(batch.sum())
        if loss < lowest:
            lowest, best = loss, params  # JAX508 likely
    return best


def best_before(params, batches):
    best, lowest = params, float("inf")
    for batch in batches:
        before = params
        params = update(params, 0.0, batch)
        loss = float(batch.sum())
        if loss < lowest:
            lowest, best = loss, before  # JAX508 likely
    return best


def path(params, batches):
    visited, first = [], []
    for batch in batches:
        visited.append(params)  # JAX508 likely
        params = update(params, 0.0, batch)
    for batch in batches:
        params = update(params, 0.0, batch)
        first.append(params)  # JAX508 likely
    return jnp.stack(visited), first[0]


def copied(params, batches):
    visited, losses, last, counted = [], [], [], []
    for batch in batches:
        visited.append(jnp.copy(params))
        params = update(params, 0.0, batch)
        losses.append(batch.sum())
        last.append(params)
        counted.append(params)
    return jnp.stack(visited), jnp.stack(losses), last[-1], len(counted)

# --- functions of the program read what was donated
# file: train.py
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def update(params, x):
    return params - 0.1 * x


def squared(params):
    return jnp.sum(params**2)


def penalty(params, weight):
    return weight * squared(params)


def compared(params, x):
    new = update(params, x)
    return penalty(new, 0.1) - penalty(params, 0.1)  # JAX508 likely


class Fit:
    def __init__(self):
        self.params = jnp.ones(3)

    def step(self, x):
        new = update(self.params, x)
        change = squared(new) - squared(self.params)  # JAX508 likely
        self.params = new
        return change


class Trainer:
    def __init__(self, rate):
        self.rate = rate
        self.update = jax.jit(lambda params, x: params - self.rate * x, donate_argnums=0)

    def fit(self, params, xs):
        for x in xs:
            params = self.update(params, x)
        return params


def search(params, xs):
    return [Trainer(rate).fit(params, xs) for rate in (0.1, 0.2)]  # JAX508 likely


def apart(params, xs):
    return [Trainer(rate).fit(jnp.copy(params), xs) for rate in (0.1, 0.2)]

# --- a copy is kept, or nothing comes behind what is kept, or nobody reads it later
# file: train.py
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def update(params, target, x):
    return params - 0.1 * (params - target) * x


def followed(params, steps):
    target = jnp.copy(params)
    for step in range(steps):
        params = update(params, target, 1.0)
        if step % 10 == 0:
            target = jnp.copy(params)
    return params


def last_of(params, steps):
    final = None
    for step in range(steps):
        params = update(params, 0.0, 1.0)
        if step == steps - 1:
            final = params
        if step % 10 == 0:
            shown = params
            print(shown)
    return final


def until(params, batches):
    found = None
    for batch in batches:
        params = update(params, 0.0, batch)
        if bool(batch.any()):
            found = params
            break
    return found

# --- batches of which another shape is asked for once they were donated: they may be arrays of NumPy
import jax


@jax.jit
def double(batch):
    return jax.tree.map(lambda leaf: 2 * leaf, batch)


take = jax.jit(lambda batch: jax.tree.map(lambda leaf: 2 * leaf, batch), donate_argnums=0)


def evaluated(batches):
    for batch in batches:
        doubled = take(batch)
        print(doubled, batch["label"].reshape([-1]))  # JAX508 possible


def kept(batches):
    for batch in batches:
        doubled = double(batch)
        print(doubled, batch["label"].reshape([-1]))

# --- a call that is only waited for, so that it is compiled before it is needed
import jax

@jax.jit
def sample(key, x):
    return x + jax.random.normal(key, x.shape)

def warm_up(key, x):
    for _ in range(3):
        sample(key, x).block_until_ready()  # JAX403 possible

def warm_up_of_one_seed(x):
    for _ in range(3):
        jax.block_until_ready(sample(jax.random.key(0), x))  # JAX403 possible

def compiled_first(key, x):
    jax.block_until_ready(sample(key, x))
    return sample(key, x)  # JAX401 possible

def one_more_is_kept(key, x):
    first = sample(key, x)
    first.block_until_ready()
    return first, sample(key, x)  # JAX401 certain

def results_are_kept(key, x):
    found = []
    for _ in range(3):
        found.append(jax.block_until_ready(sample(key, x)))  # JAX403 certain
    return found
