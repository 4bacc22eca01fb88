# Functions that nobody is seen to call: what their arguments are, by what is asked of them.

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from flax import struct

class Buffer(NamedTuple):
    obs: jax.Array
    kept: np.ndarray
    ptr: int

class Block(eqx.Module):
    scale: jax.Array

@struct.dataclass
class EnvState:
    pos: jax.Array
    steps: jax.Array

def call(name, *args):
    return globals()[name](*args)

BUFFER = Buffer(jnp.zeros(3), np.zeros(3), 0)

# --- a named tuple by its annotation
def put(buf: Buffer, obs):
    buf.obs[buf.ptr] = obs  # JAX301 possible
    return buf._replace(ptr=buf.ptr + 1)

def main():
    return call("put", BUFFER, 1.0)

# --- the one class that has all of these attributes
def put(buf, obs):
    buf.obs[buf.ptr] = obs  # JAX301 possible
    return buf._replace(ptr=buf.ptr + 1)

def main():
    return call("put", BUFFER, 1.0)

# --- a part that has a name of its own
def drop(buf):
    obs = buf.obs
    del obs[0]  # JAX301 possible
    return obs

def main():
    return call("drop", BUFFER)

# --- a module that is frozen
def rescale(block, by):
    block.scale = block.scale * by  # JAX321
    return block

def main():
    return call("rescale", Block(jnp.ones(2)), 2.0)

# --- a record that is frozen, and its arrays
def tick(state):
    state.pos[0] = state.steps  # JAX301 possible
    return state

def main():
    return call("tick", EnvState(jnp.zeros(2), jnp.zeros(())))

# --- what a field may hold beside arrays of JAX can be written to
def put(buf, obs):
    buf.kept[buf.ptr] = obs
    return buf._replace(ptr=buf.ptr + 1)

def main():
    return call("put", BUFFER, 1.0)

# --- another class has the attribute, too
class Host:
    def __init__(self):
        self.obs = np.zeros(3)

@jax.tree_util.register_pytree_node_class
class Frame:
    def __init__(self, obs):
        self.obs = obs

    def tree_flatten(self):
        return (self.obs,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)

def put(frame, obs):
    frame.obs[0] = obs
    return frame.obs

def main():
    return call("put", Host(), 1.0)

# --- somebody reads its name: who calls it may give anything
def rescale(block, by):
    block.scale = block.scale * by
    return block

class Plain:
    scale = 2.0

RESCALERS = [rescale]

def main():
    return RESCALERS[0](Plain(), 2.0).scale

# --- a function that a class has, and that only gets a name
class Blocks:
    @staticmethod
    def rescale(block, by):
        block.scale = block.scale * by  # JAX321
        return block

rescale = Blocks.rescale

def main():
    return call("rescale", Block(jnp.ones(2)), 2.0)

# --- a function that another one makes, and that only gets a name
def make_rescale():
    def rescale(block, by):
        block.scale = block.scale * by  # JAX321
        return block
    return rescale

rescale = make_rescale()

def main():
    return call("rescale", Block(jnp.ones(2)), 2.0)

# --- a function that a class or another function has, and that is read for more: it may be given anything
class Plain:
    def __init__(self):
        self.scale = 1.0

class Blocks:
    @staticmethod
    def rescale(block, by):
        block.scale = block.scale * by
        return block

def make_shift():
    def shift(block, by):
        block.scale = block.scale + by
        return block
    return shift

def make_swap():
    def swap(block, by):
        block.scale, by = by, block.scale
        return block
    return swap

rescale = Blocks.rescale
shift = make_shift()
swap = make_swap()
others = [make_shift(), Blocks.rescale]

def main():
    for one in (*others, swap):
        one(Plain(), 2.0)

# --- an attribute that arrays have as well says nothing
class Table(NamedTuple):
    shape: jax.Array

def put(x):
    x.shape[0] = 1
    return x

def main():
    return None

# --- jax traces what has the attributes, and asks it for a copy with another field
class State(NamedTuple):
    theta: jax.Array
    t: jax.Array

@jax.jit
def step(state, torque):
    if state.t >= 3:  # JAX201
        return state
    return state._replace(theta=state.theta + torque, t=state.t + 1)

def main():
    return call("step", State(jnp.zeros(()), jnp.zeros(())), 1.0)
