# Classes that the program's own decorators make dataclasses and register.

import dataclasses
from functools import partial

import jax
import jax.numpy as jnp

# --- a decorator that makes a dataclass, and registers it
def register(cls):
    """Registers it."""
    if not cls.__name__:
        raise ValueError("it has no name")
    cls = dataclasses.dataclass(frozen=True)(cls)
    return jax.tree_util.register_dataclass(cls)

@register
class State:
    total: jax.Array
    step: int
    name: str = dataclasses.field(metadata={"static": True})

@jax.jit
def run(state: State):
    if state.name == "first":
        return state.total
    if state.step > 0:  # JAX201
        return state.total
    return -state.total

def main():
    return run(State(jnp.ones(3), 1, "second"))

# --- a decorator in whose one line both are
def register(cls): return jax.tree_util.register_dataclass(dataclasses.dataclass(cls))

@register
class State:
    total: jax.Array
    step: int

@jax.jit
def run(state: State):
    while state.step > 0:  # JAX201
        state = State(state.total, state.step - 1)
    return state.total

def main():
    return run(State(jnp.ones(3), 1))

# --- a decorator that says which fields are leaves
def register(cls):
    names = [field.name for field in dataclasses.fields(dataclasses.dataclass(cls))]
    return jax.tree_util.register_dataclass(cls, names[:1], names[1:])

@register
class State:
    total: jax.Array
    step: int

@jax.jit
def run(state: State):
    if state.step > 0:
        return state.total
    return -state.total

def main():
    return run(State(jnp.ones(3), 1))

# --- a decorator that registers some classes
def register(cls):
    cls = dataclasses.dataclass(cls)
    if cls.__name__ == "State":
        return jax.tree_util.register_static(cls)
    jax.tree_util.register_dataclass(cls)
    return cls

@register
class State:
    step: int

    def __hash__(self):
        return self.step

@jax.jit
def run(x, state: State):
    if state.step > 0:
        return x
    return -x

def main():
    return run(1.0, State(1))

# --- a decorator that registers another class
class Other:
    pass

def register(cls):
    cls, made = Other, dataclasses.dataclass(cls)
    jax.tree_util.register_dataclass(dataclasses.dataclass(cls))
    return made

@register
class State:
    step: int

def run(state: State):
    if state.step > 0:
        return 1.0
    return 2.0

def main():
    return run(State(1)), jax.jit(lambda other: 3.0)(Other())
