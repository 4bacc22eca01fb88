# With what a traced function is entered: what each caller passes, and what callers nobody knows may pass.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- an optional array that nobody passes
@jax.jit
def f(x, mask=None):
    if mask is not None:
        if mask.any():  # JAX201
            x = x * mask
    return x

def main():
    return f(jnp.ones(3), jnp.ones(3))

# --- an optional array that is left out
@jax.jit
def f(x, mask=None):
    if mask is None:
        print(x)  # JAX101
    return x

def main():
    return f(1.0)

# --- the truth of an optional array, as it is declared
from typing import Optional, Union
import numpy.typing as npt
from jax.typing import ArrayLike as Numbers

Vector = jax.Array

@jax.jit
def f(x, mask: Optional[Vector] = None):
    if mask:  # JAX201
        x = x * mask
    return x

@jax.jit
def g(x, mask: "Union[npt.NDArray[np.float32], Numbers, None]" = None):
    if mask:  # JAX201
        x = x * 2
    return x

def main():
    return f(jnp.ones(3), jnp.ones(3))

# --- the truth of an optional argument with the word in its type
from typing import Any, NamedTuple

ArrayTree = Any

class ArrayConfig(NamedTuple):
    scale: Any

@jax.jit
def f(x, cache: ArrayTree = None, config: ArrayConfig | None = None, extra: "dict[str, jax.Array] | None" = None):
    if cache:
        x = x * 2
    if extra:
        x = x * 3
    return x * config.scale if config else x

def main():
    return f(jnp.ones(3), {"w": jnp.ones(3)}, ArrayConfig(1.0)), f(jnp.ones(3))

# --- an optional array of a function that a factory returns
def make(scale):
    @jax.jit
    def f(x, mask=None):
        if mask is not None and mask.any():  # JAX201
            x = x * mask
        return scale * x

    return f

def main():
    return make(2.0)(jnp.ones(3), jnp.ones(3))

# --- an optional array of a function that nobody gets
def main():
    @jax.jit
    def f(x, mask=None):
        if mask is not None and mask.any():
            x = x * mask
        return x

    return f(jnp.ones(3))

# --- an optional array of a function that an object holds
class Model:
    def __init__(self):
        self.step = jax.jit(self._step)

    def _step(self, x, mask=None):
        if mask is not None and mask.any():  # JAX201
            x = x * mask
        return x

def main():
    return Model().step(jnp.ones(3), jnp.ones(3))

# --- an optional array of a lane
@jax.vmap
def f(x, scale=None):
    if scale is not None:
        if scale > 0:  # JAX201
            return x
    return x

def main():
    return f(jnp.ones(3), jnp.ones(3))

# --- an optional argument without an axis
@partial(jax.vmap, in_axes=(0,))
def f(x, scale=None):
    if scale is not None:
        if scale > 0:
            return x
    return x

def main():
    return f(jnp.ones(3))

# --- a static flag is on or off
@partial(jax.jit, static_argnames="noisy")
def f(x, noisy=False):
    if noisy:
        print(x)  # JAX101
    return x

def main():
    return f(1.0)

# --- a static flag of a method
class Model:
    @partial(jax.jit, static_argnums=0, static_argnames="train")
    def step(self, x, *, train=True):
        if not train:
            print(x)  # JAX101
        return x

def main():
    return Model().step(1.0)

# --- a static mode has any name
@partial(jax.jit, static_argnums=1)
def f(x, mode="sum"):
    if mode == "sum":
        return x.sum()
    if mode == "first" and x[0] > 0:  # JAX201
        return x[0]
    return x

def main():
    return f(jnp.ones(3), "first")

# --- defaults that no array replaces
from typing import Callable, Optional

@jax.jit
def f(x, n=3, mode="sum", by: Optional[Callable] = None, name: Optional[str] = None, shape=()):
    if mode == "sum" and name != "none" and not shape:
        x = x + 1
    for _ in range(n):
        x = x + 1 if by is None else by(x)
    return x

def main():
    return f(1.0)

