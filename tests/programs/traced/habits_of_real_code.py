# What one meets in real projects, most of it right.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- configuration closed over
from dataclasses import dataclass

@dataclass(frozen=True)
class Config:
    layers: int = 2
    dropout: float = 0.0
    kind: str = "relu"

def make(config):
    @jax.jit
    def forward(x):
        for i in range(int(config.layers)):
            x = jax.nn.relu(x) if config.kind == "relu" else jnp.tanh(x)
        if bool(config.dropout > 0.0):
            x = x * (1 - float(config.dropout))
        return x

    return forward

def main():
    return make(Config())(jnp.ones(2))

# --- configuration static
from dataclasses import dataclass

@dataclass(frozen=True)
class Config:
    deep: bool = True

@partial(jax.jit, static_argnames="config")
def forward(config, x):
    return x * 2 if config.deep else x

def main():
    return forward(Config(), 1.0)

# --- members of an enumeration that are made of several values are no tuples
from enum import IntEnum

class Tile(IntEnum):
    WALL = 2, "#"
    BAT = 4, "E"

    def __new__(cls, value, letter):
        tile = int.__new__(cls, value)
        tile._value_, tile.letter = value, letter
        return tile

WIDE = (2, "#")

def main():
    return jnp.full(3, Tile.WALL), jnp.where(jnp.arange(3) > 1, Tile.BAT, 0), jnp.full(3, WIDE)  # JAX308

# --- enum static
import enum

class Kind(enum.Enum):
    SUM = 1
    MEAN = 2

@partial(jax.jit, static_argnums=1)
def reduce(x, kind):
    if kind is Kind.SUM or kind == Kind.MEAN:
        return x.sum()
    return x

def main():
    return reduce(jnp.ones(2), Kind.SUM)

# --- optional argument
@jax.jit
def attend(q, mask=None, bias=None):
    if mask is None:
        mask = jnp.ones_like(q)
    if bias is not None:
        q = q + bias
    return q * mask

def main():
    return attend(jnp.ones(2)), attend(jnp.ones(2), jnp.zeros(2), bias=jnp.ones(2))

