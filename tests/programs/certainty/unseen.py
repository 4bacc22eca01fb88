# Callees that nobody can look into.

# --- two callees that nobody can look into
# file: play.py
import jax


def play(env, agent, key):
    key = jax.random.split(key)[0]
    state = env.reset(key)
    return agent.plan(key, state)  # JAX402 possible


def play_at_random(env, key):
    state = env.reset(key)
    return state, jax.random.uniform(key)  # JAX402 possible


def hidden(posteriors, key):
    key = jax.random.split(key)[0]
    return [posterior.sample(seed=key) for posterior in posteriors]  # JAX402 likely

# --- of a key that a script makes for itself
# file: measure.py
import jax


def measure(env, agent):
    key = jax.random.key(0)
    states = jax.vmap(env.reset)(jax.random.split(key, 8))
    return agent.start(key, states)  # JAX402 possible


def measure_with(env, agent, key):
    states = jax.vmap(env.reset)(jax.random.split(key, 8))
    return agent.plan(key, states)  # JAX402 possible


def play(env, policy):
    key = jax.random.key(1)
    state = env.reset(key)
    for _ in range(10):
        act_key, key = jax.random.split(key)  # JAX402 possible
        state = env.move(state, policy(state, act_key))
    return state


def both_draw():
    key = jax.random.key(0)
    return jax.random.normal(key), jax.random.uniform(key)  # JAX401 certain

# --- of a key that a function hands out, and leaves the one beside it, or only the one that it goes on with
# file: measure.py
import jax


def keys_of(seed):
    data_key, init_key = jax.random.split(jax.random.key(seed))
    return data_key


def next_of(key):
    key, sub = jax.random.split(key)
    return sub


def setup(model, seed):
    data_key = keys_of(seed)
    x = jax.random.normal(data_key, (1, 4))
    return model.start(data_key, x)  # JAX402 likely


def setup_from(model, key):
    sub = next_of(key)
    x = jax.random.normal(sub, (1, 4))
    return model.start(sub, x)  # JAX402 possible

# --- methods of classes in reach
# file: agents.py
import jax


class Slow:
    @jax.jit
    def plan(self, key, state):  # JAX505 certain
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
# file: play.py
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
        return self.agent.look(state=state, key=key)  # JAX402 possible
# file: other.py
from agents import Silent, Slow


class Trainer:
    def __init__(self, kinds, name):
        self.agent = kinds[name]()

    def play(self, key):
        state = self.agent.plan(key, 0.0)
        return self.agent.plan(key, state)

# --- methods of one module
# file: net.py
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

# --- what is a method is told by what it does with its object, whatever that is called
import jax


class Walk:
    step = 0.5

    def __init__(self, rate):
        self.rate = rate

    @jax.jit
    def moved(this, x):  # JAX505 certain
        return x * this.rate

    @jax.jit
    def slowed(me, x):  # JAX505 certain
        return x * me.step

    @jax.jit
    def doubled(self):
        return self * 2

    twice = staticmethod(doubled)

# --- a compiled method that does not use its object is one, where the class has others
import functools

import jax


class Trainer:
    def __init__(self, width):
        self.width = width

    @jax.jit
    def predict(self, params, x):  # JAX505 certain
        return (x @ params).argmax(-1)

    @functools.partial(jax.jit, static_argnums=0)
    def score(self, params, x):
        return (x @ params).max(-1)

    @jax.jit
    def apart(params, x):
        return x @ params

    @staticmethod
    @jax.jit
    def last(self, x):
        return x[-1]


class Losses:
    @jax.jit
    def squared(_, error):
        return error**2

    @jax.vmap
    def absolute(_, error):
        return abs(error)


class Derived(Trainer):
    @jax.jit
    def loss(self, x):  # JAX505 certain
        return x.sum()

# --- keys whose axes einops moves after they were used, and keys that another library is handed then
# file: play.py
import einops
import jax
import other


def grouped(key, x):
    keys = jax.random.split(key, 4)
    noise = jax.vmap(jax.random.normal)(keys)
    return einops.rearrange(keys, "(a b) c -> a b c", a=2), noise


