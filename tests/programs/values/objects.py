# Structures of objects, and records that come out of a trace.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- part of the structure
from dataclasses import dataclass

@jax.tree_util.register_static
@dataclass(frozen=True)
class Config:
    heads: int
    names: tuple[str, ...] = ()

@jax.jit
def f(x, cfg: Config):
    if cfg.heads > 2:
        return x[: cfg.heads]
    return jnp.arange(cfg.heads)

def main():
    return f(jnp.ones(3), Config(1)), f(jnp.ones(3), Config(3))

# --- flattened by hand
@jax.tree_util.register_pytree_node_class
class Grid:
    def __init__(self, cells, size):
        self.cells, self.size = cells, size

    def tree_flatten(self):
        children = (self.cells,)
        return children, {"size": self.size}

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children, **aux)

@jax.jit
def f(grid: Grid):
    if grid.size > 2:
        return grid.cells[: grid.size]
    if grid.cells[0] > 2:  # JAX201
        return grid.cells
    return -grid.cells

def main():
    return f(Grid(jnp.ones(3), 1))

# --- records that come out of a trace
from flax import struct

class Buffer(struct.PyTreeNode):
    data: jax.Array
    index: jax.Array

    @jax.jit
    def add(self, row):
        return self.replace(data=self.data.at[self.index].set(row), index=self.index + 1)

def check(buffer: Buffer):
    new = buffer.add(1.0)
    assert new.index == 1
    return new.data[: int(new.index)]

def main():
    return check(Buffer(jnp.zeros(3), jnp.array(0)))

# --- unknown dicts that come out of a trace
class Wrapper:
    def __init__(self, env):
        self.env = env

    @partial(jax.jit, static_argnames="self")
    def step(self, state):
        state, info = self.env(state)
        info["done"] = state > 1
        return state, info

def check(wrapper: Wrapper):
    state, info = wrapper.step(1.0)
    return 1 if info["done"] else float(state)

def main():
    return check(Wrapper(lambda state: (state + 1, {})))

# --- list that is declared
@jax.jit
def f(states: list[dict], x):
    for i in range(2):
        states[i] = {"x": x}
    return states

def main():
    return f([{}, {}], 1.0)

# --- array that is not declared
@jax.jit
def f(states, x):
    for i in range(2):
        states[i] = x  # JAX301
    return states

def main():
    return f(jnp.ones(3), 1.0)

# --- a cached property that is read when the object is made
import abc
from functools import cached_property

class Bounds:
    def __init__(self, low):
        low = jnp.asarray(low)
        if jnp.any(low > 3):
            raise ValueError(low)
        self.low = low

class Base(abc.ABC):
    def __init__(self):
        self.bounds

    @abc.abstractmethod
    @cached_property
    def bounds(self):
        """The bounds."""

class Room(Base):
    def __init__(self, size):
        self.size = size
        super().__init__()

    @cached_property
    def bounds(self):
        return Bounds(1.0)

def read(room):
    return room.bounds.low + 1

def check(room: Base):
    return jax.jit(read, static_argnums=0)(room)

def main():
    return check(Room(3))

# --- a cached property that a trace is the first to read
from functools import cached_property

class Bounds:
    def __init__(self, low):
        low = jnp.asarray(low)
        if jnp.any(low > 3):  # JAX207
            raise ValueError(low)
        self.low = low

class Room:
    @cached_property
    def bounds(self):
        return Bounds(1.0)

def main():
    return jax.jit(lambda room: room.bounds.low, static_argnums=0)(Room())

# --- a cached property that is read before the trace
from functools import cached_property

class Room:
    @cached_property
    def low(self):
        return jnp.ones(())

def main():
    room = Room()
    print(room.low)
    return jax.jit(lambda x: x * float(room.low))(1.0)

# --- operators of a class
import operator
from dataclasses import dataclass

@jax.tree_util.register_pytree_node_class
@dataclass
class Field:
    value: jax.Array
    name: str

    def tree_flatten(self):
        return (self.value,), self.name

    @classmethod
    def tree_unflatten(cls, name, children):
        return cls(*children, name)

    def clone(self, value):
        return Field(value, self.name)

    def mean(self):
        return self.value.mean()

def _set_operator(name, compute):
    def fn(self, *others):
        return self.clone(compute(self.value, *others))

    setattr(Field, name, fn)

for name in ("__sub__", "__rmul__", "__neg__", "__lt__"):
    _set_operator(name, getattr(operator, name.replace("__r", "__")))

@jax.jit
def centred(field):
    if field.name:
        field -= field.mean()
    return field.clone(field.value), (-field).clone(1.0), (2 * field).clone(1.0), (field < 2).clone(0.0)

@jax.jit
def own(x):
    field = Field(x, "name")
    field = x * field
    return field.clone(x)

@jax.jit
def plain(x, y):
    size = x.real.sum()
    x = x - y
    return x.clone(size)  # JAX217

def main():
    return centred(Field(jnp.ones(3), "name")), plain(jnp.ones(3), 1.0)

# --- a field that makes an array of the list that it is given
import equinox as eqx

def as_array(values):
    return jnp.asarray(values, dtype=jnp.float32)

class Goal(eqx.Module):
    target: jax.Array = eqx.field(converter=as_array)

    def distance(self, x):
        return jnp.max(self.target) + jnp.sum(x - self.target)

def main():
    return Goal([0.0, 1.0]).distance(jnp.ones(2))

# --- a field that keeps the list that it is given
import equinox as eqx

class Goal(eqx.Module):
    target: list

    def distance(self):
        return jnp.max(self.target)  # JAX308

def main():
    return Goal([0.0, 1.0]).distance()

# --- a gradient along one axis is an array, along all of a matrix a list
@jax.jit
def slopes(x, y):
    first = jnp.gradient(x, axis=0) / 2
    row = jnp.gradient(y) * 3
    if jnp.gradient(y)[0] > 0:  # JAX201
        return first, row
    gx, gy = jnp.gradient(x)
    return gx + gy, row

def main():
    slopes(jnp.ones((3, 3)), jnp.ones(3))

# --- and there is none to divide
def slopes(x):
    return jnp.gradient(x) / x  # JAX308

def main():
    slopes(jnp.ones((3, 3)))

# --- the leaves of what has none
def spread(features, n):
    if jax.tree_util.tree_leaves(features):
        return jnp.repeat(features, n, axis=0)
    if len(jax.tree.leaves((features, None))) > 0:
        return jnp.repeat(features, n, axis=0)
    return n

def main():
    return spread((), 3)

# --- the leaves of what has one
def spread(features, n):
    if jax.tree_util.tree_leaves(features):
        return jnp.repeat(features, n, axis=0)  # JAX308
    return n

def main():
    return spread((1.0,), 3)

# --- a size that is declared a float and given as what it is
def ones(shape: float):
    return jnp.ones(shape)

def main():
    return ones((1, 3))

# --- a size that is declared a float and is one
def ones(size: float):
    return jnp.ones(size)  # JAX314

def main():
    return ones(6 / 2)