# --- shape checks
@jax.jit
def f(x, y):
    assert x.shape == y.shape, f"{x.shape} and {y.shape}"
    if x.shape[0] % 2 == 0 and max(x.shape) < 100:
        half = min(x.shape[0] // 2, 8)
        return x[:half] + y[half : 2 * half]
    raise ValueError(f"odd length {len(x)}")

def main():
    return f(jnp.ones(4), jnp.ones(4))

# --- chex shape assertions
import chex

@jax.jit
def f(x, y):
    chex.assert_rank(x, 1)
    chex.assert_equal_shape([x, y])
    chex.assert_shape(x, (2,))
    return x + y

def main():
    return f(jnp.ones(2), jnp.ones(2))

# --- layers in a list
class Net:
    def __init__(self, sizes):
        self.sizes = sizes

    def apply(self, params, x):
        for i, (layer, size) in enumerate(zip(params, self.sizes)):
            x = x @ layer["w"] + layer.get("b", 0.0)
            if i < len(params) - 1 and size > 1:
                x = jax.nn.relu(x)
        return x

def main():
    net = Net([2, 2])
    params = [{"w": jnp.ones((2, 2)), "b": jnp.ones(2)}, {"w": jnp.ones((2, 2))}]
    return jax.jit(net.apply)(params, jnp.ones(2))

# --- parameters by name
@jax.jit
def f(params, x):
    for name in sorted(params):
        if name.startswith("w") and params[name].ndim > 1:
            x = x @ params[name]
        elif name in ("b0", "b1"):
            x = x + params[name]
    for i in range(2):
        x = x + params[f"b{i}"]
    return x

def main():
    return f({"w0": jnp.ones((2, 2)), "b0": jnp.ones(2), "b1": jnp.ones(2)}, jnp.ones(2))

# --- tree map by rank
@jax.jit
def decay(params):
    some_matrix = any(p.ndim > 1 for p in jax.tree.leaves(params))
    decayed = jax.tree.map(lambda p: p * 0.9 if p.ndim > 1 else p, params)
    return decayed if some_matrix else params

def main():
    return decay({"w": jnp.ones((2, 2)), "b": jnp.ones(2)})

# --- sum and reduce of lists
import functools
import operator

@jax.jit
def f(losses, weights):
    total = sum(w * loss for w, loss in zip(weights, losses))
    return total + functools.reduce(operator.add, losses) / len(losses)

def main():
    return f([1.0, 2.0], [0.5, 0.5])

# --- container kinds
@jax.jit
def f(batch):
    if isinstance(batch, (tuple, list)):
        x, *rest = batch
        return x + sum(rest) if rest else x
    if isinstance(batch, dict):
        return batch["x"]
    return batch

def main():
    return f((1.0, 2.0)), f({"x": 1.0}), f(1.0)

# --- train loop
import optax

@jax.jit
def step(params, state, x):
    loss, grads = jax.value_and_grad(lambda p: jnp.mean((p * x) ** 2))(params)
    updates, state = optimizer.update(grads, state, params)
    return optax.apply_updates(params, updates), state, loss

optimizer = optax.sgd(0.1)

def main():
    params = jnp.ones(2)
    state = optimizer.init(params)
    history, best = [], float("inf")
    for i in range(3):
        params, state, loss = step(params, state, jnp.ones(2))
        history.append(loss.item())
        if loss < best:
            best = float(loss)
        if i % 2 == 0:
            print(f"{i}: {loss:.4f}", np.asarray(params))
    return history

# --- train state object
from typing import NamedTuple

class State(NamedTuple):
    params: jax.Array
    step: jax.Array

@partial(jax.jit, donate_argnums=0)
def update(state, grads):
    state = state._replace(params=state.params - 0.1 * grads, step=state.step + 1)
    return state

def main():
    state = State(jnp.ones(2), jnp.zeros((), int))
    while state.step < 3:
        state = update(state, jnp.ones(2))
    return state

# --- convergence loop eager
@jax.jit
def improve(x):
    return 0.5 * (x + 2.0 / x)

def main():
    x, error = jnp.ones(()), jnp.inf
    while error > 1e-3:
        new = improve(x)
        error = abs(new - x)
        x = new
    return x

# --- loader on the host
def batches(n):
    rng = np.random.default_rng(0)
    for _ in range(n):
        batch = np.zeros((2, 3))
        batch[:] = rng.normal(size=(2, 3))
        batch += np.random.rand()
        yield jnp.asarray(batch)

@jax.jit
def f(x):
    return x.sum()

def main():
    return [f(batch) for batch in batches(2)]

# --- count around the call
class Runner:
    def __init__(self):
        self.calls = 0
        self.seen = []
        self.run = jax.jit(lambda x: x * 2)

    def __call__(self, x):
        self.calls += 1
        y = self.run(x)
        self.seen.append(float(y))
        return y

def main():
    runner = Runner()
    return runner(1.0) + runner(2.0)

# --- cached factory
import functools

@functools.lru_cache
def compiled(n):
    @jax.jit
    def f(x):
        return x * n

    return f

@functools.lru_cache
def frequencies(n):
    return np.arange(n) / n

@jax.jit
def g(x):
    return x * frequencies(3)

def main():
    return compiled(2)(1.0), g(1.0), frequencies(3)

# --- lambda binds the mode
def f(x, mode, scale=None):
    if mode == "double":
        return x * 2
    return x if scale is None else x * scale

def main():
    return jax.vmap(lambda x: f(x, "double"))(jnp.ones(3)), jax.jit(lambda x: f(x, mode="id"))(1.0)

# --- checkpoint static
@partial(jax.checkpoint, static_argnums=(1,))
def block(x, train):
    if train:
        return jnp.sin(x)
    return x

def main():
    return jax.grad(lambda x: block(x, True))(1.0)

# --- pmap static
@partial(jax.pmap, static_broadcasted_argnums=1)
def f(x, mode):
    return x * 2 if mode == "double" else x

def main():
    return f(jnp.ones(1), "double")

# --- has aux
def loss(w, x):
    prediction = w * x
    return jnp.mean(prediction**2), {"prediction": prediction, "n": len(x)}

@jax.jit
def step(w, x):
    (value, aux), grads = jax.value_and_grad(loss, has_aux=True)(w, x)
    return w - 0.1 * grads, value, aux

def main():
    w, value, aux = step(1.0, jnp.ones(3))
    return float(value), int(aux["n"])

# --- scan with local state
def body(carry, x):
    parts = []
    for scale in (1.0, 2.0):
        parts.append(carry * scale + x)
    out = {"a": parts[0]}
    out["b"] = parts[1]
    return parts[-1], out

def main():
    return jax.lax.scan(body, 0.0, jnp.ones(3))

# --- scan over pytrees
def body(carry, batch):
    x, extra = batch
    if extra is None:
        carry = carry + x["v"]
    return carry, None

def main():
    return jax.lax.scan(body, 0.0, ({"v": jnp.ones(3)}, None), length=3)

# --- length from the shape
@jax.jit
def windows(x):
    n, width = x.shape[0], 2
    rows = [x[i : i + width] for i in range(n - width + 1)]
    out = jnp.zeros((n, width))
    for i, row in enumerate(rows):
        out = out.at[i].set(row)
    return out

def main():
    return windows(jnp.arange(5.0))

# --- positions from numpy
@jax.jit
def embed(x):
    length, width = x.shape
    position = np.arange(length)[:, None]
    table = np.zeros((length, width), dtype=np.float32)
    table[:, 0::2] = np.sin(position / 10)
    table[:, 1::2] = np.cos(position / 10)
    mask = np.tril(np.ones((length, length), dtype=bool))
    return jnp.where(mask[0, 0], x + table, x)

def main():
    return embed(jnp.ones((3, 4)))

# --- rank polymorphic
@jax.jit
def f(x):
    if not hasattr(x, "shape") or jnp.ndim(x) == 0:
        return jnp.atleast_1d(x)
    axis = -1 if x.ndim > 1 else 0
    return x.sum(axis=axis, keepdims=bool(x.ndim > 2))

def main():
    return f(1.0), f(jnp.ones((2, 2)))

# --- dtype dispatch
@jax.jit
def f(x):
    if x.dtype == jnp.bool_ or jnp.issubdtype(x.dtype, jnp.integer):
        x = x.astype(jnp.float32)
    eps = float(jnp.finfo(x.dtype).eps)
    return x / (x.sum() + eps + np.pi)

def main():
    return f(jnp.arange(3))

# --- device dispatch
@jax.jit
def f(x):
    if jax.default_backend() == "tpu" and len(jax.devices()) > 1:
        return x * 2
    return x

def main():
    return f(1.0)

# --- names and defaults
@partial(jax.jit, static_argnames=("name", "axes"))
def f(x, name=None, axes=()):
    name = name or "default"
    axes = tuple(axes) or (0,)
    return x.sum(axes) if name in {"default", "sum"} and 0 in axes else x

def main():
    return f(jnp.ones(2)), f(jnp.ones(2), name="sum", axes=(0,))

# --- lowered and compiled
def f(x):
    return x * 2

def main():
    compiled = jax.jit(f).lower(1.0).compile()
    cost = compiled.cost_analysis()
    y = compiled(1.0)
    if y > 1 and cost is not None:
        return float(y)
    return 0.0

# --- callback with buffers
def fill(x):
    out = np.empty_like(x)
    for i in range(len(out)):
        out[i] = np.sin(x[i])
    return out

@jax.jit
def f(x):
    return jax.pure_callback(fill, jax.ShapeDtypeStruct(x.shape, x.dtype), x, vmap_method="sequential")

def main():
    return f(jnp.ones(3))

# --- haiku training flag
import haiku as hk

def forward(x, is_training):
    x = hk.Linear(2)(x)
    if is_training:
        x = x * 2
    return x

network = hk.transform(forward)

@partial(jax.jit, static_argnums=2)
def apply(params, x, is_training):
    return network.apply(params, None, x, is_training)

def main():
    params = network.init(jax.random.key(0), jnp.ones((1, 2)), True)
    return apply(params, jnp.ones((1, 2)), True)

# --- equinox module
import equinox as eqx

class Block(eqx.Module):
    linear: eqx.nn.Linear
    activation: str = eqx.field(static=True)

    def __init__(self, key):
        self.linear = eqx.nn.Linear(2, 2, key=key)
        self.activation = "relu"

    def __call__(self, x):
        x = self.linear(x)
        return jax.nn.relu(x) if self.activation == "relu" else x

@jax.jit
def apply(block, x):
    return block(x)

def main():
    return apply(Block(jax.random.key(0)), jnp.ones(2))

# --- linen train flag
import flax.linen as nn

class Net(nn.Module):
    deep: bool = True

    @nn.compact
    def __call__(self, x, train: bool):
        x = nn.Dense(2)(x)
        if train and self.deep:
            x = nn.Dropout(0.5, deterministic=not train)(x)
        return x

@partial(jax.jit, static_argnames="train")
def apply(params, x, key, train):
    return Net().apply(params, x, train, rngs={"dropout": key})

def main():
    params = Net().init({"params": jax.random.key(0)}, jnp.ones((1, 2)), train=False)
    return apply(params, jnp.ones((1, 2)), jax.random.key(1), train=False)

# --- registered pytree
@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, x, name):
        self.x = x
        self.name = name

    def tree_flatten(self):
        return (self.x,), self.name

    @classmethod
    def tree_unflatten(cls, name, children):
        return cls(*children, name)

