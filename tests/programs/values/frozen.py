# Attributes that are set on records and modules which refuse it.

import collections
import dataclasses
from functools import partial
from typing import ClassVar, NamedTuple

import chex
import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax import struct
from flax.core import freeze, unfreeze
from flax.training.train_state import TrainState

# --- a dict that flax has frozen
def replaced(params, head):
    params = freeze(params)
    params["head"] = head  # JAX321
    return params

def main():
    return replaced({"head": jnp.ones(2)}, jnp.zeros(2))

# --- a copy of it, a dict again, and code that expects the error
def replaced(params, head):
    params = freeze(params)
    try:
        params["head"] = head
    except ValueError:
        pass
    other = unfreeze(params)
    other["head"] = head
    return params.copy({"head": head}), other

def main():
    return replaced({"head": jnp.ones(2)}, jnp.zeros(2))

# --- frozen: a dataclass
@dataclasses.dataclass(frozen=True)
class Config:
    size: int

def main():
    config = Config(3)
    config.size = 4  # JAX321

# --- frozen: a registered dataclass below a partial
@partial(jax.tree_util.register_dataclass, data_fields=["size"], meta_fields=[])
@dataclasses.dataclass(frozen=True)
class Config:
    size: int

def main():
    config = Config(3)
    config.size += 1  # JAX321

# --- frozen: a dataclass of chex
@chex.dataclass(frozen=True)
class Config:
    size: int

def main():
    Config(size=3).size = 4  # JAX321

# --- not frozen: a dataclass of chex
@chex.dataclass
class Config:
    size: int

def main():
    Config(size=3).size = 4

# --- frozen: a dataclass of flax
@struct.dataclass
class Config:
    size: int

def grown(config: Config):
    config.size = 4  # JAX321

def main():
    grown(Config(3))

# --- not frozen: a dataclass of flax that says so
@struct.dataclass(frozen=False)
class Config:
    size: int

def main():
    config = Config(3)
    config.size = 4

# --- frozen: what derives from a pytree node
class Node(struct.PyTreeNode):
    value: jax.Array

class Leaf(Node):
    label: str = struct.field(pytree_node=False, default="")

    def named(self, label):
        self.label = label  # JAX321
        return self

def main():
    Leaf(jnp.ones(2)).named("a")

# --- frozen: a train state
def main():
    state = TrainState.create(apply_fn=None, params=jnp.ones(2), tx=optax.sgd(0.1))
    state.step = 0  # JAX321

# --- frozen: a train state with more fields, in a trace
class State(TrainState):
    key: jax.Array

@jax.jit
def step(state: State):
    state.key = jax.random.split(state.key)[0]  # JAX321
    return state

def main():
    step(State.create(apply_fn=None, params=jnp.ones(2), tx=optax.sgd(0.1), key=jax.random.key(0)))

# --- frozen: a train state that is only declared to be one, in a trace
@jax.jit
def step(state: TrainState):
    state.step = state.step + 1  # JAX321
    return state

def main():
    step(TrainState.create(apply_fn=None, params=jnp.ones(2), tx=optax.sgd(0.1)))

# --- frozen: a named tuple
class Carry(NamedTuple):
    total: jax.Array

def main():
    carry = Carry(jnp.ones(2))
    carry.total = carry.total + 1  # JAX321

# --- frozen: a named tuple that a scan carries
class Carry(NamedTuple):
    total: jax.Array

def main():
    def body(carry, x):
        carry.total = carry.total + x  # JAX321
        return carry, x

    return jax.lax.scan(body, Carry(jnp.zeros(())), jnp.ones(3))

# --- frozen: a named tuple has no place for anything but its fields
class Carry(NamedTuple):
    total: jax.Array

    def mark(self):
        self.seen = True  # JAX321

def main():
    Carry(jnp.ones(2)).mark()

# --- frozen: a named tuple of collections
Carry = collections.namedtuple("Carry", "total count")

def main():
    carry = Carry(jnp.ones(2), 0)
    carry.count = 1  # JAX321

# --- frozen: a class that derives from a named tuple has a place for other attributes
class Carry(collections.namedtuple("Carry", ["total", "count"])):
    def mark(self):
        self.seen = True

def main():
    Carry(jnp.ones(2), 0).mark()

# --- frozen: but not for the fields
class Carry(collections.namedtuple("Carry", ["total", "count"])):
    def mark(self):
        self.count = 1  # JAX321

