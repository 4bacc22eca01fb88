# Modules whose calls flax lifts, and what their fields are then.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- module lifted twice
import flax.linen as nn

class Layer(nn.Module):
    size: int | None = None

    @nn.compact
    def __call__(self, x, train):
        if train:  # JAX201
            x = nn.Dense(self.size or 3)(x)
        return x

class Layers(nn.Module):
    @nn.compact
    def __call__(self, x):
        layer = nn.remat(Layer, static_argnums=(2,))
        return nn.jit(layer)(size=3)(x, True)

def main():
    return Layers().init_with_output(jax.random.key(0), jnp.ones((4, 3)))[0]

# --- argument that a lifted scan goes through
import flax.linen as nn

class Layer(nn.Module):
    @nn.compact
    def __call__(self, x, keep, train):
        if train:
            x = nn.Dense(3)(x)
        if keep.any():  # JAX201
            x = x + 1
        return x, None

class Layers(nn.Module):
    @nn.compact
    def __call__(self, x, keep):
        split = {"params": True}
        axes = (0, nn.broadcast)
        layers = nn.scan(Layer, variable_axes={"params": 0}, split_rngs=split, in_axes=axes, length=2)
        return layers()(x, keep, True)[0]

def main():
    return Layers().init_with_output(jax.random.key(0), jnp.ones((4, 3)), jnp.ones(2))[0]

# --- lifted module
import flax.linen as nn

class Layer(nn.Module):
    size: int

    @nn.compact
    def __call__(self, x):
        if x.sum() > 0:  # JAX201
            return x
        return nn.Dense(self.size)(x)

class Layers(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.vmap(Layer, variable_axes={"params": 0}, split_rngs={"params": True})(2)(x)

def main():
    return Layers().init_with_output(jax.random.key(0), jnp.ones((4, 3)))[0]

# --- fields of a module lifted twice
import flax.linen as nn

class Layer(nn.Module):
    size: int | None = None

    @nn.compact
    def __call__(self, x, train=True):
        size = self.size or 3
        if train:
            x = nn.Dense(x.shape[-1])(nn.Dense(size)(x))
        return x, None

class Other(Layer):
    deep: bool = False

class Layers(nn.Module):
    size: int
    scan: bool
    deep: bool

    @nn.compact
    def __call__(self, x):
        block = nn.remat(Layer, static_argnums=(2,))
        split = {"params": True}
        if self.scan:
            layers = nn.scan(block, variable_axes={"params": 0}, split_rngs=split, in_axes=nn.broadcast, length=2)
            return layers(size=self.size)(x, True)[0]
        x = partial(nn.jit(block, static_argnums=(2,)), size=self.size)()(x, False)[0]
        rows = nn.vmap(block, in_axes=(0, None), variable_axes={"params": 0}, split_rngs=split)
        x = nn.remat(Other if self.deep else Layer, static_argnums=(2,))(size=self.size)(x, True)[0]
        return rows(size=self.size)(x, True)[0]

def main():
    for scan in (True, False):
        Layers(4, scan, scan).init_with_output(jax.random.key(0), jnp.ones((4, 3)))

# --- fields of a lifted module
import flax.linen as nn

class Layer(nn.Module):
    size: int
    strict: bool = True

    def __post_init__(self):
        if self.strict and self.size > 3:
            raise ValueError
        super().__post_init__()

    @nn.compact
    def __call__(self, x):
        return nn.Dense(self.size)(x)

class Layers(nn.Module):
    strict: bool

    @nn.compact
    def __call__(self, x):
        many = nn.vmap(Layer, variable_axes={"params": 0}, split_rngs={"params": True})
        return many(2, strict=self.strict)(x)

def main():
    return Layers(True).init_with_output(jax.random.key(0), jnp.ones((4, 3)))[0]