@jax.jit
def f(pair):
    return pair.x * 2 if pair.name == "double" else pair.x

def main():
    return f(Pair(1.0, "double"))

# --- eager branch on a result
@jax.jit
def is_done(x):
    return x.sum() > 3

def main():
    x = jnp.zeros(2)
    for _ in range(10):
        if is_done(x):
            break
        x = x.at[0].add(1.0)
    return x if not is_done(x) else x * 2

# --- clone of an argument list
@jax.jit
def f(states):
    states = list(states)
    states[0] = states[0] + 1
    states.append(states[-1])
    return tuple(states)

def main():
    return f((1.0, 2.0))

# --- attribute tested twice
class Repeat:
    def __init__(self, times):
        self.times = times

    def __call__(self, x, cutoff=None):
        if self.times is not None:
            x = jnp.repeat(x, self.times, axis=0)
        if self.times is None or cutoff is None:
            x = 2 * x
        else:
            x[:cutoff] = 2 * x[:cutoff]  # JAX301
        return x

def main():
    return Repeat(int("2"))(np.ones(3), 1)

# --- attribute tested twice the other way
class Repeat:
    def __init__(self, times):
        self.times = times

    def __call__(self, x, cutoff=None):
        if self.times is not None:
            x = jnp.repeat(x, self.times, axis=0)
        if self.times is None:
            x[:cutoff] = 2 * x[:cutoff]
        return x