def main():
    Carry(jnp.ones(2), 0).mark()

# --- not frozen: a property of a named tuple that can be set
class Carry(NamedTuple):
    cells: list

    @property
    def first(self):
        return self.cells[0]

    @first.setter
    def first(self, value):
        self.cells[0] = value

def main():
    Carry([1]).first = 2

# --- frozen: one of several targets
@dataclasses.dataclass(frozen=True)
class Config:
    size: int

def main():
    config = Config(3)
    rest, config.size = 1, 2  # JAX321

# --- frozen: deleted
@dataclasses.dataclass(frozen=True)
class Config:
    size: int

def main():
    config = Config(3)
    del config.size  # JAX321

# --- frozen: set by a name
@dataclasses.dataclass(frozen=True)
class Config:
    size: int

def main():
    for name in ("size",):
        setattr(Config(3), name, 4)  # JAX321

# --- frozen: deleted by a name
@dataclasses.dataclass(frozen=True)
class Config:
    size: int

def main():
    delattr(Config(3), "size")  # JAX321

# --- frozen: one of two frozen records
@dataclasses.dataclass(frozen=True)
class Small:
    size: int

@struct.dataclass
class Large:
    size: int

def grown(flag):
    config = Small(3) if flag else Large(3)
    config.size = 4  # JAX321

def main():
    grown(True)

# --- frozen: one of two records of which one is not
@dataclasses.dataclass(frozen=True)
class Small:
    size: int

@dataclasses.dataclass
class Large:
    size: int

def grown(flag):
    config = Small(3) if flag else Large(3)
    config.size = 4

def main():
    grown(False)

# --- frozen: a field of the base, in a class that is no frozen record of its own
@dataclasses.dataclass(frozen=True)
class Base:
    size: int

class Config(Base):
    def grow(self):
        self.extra = 1
        self.size = 4  # JAX321

def main():
    Config(3).grow()

# --- frozen: such a class may be the one of a method's object
@dataclasses.dataclass(frozen=True)
class Base:
    size: int

    def label(self, text):
        self.text = text

class Config(Base):
    pass

def main():
    Config(3).label("a")

# --- frozen: without such a class nothing can be set
@dataclasses.dataclass(frozen=True)
class Config:
    size: int

    def label(self, text):
        self.text = text  # JAX321

def main():
    Config(3).label("a")

# --- frozen: a class that sets attributes itself
@dataclasses.dataclass(frozen=True)
class Base:
    size: int

    def grow(self):
        self.size = 4

class Config(Base):
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)

def main():
    Config(3).grow()

# --- frozen: what a constructor sets past the lock, and in the class
@dataclasses.dataclass(frozen=True)
class Config:
    size: int
    made: ClassVar[int] = 0

    def __post_init__(self):
        object.__setattr__(self, "size", 2 * self.size)
        Config.made = Config.made + 1

def main():
    assert Config(2).size == 4

# --- frozen: what a field holds can change
@dataclasses.dataclass(frozen=True)
class Config:
    found: dict
    names: list

def main():
    config = Config({}, [])
    config.found["a"] = 1
    config.names.append("a")
    config.names += ["b"]  # JAX321

# --- frozen: a decorator of the project's own
def thawed(cls):
    def set_anyway(self, name, value):
        object.__setattr__(self, name, value)

    cls.__setattr__ = set_anyway
    return cls

@thawed
@dataclasses.dataclass(frozen=True)
class Config:
    size: int

def main():
    config = Config(3)
    config.size = 4

# --- frozen: whether it is is asked for elsewhere
FROZEN = False

@dataclasses.dataclass(frozen=FROZEN)
class Config:
    size: int

def main():
    config = Config(3)
    config.size = 4

# --- frozen: the error is expected
@dataclasses.dataclass(frozen=True)
class Config:
    size: int

def main():
    config = Config(3)
    try:
        config.size = 4
    except AttributeError:
        return True

# --- frozen: the parameter is another value by then
@struct.dataclass
class Config:
    size: int

@dataclasses.dataclass
class Draft:
    size: int

def grown(config: Config):
    config = Draft(config.size)
    config.size = 4

def main():
    grown(Config(3))

# --- frozen: an equinox module outside of its constructor
class Field(eqx.Module):
    calls: int = 0

class Counting(Field):
    def __call__(self, t, y):
        self.calls += 1  # JAX321
        return -y

def main():
    Counting()(0.0, jnp.ones(2))

