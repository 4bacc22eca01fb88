# Questions about types.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- array of the host among the parts
@jax.jit
def f(x):
    if isinstance(x[0], np.ndarray):
        return np.concatenate(x)
    return jnp.concatenate(x)

def main():
    return f([jnp.ones(2), jnp.ones(3)])

# --- array of jax among the parts
@jax.jit
def f(x):
    if isinstance(x[0], jax.Array):
        return np.concatenate(x)  # JAX213
    return jnp.concatenate(x)

def main():
    return f([jnp.ones(2), jnp.ones(3)])

# --- number among the parts
@jax.jit
def f(x):
    if isinstance(x["scale"], (int, float)):  # JAX206
        return x["scale"] if x["scale"] > 1 else 1.0
    return x["scale"] + 1 if x["scale"] > 1 else 1.0  # JAX201

def main():
    return f({"scale": 2.0})

# --- validation of numbers
import numbers

@jax.jit
def f(x, norm):
    if isinstance(norm, numbers.Real) and norm < 0:
        raise ValueError("negative")
    if not isinstance(x, np.ndarray):
        x = jnp.asarray(x, float)
    size = norm if isinstance(norm, float) else jnp.abs(norm)
    return x / size

def main():
    return f(jnp.ones(2), 2.0)

# --- assertion that no tracer meets
@jax.jit
def f(x):
    assert isinstance(x, float)  # JAX206
    return x

def main():
    try:
        f(1.0)
    except AssertionError:
        return
    raise RuntimeError("no tracer is a float")

# --- error for what is no number
@jax.jit
def f(x):
    if isinstance(x, (int, float)):  # JAX206
        x = 2 * x
    else:
        raise TypeError(x)
    return x

def main():
    try:
        f(1.0)
    except TypeError:
        return
    raise RuntimeError("no tracer is a number")

# --- at least so many dimensions
def f(rows, others):
    rows = jnp.atleast_2d(rows)
    rows_and_others = jnp.atleast_1d(rows, jnp.asarray(others))

    def body(i, total):
        return total + rows[i] + rows_and_others[i]  # JAX214
    return jax.lax.fori_loop(0, 2, body, jnp.zeros(2))

def main():
    return f(jnp.ones((2, 2)), 1.0)

# --- at least two dimensions
def f(rows=()):
    rows = jnp.atleast_2d(jnp.asarray(rows))
    return jax.lax.fori_loop(0, 2, lambda i, total: total + rows[i], jnp.zeros(2))

def main():
    return f([[1.0, 2.0], [3.0, 4.0]])

# --- argument that is not sharded
MESH = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
SPEC = jax.sharding.PartitionSpec("i")

def kernel(x, times):
    return x * 2 if times > 1 else x

def main():
    return jax.shard_map(kernel, mesh=MESH, in_specs=(SPEC, None), out_specs=SPEC)(jnp.ones(2), 3)

# --- argument of jit that is not sharded
MESH = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
SPEC = jax.sharding.PartitionSpec("i")

def kernel(x, times):
    return x * 2 if times > 1 else x  # JAX201

@jax.jit
def step(x, times):
    return jax.shard_map(kernel, mesh=MESH, in_specs=(SPEC, None), out_specs=SPEC)(x, times)

def main():
    return step(jnp.ones(2), 3)

# --- classes that no argument is of
from dataclasses import dataclass

class Bin:
    def __init__(self, edges):
        self.edges = edges

class Wide(Bin):
    pass

@dataclass
class Other:
    edges: object

def widths(x, bins, edges, others=None):
    is_wide = isinstance(bins, Wide)
    if is_wide or isinstance(others, Other):
        return jnp.unique(x)
    if isinstance(x, Bin) or isinstance(edges, (Other, Wide)):
        return np.asarray(x)
    if isinstance(bins, (Other, Bin)):
        return x if x[0] > 0 else bins.edges  # JAX201
    return jnp.unique(x)

edges = jnp.ones(2)

def main():
    return jax.jit(lambda x: widths(x + 1, Bin(edges), edges))(jnp.ones(2))

# --- class that an argument may be of
from typing import Protocol, runtime_checkable

@runtime_checkable
class Shaped(Protocol):
    shape: tuple

@jax.jit
def f(x):
    x = x + 1
    if isinstance(x, Shaped):
        return np.asarray(x)  # JAX213
    return x

def main():
    return f(jnp.ones(2))

# --- object of a class that is declared
class Bin:
    edges = 1.0

class Wide(Bin):
    pass

def widths(x, bins: Bin):
    return jnp.unique(x) if isinstance(bins, Wide) else x  # JAX222

def main():
    return jax.jit(lambda x: widths(x, Wide()))(jnp.ones(2))

# --- array that another library has no class for
from fractions import Fraction

def registered(cls):
    return jax.tree_util.register_pytree_node_class(cls)

class Matrix:
    def tree_flatten(self):
        return (), self

    @classmethod
    def tree_unflatten(cls, matrix, children):
        return matrix