def handed_on(key, x):
    keys = jax.random.split(key, 4)
    noise = jax.vmap(jax.random.normal)(keys)
    return other.rearrange(keys, a=2), noise  # JAX402 possible

# --- a mesh that is mapped in place of the function
import jax
import jax.numpy as jnp
import numpy as np

mesh = jax.sharding.Mesh(np.array(jax.devices()), axis_names=("rows",))

@jax.shard_map(mesh, in_specs=jax.sharding.PartitionSpec("rows"), out_specs=jax.sharding.PartitionSpec())
def total(x):
    return jax.lax.psum(x, "rows")

total(jnp.ones(2))

# --- a name of an axis that no map of the program gives
import jax
import jax.numpy as jnp

@jax.jit
def total(x):
    return jax.lax.psum(x, "rows")  # JAX708 certain

total(jnp.ones(2))

# --- what is mapped without a name, or compiled, where the program names no such axis and nobody is seen to call it
import jax

def centred(x, axis_name="rows"):
    return x - jax.lax.pmean(x, axis_name)  # JAX708 likely

centre = jax.vmap(centred)

@jax.jit
def gather(x):
    return jax.lax.all_gather(x, "devices")  # JAX708 likely

def each(x):
    return jax.vmap(lambda y: y / jax.lax.psum(y, "lanes"))(x)  # JAX708 likely

# --- what is mapped without a name, or compiled, and may be called where the axis has its name
from functools import partial
import jax

def centred(x, axis_name="rows"):
    return x - jax.lax.pmean(x, axis_name)

centre = jax.vmap(centred)
centre_all = jax.vmap(centre, axis_name="rows")

@partial(jax.jit, static_argnames="axis_name")
def total(x, axis_name="devices"):
    return jax.lax.psum(x, axis_name)

def loss(w, x):
    return jax.lax.pmean(w * x, "hosts")

slope = jax.grad(loss)

# --- what is mapped without a name, or compiled, where the only map with that name runs nothing else of the program
from functools import partial
import jax

@partial(jax.pmap, axis_name="devices")
def ring(x):
    return jax.lax.ppermute(x.sum(0), "devices", [(0, 1), (1, 0)])

@jax.jit
def gather(x):
    return jax.lax.all_gather(x, "devices")  # JAX708 likely

def centred(x, axis_name="rows"):
    return x - jax.lax.pmean(x, axis_name)  # JAX708 likely

centre = jax.vmap(centred, axis_name="rows")
centre_without = jax.vmap(centred)

# --- what is compiled, where the only map with that name runs what a class, a function or another module has
# file: parts.py
import jax

def ring(x):
    return jax.lax.ppermute(x, "devices", [(0, 1), (1, 0)])
# file: program.py
import jax
from parts import ring

class Parts:
    @staticmethod
    def total(x):
        return jax.lax.psum(x, "lanes")

def make():
    def mean(x):
        return jax.lax.pmean(x, "rows")
    return mean

total = Parts.total
mean = make()
rings = jax.pmap(ring, axis_name="devices")
totals = jax.vmap(total, axis_name="lanes")
means = jax.vmap(mean, axis_name="rows")

@jax.jit
def gather(x):
    return jax.lax.all_gather(x, "devices")  # JAX708 likely

@jax.jit
def summed(x):
    return jax.lax.psum(x, "lanes")  # JAX708 likely

@jax.jit
def centred(x):
    return x - jax.lax.pmean(x, "rows")  # JAX708 likely

# --- what is compiled, where a map with that name runs what may call it, in a class, a function or another module
# file: parts.py
import jax

def ring(x, step):
    return jax.lax.ppermute(step(x), "devices", [(0, 1), (1, 0)])
# file: program.py
from functools import partial
import jax
from parts import ring

class Parts:
    @staticmethod
    def total(x):
        return jax.lax.psum(gather(x), "lanes")

total = Parts.total
rings = jax.pmap(ring, axis_name="devices", static_broadcasted_argnums=1)
totals = jax.vmap(total, axis_name="lanes")