def main():
    return Repeat(int("2"))(np.ones(3), 1)

# --- attribute bound after the test
class Buffer:
    def __init__(self):
        self.rows = None

    def add(self, row):
        if self.rows is None:
            self.rows = np.zeros((2, 3))
        else:
            self.rows = jnp.asarray(self.rows)
        if self.rows is None:
            return row
        self.rows = np.array(self.rows)
        self.rows[0] = row
        return self.rows

def main():
    buffer = Buffer()
    buffer.add(1.0)
    return buffer.add(2.0)

# --- schedule from a table
def polynomial(step, steps):
    return min(step, steps) / steps  # JAX203

def compound(config):
    names = config["factors"].split("*")

    def rate_at(step):
        rate = 1.0
        for name in names:
            if name == "polynomial":
                rate *= polynomial(step, config["steps"])
        return rate

    return rate_at

SCHEDULES = {"compound": compound}

def schedule_of(config):
    return SCHEDULES[config["schedule"]](config)

def train_step(step, gradient, *, rate_at):
    return gradient * rate_at(step)

def train(config, gradients):
    rate_at = schedule_of(config)
    train_step_jitted = jax.jit(partial(train_step, rate_at=rate_at))
    for step, gradient in enumerate(gradients):
        gradient = train_step_jitted(step, gradient)
    return gradient

def main():
    return train({"schedule": "compound", "factors": "polynomial", "steps": 10}, jnp.ones(3))

# --- schedule from a table that traces
def polynomial(step, steps):
    return jnp.minimum(step, steps) / steps

def compound(config):
    names = config["factors"].split("*")

    def rate_at(step):
        rate = 1.0
        for name in names:
            if name == "polynomial":
                rate *= polynomial(step, config["steps"])
        return rate

    return rate_at

SCHEDULES = {"compound": compound}

def schedule_of(config):
    return SCHEDULES[config["schedule"]](config)

def train(config, gradients):
    step = jax.jit(partial(lambda step, gradient, rate_at: gradient * rate_at(step), rate_at=schedule_of(config)))
    return step(3, gradients)

def main():
    return train({"schedule": "compound", "factors": "polynomial", "steps": 10}, jnp.ones(3))

# --- a container in place of an empty tree
@jax.jit
def init(x, partial_params=None):
    params = {"params": partial_params or {}}
    return [leaf + x for leaf in jax.tree.leaves(params)]

def main():
    return init(jnp.ones(3)), init(jnp.ones(3), {"w": jnp.ones(3)})

# --- a number in place of a zero
@jax.jit
def scaled(x, scale):
    return x * (scale or 1.0)  # JAX202

def main():
    return scaled(jnp.ones(3), jnp.ones(()))

# --- a part of what is traced, of a class that nobody knows to be registered
import chex

tree_class = vars(chex)["dataclass"]

@tree_class
class Result:
    cost: jax.Array
    solved: jax.Array

@tree_class
class Loop:
    result: Result

@jax.jit
def search(cost):
    loop = Loop(result=Result(cost=cost, solved=jnp.zeros((), bool)))
    loop = jax.lax.while_loop(lambda loop: loop.result.cost.sum() > 9.0, lambda loop: loop, loop)
    result = loop.result
    result.solved = jnp.any(result.cost > 0)
    return result

@jax.jit
def finish(loop: Loop):
    result = loop.result
    result.solved = jnp.any(result.cost > 0)
    return result

def main():
    with jax.checking_leaks():
        result = search(jnp.ones(3))
        return finish(Loop(result=result))