Matrix = registered(Matrix)

class Rotation:
    def __init__(self, covariance):
        self.covariance = jnp.array(covariance)

    def rotate(self, mixed, covariance=None):
        if covariance is None:
            covariance = self.covariance
        rotated = np.eye(2)
        if isinstance(covariance, Fraction):
            rotated[0] = mixed
        if isinstance(covariance, (Matrix, Fraction)):
            rotated[1] = mixed
        if covariance.shape:
            rotated[1] = mixed  # JAX110
        return rotated

def main():
    rotation = Rotation(np.ones((2, 2)))
    return jax.jit(lambda x: rotation.rotate(x))(jnp.ones(2))

# --- what type checkers are told is not what is run
from typing import TYPE_CHECKING
import chex

if TYPE_CHECKING:
    from dataclasses import dataclass
    def rounded(x): return x
else:
    from chex import dataclass
    def rounded(x): return round(float(x))  # JAX211

@dataclass
class State:
    x: chex.Array

@jax.jit
def step(state):
    return rounded(state.x)

def main():
    return step(State(x=jnp.ones(())))

# --- nor is it where that is asked the other way round
import typing

if not typing.TYPE_CHECKING:
    def rounded(x): return round(float(x))  # JAX211
else:
    def rounded(x): return x

@jax.jit
def step(x):
    return rounded(x)

def main():
    return step(jnp.ones(()))

# --- below a decorator that nobody knows an array may have another shape than the caller's
over_agents = vars(jax)["vmap"]

@over_agents
def turned(heading, action):
    return heading + action[0] * action[1]

def turned_at_once(heading, action):
    return heading + action[0] * action[1]  # JAX307

def main():
    turned(jnp.zeros(1), jnp.ones((1, 2)))
    return turned_at_once(jnp.zeros(1), jnp.ones((1, 2)))

# --- a number that Python makes of whole and other ones
def loss(z, scale=2 * 5e9):
    return jnp.abs(z) ** 2 / scale

def main():
    return jax.grad(loss)(1 + 2j), jax.grad(loss)(3 + 7e9), jax.grad(loss)(2**-1), jax.grad(loss)((-8) ** 0.5)

# --- the member of an enumeration that is found by its value
from enum import IntEnum

class Driven(IntEnum):
    BOTH = 0
    LOWER = 1

class Pendulum:
    def __init__(self, driven=Driven.BOTH):
        self.driven = Driven(int(driven))

    def torque(self, action):
        action = jnp.atleast_1d(action)
        if self.driven == Driven.BOTH:
            return jnp.array([action[0], action[1]])
        return jnp.array([0.0, action[0]])

def main():
    return Pendulum(Driven.LOWER).torque(jnp.array([1.0])), Pendulum().torque(jnp.ones(2))

# --- another member of an enumeration
from enum import IntEnum

class Driven(IntEnum):
    BOTH = 0
    LOWER = 1

class Pendulum:
    def __init__(self, driven=Driven.BOTH):
        self.driven = Driven(int(driven))

    def torque(self, action):
        if self.driven == Driven.BOTH:
            return jnp.array([action[0], action[1]])  # JAX307
        return jnp.array([0.0, action[0]])

def main():
    return Pendulum().torque(jnp.array([1.0]))

# --- specs of shard_map for as many arguments as are passed, some of which may be left out
MESH = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
SPEC = jax.sharding.PartitionSpec("i")

def whiten(x, w=2.0, *more):
    return x * w

def scaled(w, x):
    return x * w

def main():
    from functools import partial

    one = jax.shard_map(whiten, mesh=MESH, in_specs=(SPEC,), out_specs=SPEC)
    three = jax.shard_map(whiten, mesh=MESH, in_specs=(SPEC, SPEC, SPEC), out_specs=SPEC)
    bound = jax.shard_map(partial(scaled, 2.0), mesh=MESH, in_specs=(SPEC,), out_specs=SPEC)
    alike = jax.shard_map(scaled, mesh=MESH, in_specs=SPEC, out_specs=SPEC)
    return one, three, bound, alike

# --- scalars of NumPy are asked for, which no array of jax is
def as_number(value):
    if isinstance(value, (np.generic, jnp.generic, np.float32)):
        return value.item()
    return value

def as_array(value):
    return value.item() if isinstance(value, jnp.ndarray) else value  # JAX316

def main():
    as_number(jnp.ones((3, 2)))
    as_array(jnp.ones((3, 2)))

# --- a union of types, of which an array is none
class Rate:
    def __init__(self, value):
        if isinstance(value, int | float) and value <= 0:
            raise ValueError(value)
        self.value = value

def main():
    return Rate(jnp.ones(2)), Rate(1.0)

# --- a union of types, of which an array is one
class Rate:
    def __init__(self, value):
        if isinstance(value, jax.Array | float) and value > 0:  # JAX316
            value = 2 * value
        self.value = value

def main():
    return Rate(1.0), Rate(jnp.ones(2))