# --- frozen: a layer of equinox
class Model(eqx.Module):
    layer: eqx.nn.Linear

    def __init__(self, key):
        self.layer = eqx.nn.Linear(2, 2, key=key)

def main():
    model = Model(jax.random.key(0))
    model.layer.weight = jnp.zeros((2, 2))  # JAX321

# --- frozen: an equinox module is checked when it has been made
class Model(eqx.Module):
    size: int

    def __check_init__(self):
        self.size = abs(self.size)  # JAX321

def main():
    Model(-1)

# --- frozen: what the constructor of an equinox module calls
class Model(eqx.Module):
    size: int
    names: tuple = ()

    def __init__(self, size):
        self.size = size
        self.fill()
        label(self)

    def fill(self):
        self.size = 2 * self.size

def label(model: Model):
    model.names = ("a",)

def main():
    Model(1)

# --- frozen: the fields of an equinox module may be those of a class that derives from it
class Base(eqx.Module):
    def __init__(self, size):
        self.size = size

class Model(Base):
    size: int

def main():
    Model(1)

# --- frozen: an equinox module has no such field
class Model(eqx.Module):
    size: int

    def __init__(self, size):
        self.size = size
        self.twice = 2 * size  # JAX321

def main():
    Model(1)

# --- frozen: after the constructor of a dataclass of equinox
class Model(eqx.Module):
    size: int
    twice: int = eqx.field(init=False)

    def __post_init__(self):
        self.twice = 2 * self.size

def main():
    Model(1)

# --- frozen: what `setup` of a flax module sets, and what it calls
class Model(nn.Module):
    size: int

    def setup(self):
        self.dense = nn.Dense(self.size)
        self.more()

    def more(self):
        self.head = nn.Dense(1)

    def __call__(self, x):
        return self.head(self.dense(x))

def main():
    Model(2).init(jax.random.key(0), jnp.ones(2))

# --- frozen: a field in `setup`
class Model(nn.Module):
    size: int

    def setup(self):
        self.size = 2 * self.size  # JAX321

    def __call__(self, x):
        return x

def main():
    Model(2).init(jax.random.key(0), jnp.ones(2))

# --- frozen: a flax module that is called
class Model(nn.Module):
    def setup(self):
        self.dense = nn.Dense(2)

    def __call__(self, x):
        self.last = self.dense(x)  # JAX321
        return self.last

def main():
    Model().init(jax.random.key(0), jnp.ones(2))

# --- frozen: a flax module that is bound to nothing
class Model(nn.Module):
    def use(self, size):
        self.size = size
        return self

def main():
    model = Model().use(3)
    model.other = 4

# --- frozen: before a flax module has been made
class Model(nn.Module):
    size: int

    def __post_init__(self):
        self.size = 2 * self.size
        super().__post_init__()

def main():
    assert Model(2).size == 4

# --- frozen: what the function asks for, it does with others
@struct.dataclass
class Config:
    size: int

@dataclasses.dataclass
class Draft:
    size: int

def resized(config: Config, size):
    if hasattr(config, "replace"):
        return config.replace(size=size)
    config.size = size
    return config

def main():
    assert resized(Config(3), 4).size == resized(Draft(3), 4).size

# --- frozen: what is done where something else has failed
@struct.dataclass
class Config:
    size: int

@dataclasses.dataclass
class Draft:
    size: int

def resized(config: Config, size):
    try:
        return config.replace(size=size)
    except AttributeError:
        config.size = size
    return config

def main():
    assert resized(Config(3), 4).size == resized(Draft(3), 4).size

# --- frozen: a method that a decorator hands a copy which can be changed
class Draft:
    def __init__(self, of):
        vars(self).update(vars(of))

def on_a_draft(method):
    def run(self, *args):
        draft = Draft(self)
        method(draft, *args)
        return type(self)(**vars(draft))

    return run

@struct.dataclass
class Config:
    size: int

    @on_a_draft
    def resize(self, size):
        self.size = size

def main():
    assert Config(3).resize(4).size == 4

# --- frozen: a property, and a method that is compiled
@struct.dataclass
class Config:
    size: jax.Array

    @property
    def twice(self):
        self.size = 2 * self.size  # JAX321
        return self.size

    @jax.jit
    def grown(self):
        self.size = 2 * self.size  # JAX321
        return self

def main(key, kind="twice"):
    return Config(jnp.ones(2)).twice if kind == "twice" else Config(jnp.ones(2)).grown()