@jax.jit
def gather(x):
    return jax.lax.all_gather(x, "devices")

@jax.jit
def spread(x):
    return jax.lax.all_gather(x, "lanes")

def over_rows(total, x):
    return jax.vmap(total, axis_name="rows")(x)

@jax.jit
def centred(x):
    return x - jax.lax.pmean(x, "rows")

# --- what is compiled, where a map with that name may run it
from functools import partial
import jax

@partial(jax.pmap, axis_name="devices")
def step(x):
    return total(x) + jax.lax.psum(x, "devices")

def total(x):
    return CHOSEN["gather"](x)

@jax.jit
def gather(x):
    return jax.lax.all_gather(x, "devices")

@jax.jit
def rows(x):
    return jax.lax.all_gather(x, "rows")

CHOSEN = {"gather": gather}
over_rows = jax.vmap(lambda f, x: f(x), axis_name="rows")

# --- an item of an attribute of an argument is set, at a place that is a tracer
# file: buffers.py
from typing import NamedTuple

import jax


class Buffer(NamedTuple):
    rewards: jax.Array
    at: jax.Array


@jax.jit
def overwritten(buffer, i, reward):
    buffer.rewards[i] = reward  # JAX301 likely
    return buffer


@jax.jit
def added(buffer, reward):
    buffer.rewards[jax.numpy.argmin(buffer.rewards)] += reward  # JAX301 likely
    return buffer

# --- a column of an attribute of an argument is set: what is not traced of that is no array of NumPy, which has no hash
# file: grids.py
import jax


@jax.jit
def cleared(state, row):
    state.grid[:, 0] = 0.0  # JAX301 likely
    state.grid[1:, row] += 1.0  # JAX301 likely
    return state


def stepped(carry, x):
    carry.positions[:, 0] = x  # JAX301 likely
    return carry, x


def run(carry, xs):
    return jax.lax.scan(stepped, carry, xs)


@jax.vmap
def mapped(state, x):
    state.grid[:, 0] = x
    return state


def outside(state, x):
    state.grid[:, 0] = x
    return state

# --- an item of an attribute of an argument is set, which may be a list, or a dict
# file: buffers.py
import jax


@jax.jit
def first(buffer, reward):
    buffer.rewards[0] = reward
    return buffer


@jax.jit
def named(buffer, reward):
    buffer.tables["reward"] = reward
    buffer.tables["reward", 0] = reward
    buffer.rewards[:] = [reward]
    for name in buffer.tables:
        buffer.tables[name] = reward
    return buffer


def outside(buffer, i, reward):
    buffer.rewards[i] = reward
    return buffer

# --- a class method that a transform gets with its class
# file: counters.py
import jax


class Counter:
    @classmethod
    @jax.jit
    def bump(cls, x):  # JAX505 certain
        return x + 1

# --- a key or one of many things that others make
# file: build.py
import jax
import numpy as np

from lab import handle


class Seeded:
    pass


def fresh(kind):
    if kind == "host":
        return np.zeros(2)
    if kind == "number":
        return len(kind)
    if kind == "object":
        return Seeded()
    return handle(kind)


def build(kind, key, again):
    first = jax.random.normal(key)
    if again:
        key = fresh(kind)
    return first, jax.random.normal(key)  # JAX401 certain


def build_anew(kind, key, again):
    first = jax.random.normal(key)
    if again:
        first = 0.0
        key = fresh(kind)
    else:
        key = fresh(kind)
    return first, jax.random.normal(key)

# --- a key or None that a helper splits, however often
# file: blocks.py
import jax


def split_or_none(key):
    if key is None:
        return key, None
    return jax.random.split(key)


def apply(rows, y, *, key=None):
    for row in rows:
        for block in row:
            key, sub = split_or_none(key)
            y = block(y, key=sub)
    key, sub = split_or_none(key)
    y = rows(y, key=sub)
    key, sub = split_or_none(key)
    y = rows(y, key=sub)
    for row in rows:
        for block in row:
            key, sub = split_or_none(key)
            if block.up:
                y = block(y, key=sub)
            else:
                y = block(y, y, key=sub)
    return y
