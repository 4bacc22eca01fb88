# Arguments of what is compiled: those that a partial may have bound, and those that each lane has its own of.

# --- arguments that a partial may have bound by names that nobody knows
# file: kernels.py
from functools import partial

import jax
import jax.numpy as jnp


def in_rows(x, rows):
    if x[0] > 0:  # JAX201 certain
        return x
    blocks = [x[start : start + rows] for start in range(0, x.shape[0], rows)]
    return jnp.concatenate(blocks)


def compiled(options):
    return jax.jit(partial(in_rows, **dict(options)))


def run(x, options):
    return compiled(options)(x)

# --- a callback of what comes of a lane and of an argument of what is compiled
# file: flight.py
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def drag(mach):
    return jax.pure_callback(np.sin, jax.ShapeDtypeStruct(mach.shape, mach.dtype), mach)  # JAX610 certain


@partial(jax.jit, static_argnames="steps")
def fly(angle, speed, steps=3):
    velocity = speed * jnp.cos(angle)
    for _ in range(steps):
        velocity = velocity - drag(velocity)
    return velocity


def main():
    return jax.vmap(fly, in_axes=(0, None))(jnp.ones(3), 2.0)