# --- a default that only the one caller leaves out
@jax.jit
def f(x, log=True):
    if log:
        print(x)  # JAX101
    return x

def main():
    return f(1.0)

# --- settings of two transforms at one place, the harmless first
def step(x, n):
    if n > 0:  # JAX201
        return x
    return -x

def make(static):
    return jax.jit(step, static_argnums=static)

a = make(1)
b = make(())

def main():
    return a(1.0, 1) + b(1.0, 1)

# --- settings of two transforms at one place, the harmless last
def step(x, n):
    if n > 0:  # JAX201
        return x
    return -x

def make(static):
    return jax.jit(step, static_argnums=static)

b = make(())
a = make(1)

def main():
    return a(1.0, 1) + b(1.0, 1)

# --- a function that is jitted under a name that nobody reads, beside plain calls of it
def powers(x, n):
    total = x
    for k in range(n):
        total = total + x**k
    return total

def main():
    fast = jax.jit(powers)
    return powers(2.0, 3)

# --- a function that another one has is jitted there under a name that nobody reads
def made():
    def powers(x, n):
        total = x
        for k in range(n):
            total = total + x**k
        return total

    fast = jax.jit(powers)
    return powers(2.0, 3)

def compiled():
    def powers(x, n):
        total = x
        for k in range(n):  # JAX204
            total = total + x**k
        return total

    fast = jax.jit(powers)
    return fast(2.0, 3)

def main():
    made()
    return compiled()

# --- a function that is jitted under a name and handed on
def powers(x, n):
    total = x
    for k in range(n):  # JAX204
        total = total + x**k
    return total

def apply(function, *args):
    return function(*args)

def main():
    fast = jax.jit(powers)
    return apply(fast, 2.0, 3)

# --- a function that is jitted under a name of a module
def powers(x, n):
    total = x
    for k in range(n):  # JAX204
        total = total + x**k
    return total

fast = jax.jit(powers)

def main():
    return fast(2.0, 3)

# --- what a compiled method leaves to the classes derived from its own
from abc import ABC, abstractmethod

class World(ABC):
    def __init__(self, size):
        self.size = size

    @abstractmethod
    def move(self, state, action): ...

    def reward(self, state):
        return -jnp.abs(state)

    @partial(jax.jit, static_argnums=0)
    def step(self, state, action):
        state = self.move(state, action)
        return state, self.reward(state)

class Walled(World):
    def move(self, state, action):
        if state + action > self.size:  # JAX201
            return state
        return state + action

class Round(World):
    def move(self, state, action):
        return (state + action) % self.size if self.size > 1 else state

class Timed(Round):
    def step(self, state, action):
        if state > self.size:
            return state, 0.0
        return super().step(state, action)

def main():
    Timed(3).step(1, 2)
    Round(3).step(jnp.int32(1), 2)
    return Walled(3).step(jnp.int32(1), 2)

# --- a base's loop scans what classes derived from it have as their step
class Trainer:
    steps = 3

    def run(self, state):
        def body(state, _):
            return self.step(state), None

        return jax.lax.scan(body, state, None, self.steps)[0]

    def report(self, state):
        return self.score(state)

class Keeping(Trainer):
    def step(self, state):
        self.last = state  # JAX107
        return state + 1.0

    def score(self, state):
        return 1 if state > 0 else 0

class Stopping(Trainer):
    def step(self, state):
        return state if state > 2 else state + 1.0  # JAX201

def main():
    keeping = Keeping()
    assert keeping.run(jnp.float32(0.0)) == 3.0
    assert keeping.report(jnp.float32(1.0)) == 1
    return Stopping().run(jnp.float32(0.0))

# --- the same in a library, where nobody makes an object of them
class Trainer:
    def run(self, state):
        return jax.lax.fori_loop(0, 3, lambda number, state: self.step(state), state)

class Stopping(Trainer):
    def step(self, state):
        return state if state > 2 else state + 1.0  # JAX201

class Going(Trainer):
    def step(self, state):
        return state + 1.0

def main(made=Going):
    made().run(jnp.float32(0.0))
    return globals()["Stopping"]().run(jnp.float32(0.0))
