# Prints, logs and messages under a trace and around it.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- print
@jax.jit
def f(x):
    y = x * 2
    print("y", y)  # JAX101
    return y

def main():
    return f(1.0)

# --- print of a list of what may be a dict
import logging

@jax.jit
def step(params):
    print(list(params))
    logging.info(list(params))
    for name in params:
        print(name)
    return params

def main():
    return step({"w": jnp.ones(3), "b": jnp.ones(2)})

# --- print of a list of an array
@jax.jit
def step(x):
    y = x * 2
    print(list(y))  # JAX101
    return y

def main():
    return step(jnp.ones(3))

# --- print in scan helper
def report(value):
    print(value)  # JAX101

def body(carry, x):
    report(carry)
    return carry + x, None

def main():
    return jax.lax.scan(body, 0.0, jnp.ones(3))

# --- log
import logging

logger = logging.getLogger("train")

@jax.jit
def f(x):
    loss = x * x
    logger.warning("loss %s", loss)  # JAX102
    return loss

def main():
    return f(1.0)

# --- print in a window that is full
@jax.jit
def f(xs):
    older = old = None
    for i in range(6):
        if older is not None:
            print("three of them:", older)  # JAX101
        older, old = old, xs[i]
    return old

def main():
    return f(jnp.arange(6.0))

# --- print in a function that is made and run
def make(scale):
    def inner(x, verbose):
        y = x * scale
        if verbose:
            print("inner", y)  # JAX101
        return y

    return inner

@jax.jit
def f(x):
    return make(2.0)(x, True)

def main():
    return f(1.0)

# --- text in a buffer
import io

LOG = io.StringIO()

@jax.jit
def f(x):
    LOG.write(f"{x}")  # JAX102
    return x * 2

def main():
    return f(1.0), LOG.getvalue()

# --- debug print f string
@jax.jit
def f(x):
    jax.debug.print(f"x = {x}")  # JAX111
    return x

def main():
    return f(1.0)

# --- print behind a name that is set by then
@jax.jit
def f(x):
    a = b = c = None
    for _ in range(10):
        a, b, c = b, c, x
    if a is None:
        print("never", x)
    return x

def main():
    return f(1.0)

# --- print behind a longer window
@jax.jit
def f(x):
    a = b = c = d = e = g = h = i = j = k = None
    for _ in range(12):
        a, b, c, d, e, g, h, i, j, k = b, c, d, e, g, h, i, j, k, x
    if a is None:
        print("never", k)
    return x

def main():
    return f(1.0)

# --- quiet function of a maker
def setup():
    def minimize(x, verbose):
        y = jnp.sin(x)
        if verbose:
            print("done", y)
        return y

    return minimize

@jax.jit
def f(x):
    return setup()(x, False)

def main():
    return f(1.0)

# --- function for another case
def run(x, debug=False):
    def report(value):
        print("value", value)

    y = x * 2
    if debug:
        report(y)
    return y

@jax.jit
def f(x):
    return run(x)

def main():
    return f(1.0)

# --- print of what jax computes of attributes
from flax import struct

@struct.dataclass
class World:
    mask: jax.Array
    height: jax.Array

@jax.jit
def step(world):
    mixed = jnp.where(world.mask, world.height, 0.0)
    print(mixed)  # JAX101
    up = jax.nn.relu(world.height)
    print("up", up)  # JAX101
    return up

def outer(world, ops):
    def body(carry, op):
        new = carry.height.at[0].set(1 - carry.height[0])
        print("new", new)  # JAX101
        return carry.replace(height=new), None

    return jax.lax.scan(body, world, ops)[0]

def main():
    world = World(jnp.ones(2, bool), jnp.ones(2))
    return step(world), outer(world, jnp.ones(3))

# --- print of attributes that may be static
from flax import struct

@struct.dataclass
class World:
    height: jax.Array
    size: int = struct.field(pytree_node=False)
    name: str = struct.field(pytree_node=False)

@jax.jit
def step(world):
    print(world.name, world.size, jnp.shape(world.height), jnp.ndim(world.height))
    print(world.size * 2, world.name + "!", jnp.reshape(world.size, ()).dtype)
    if world.size > 2:
        return jnp.full((world.size,), world.height[0])
    return world.height

def main():
    return step(World(jnp.ones(2), 3, "flat"))

# --- trace time messages
import logging

@jax.jit
def f(x):
    print("compiling for", x.shape, x.dtype)
    logging.info("compiling f for %s", x.shape)
    return x * 2

def main():
    return f(1.0)

# --- print around the call
import time

@jax.jit
def f(x):
    return x * 2

def main():
    start = time.perf_counter()
    y = f(1.0)
    print("y", y, time.perf_counter() - start)  # JAX509
    return y

# --- print under plain grad
def loss(w):
    print("w", w)
    return w * w

def main():
    return jax.grad(loss)(1.0)

# --- debug print
@jax.jit
def f(x):
    jax.debug.print("x = {x} {}", x.shape[0], x=x)
    jax.debug.print(f"{x.shape}: {{}}", x)
    return x

def main():
    return f(jnp.ones(2))

# --- a text that never changes, in a branch and in the body of a loop
@jax.jit
def gate(x):
    def hot(x):
        print("hot")  # JAX101
        return x * 0.5

    return jax.lax.cond(x > 1.0, hot, lambda x: x, x)

def count(n):
    def body(i, total):
        print("one more")  # JAX101
        return total + i

    return jax.lax.fori_loop(0, n, body, 0)

def main():
    return gate(0.5), count(3)

# --- a text that never changes where a whole function is compiled, and in a callback of a branch
@jax.jit
def step(x):
    print("compiling")
    return jax.lax.cond(x > 1.0, lambda x: x, cold, x)

def cold(x):
    jax.debug.print("cold")
    jax.debug.callback(lambda: print("cold"))
    return x

def main():
    return step(0.5)

# --- a handler for what is no array, and one for what an array lacks
def cast(x):
    try:
        if not jnp.issubdtype(x.dtype, jnp.floating):
            print(f"cast of {x.dtype}")
        return x.astype(jnp.float32)
    except AttributeError:
        print(f"not cast: {x}")
        return x

def scaled(x):
    try:
        return x.scaled(2.0)
    except AttributeError:
        print(f"no way to scale {x}")  # JAX101
        return x * 2

@jax.jit
def f(x):
    return cast(x), scaled(x)

def main():
    cast(object())
    return f(jnp.ones(3))
