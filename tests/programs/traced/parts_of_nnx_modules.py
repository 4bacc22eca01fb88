# Lists, dicts and tuples in attributes of modules of flax nnx.

import jax
import jax.numpy as jnp
from flax import nnx

# --- dict of parameters
class Heads(nnx.Module):
    def __init__(self):
        self.weights = {"mean": nnx.Param(jnp.ones(2)), "scale": nnx.Param(jnp.ones(2))}  # JAX715

def main():
    Heads()

# --- list of modules of the program
class Layer(nnx.Module):
    def __init__(self, *, rngs):
        self.linear = nnx.Linear(2, 2, rngs=rngs)

class Stack(nnx.Module):
    def __init__(self, depth, *, rngs):
        layers = [Layer(rngs=rngs) for _ in range(depth)]
        self.layers = layers  # JAX715

def main():
    Stack(2, rngs=nnx.Rngs(0))

# --- numbers and functions in a list, and what flax has for the rest
class Stack(nnx.Module):
    named: nnx.Data[list]

    def __init__(self, *, rngs):
        self.sizes, self.acts = [2, 2], (jax.nn.relu, "relu")
        self.named = [nnx.Linear(2, 2, rngs=rngs)]
        self.layers = nnx.List([nnx.Linear(2, 2, rngs=rngs)])
        self.others = nnx.data([nnx.Linear(2, 2, rngs=rngs)])
        self.both = nnx.Sequential(*[nnx.Linear(2, 2, rngs=rngs) for _ in self.sizes])

class Loose(nnx.Module, pytree=False):
    def __init__(self, *, rngs):
        self.layers = [nnx.Linear(2, 2, rngs=rngs)]

def main():
    Stack(rngs=nnx.Rngs(0)), Loose(rngs=nnx.Rngs(0))

# --- a record that nnx's transforms take apart is another one inside
import chex

@chex.dataclass
class Run:
    steps: jax.Array
    returns: jax.Array

def train(run: Run, rewards):
    def episode(run: Run, reward):
        run.returns = run.returns + reward
        run.steps += 1
        return run, run.returns

    return nnx.scan(episode)(run, rewards)

@nnx.jit
def asked(run: Run):
    if run.steps > 3:  # JAX201
        return run.returns
    return run.steps

def main():
    run, _ = train(Run(steps=jnp.int32(0), returns=jnp.float32(0.0)), jnp.ones(4))
    assert run.steps == 4
    return asked(run)

# --- what a module keeps beside its arrays comes out of a map, and goes into a loop, as it is
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from flax import nnx

@dataclass
class Config:
    size: int = 4
    heads: int = 2
    groups: int = 2

class Block(nnx.Module):
    def __init__(self, config, *, rngs):
        self.linear = nnx.Linear(config.size, config.size, rngs=rngs)
        self.config = config
        self.scale = 2

    def __call__(self, x):
        assert self.config.heads == self.config.groups, "of one size"
        return self.linear(x) if self.scale == 2 else x

class Model(nnx.Module):
    def __init__(self, config, *, rngs):
        def block(config, rngs):
            return Block(config, rngs=rngs)

        self.blocks = nnx.vmap(block, in_axes=(None, None), axis_size=3)(config, rngs)

    def __call__(self, x):
        return nnx.scan(lambda x, block: block(x), in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)(x, self.blocks)

@nnx.jit
def gated(block, x):
    if x.sum() > block.scale:  # JAX201
        return block(x)
    return x

def main():
    x = Model(Config(), rngs=nnx.Rngs(0))(jnp.ones((2, 4)))
    return gated(Block(Config(), rngs=nnx.Rngs(0)), x)
