# Calls of one function that differ in little: what it looks at tells them apart, and nothing else does.

from typing import NamedTuple

import jax
import jax.numpy as jnp

# --- a field of a NamedTuple that is a number in one call and traced in another
class Config(NamedTuple):
    steps: int
    scale: float

def scaled(config, x):
    if config.scale > 1:  # JAX201
        x = x * config.scale
    return x

@jax.jit
def fixed(x):
    return scaled(Config(3, 2.0), x)

@jax.jit
def learned(x, scale):
    return scaled(Config(3, scale), x)

def main():
    return fixed(jnp.ones(3)), learned(jnp.ones(3), jnp.float32(2.0))

# --- one that nobody looks at
class Config(NamedTuple):
    steps: int
    scale: float

def repeated(config, x):
    if config.steps > 1:
        x = x * config.steps
    return x

@jax.jit
def learned(x, scale):
    return repeated(Config(3, scale), x)

def main():
    return repeated(Config(2, 1.0), jnp.ones(3)), learned(jnp.ones(3), jnp.float32(2.0))

# --- a field of a field, by way of two functions
class Inner(NamedTuple):
    size: int
    weight: float

class Outer(NamedTuple):
    name: str
    inner: Inner

def weighed(outer, x):
    return x if outer.inner.weight == 0 else x * outer.inner.weight  # JAX201

def passed_on(outer, x):
    return weighed(outer, x)

@jax.jit
def learned(x, weight):
    return passed_on(Outer("b", Inner(2, weight)), x)

def main():
    return passed_on(Outer("a", Inner(2, 1.0)), jnp.ones(3)), learned(jnp.ones(3), jnp.float32(1.0))

# --- what a function gives back of what it was given
class Config(NamedTuple):
    steps: int
    scale: float

def with_more_steps(config):
    return config._replace(steps=config.steps + 1)

def as_it_is(config):
    return config

@jax.jit
def learned(x, scale):
    config = as_it_is(with_more_steps(Config(3, scale)))
    if config.steps == 4:
        x = x + 1
    return x if config.scale > 0 else -x  # JAX201

def main():
    return learned(jnp.ones(3), jnp.float32(2.0))

# --- a closure that is compiled, and reads one field
class Config(NamedTuple):
    steps: int
    scale: float

def run(config, x):
    @jax.jit
    def inside(x):
        return x if config.scale > 0 else -x  # JAX201
    return inside(x)

@jax.jit
def learned(x, scale):
    return run(Config(3, scale), x)

def main():
    return run(Config(2, 1.0), jnp.ones(3)), learned(jnp.ones(3), jnp.float32(2.0))

# --- what the caller has found out of an object decides in the helper
def shape_of(settings, x):
    if settings.get("traced"):
        return x if x.sum() > 0 else -x  # JAX201
    return x

@jax.jit
def one(x, settings=None):
    settings = dict(settings or {})
    if not settings.get("traced"):
        return shape_of(settings, x)
    return x

def two(x):
    return shape_of({"traced": True}, x)

def main():
    return one(jnp.ones(3)), jax.jit(two)(jnp.ones(3))
