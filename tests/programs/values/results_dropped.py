# Functions that are run for what they return, and nobody keeps that.

import dataclasses

import jax
import jax.numpy as jnp
from jax import lax

# --- a tree that is mapped to another one
def soft_update(target, online, tau=0.1):
    jax.tree.map(lambda t, o: (1 - tau) * t + tau * o, target, online)  # JAX303
    return target

def halved(tree):
    def half(leaf):
        """Half of a leaf."""
        result = leaf / 2
        return result.astype(jnp.float32)

    jax.tree_util.tree_map(half, tree)  # JAX303
    return tree

def main():
    target = soft_update({"w": jnp.ones(2)}, {"w": jnp.zeros(2)})
    assert target["w"][0] == 1.0
    return halved(target)

# --- branches that compute, where each gives another array
def flip(accept, spins):
    lax.cond(accept, lambda s: s.at[0].multiply(-1), lambda s: s, spins)  # JAX303
    lax.switch(1, [lambda s: s * 2, lambda s: s.at[1].set(0.0)], spins)  # JAX303
    return spins

def main():
    assert flip(True, jnp.ones(2))[0] == 1.0

# --- a loop under a trace
@jax.jit
def total(x):
    result = jnp.zeros(())
    lax.fori_loop(0, 3, lambda i, carry: carry + x[i], result)  # JAX303
    lax.scan(lambda carry, row: (carry + row, None), result, x)  # JAX303
    return result

def main():
    assert total(jnp.ones(3)) == 0.0

# --- functions that are run for what they do, or for what JAX says of the trees, and a loop that is run to be timed
import numpy as np

SHAPES = []

def noted(leaf):
    SHAPES.append(leaf.shape)
    return leaf * 2

def checked(leaf):
    assert leaf.ndim == 1
    return leaf * 2

def main(tree={"w": jnp.ones(2)}):
    jax.tree.map(print, tree)
    jax.tree.map(noted, tree)
    jax.tree.map(checked, tree)
    jax.tree.map(lambda leaf: leaf.block_until_ready(), tree)
    jax.tree.map(lambda leaf: SHAPES.append(leaf.shape), tree)
    jax.tree.map(np.testing.assert_allclose, tree, tree)
    jax.tree.map(lambda a, b: None, tree, tree)
    jax.tree.map(lambda leaf: leaf.shape, tree)
    jax.tree.map(jnp.shape, tree)
    lax.cond(True, lambda: jax.debug.print("true"), lambda: None)
    lax.fori_loop(0, 3, lambda i, carry: carry + i, 0)
    return jax.tree.map(lambda leaf: leaf * 2, tree)

# --- a copy that a function makes instead of changing the array
def unit(matrix):
    jnp.fill_diagonal(matrix, 1.0, inplace=False)  # JAX303
    return jnp.fill_diagonal(matrix, 0.0, inplace=False)

def main():
    return unit(jnp.ones((2, 2)))

# --- a copy of a record
@dataclasses.dataclass
class Config:
    width: int = 2

def widened(config):
    dataclasses.replace(config, width=2 * config.width)  # JAX303
    return jnp.ones(config.width)

def main():
    assert widened(Config()).shape == (2,)

# --- an optimiser that its object keeps, made when the fields are set
import optax

@dataclasses.dataclass(eq=False)
class Trainer:
    rate: float = 0.1

    def __post_init__(self):
        self.optimiser = optax.adam(self.rate)

    def step(self, params, state):
        grads = jax.grad(jnp.sum)(params)
        self.optimiser.update(grads, state)  # JAX303
        return params, state

class Learner:
    def __init__(self, rate):
        self.optimiser = optax.sgd(rate)

    def step(self, params, state):
        self.optimiser.update(jax.grad(jnp.sum)(params), state)  # JAX303
        return params, state

def main():
    params = jnp.ones(2)
    for trainer in (Trainer(), Learner(0.1)):
        params, state = trainer.step(params, trainer.optimiser.init(params))

# --- an optimiser of the program's own that changes what it keeps
class Optimiser:
    def __init__(self, rate):
        self.rate, self.count = rate, 0

    def update(self, grads, state):
        self.count += 1

class Trainer:
    def __init__(self, rate):
        self.optimiser = Optimiser(rate)

    def step(self, grads, state):
        self.optimiser.update(grads, state)
        return state

def main():
    return Trainer(0.1).step(jnp.ones(2), None)

# --- what a lesson shows, in the body of a module
operand = jnp.array([0.0])
jax.lax.cond(True, lambda x: x + 1, lambda x: x - 1, operand)
jax.tree.map(lambda x: 2 * x, [operand, operand])

def main():
    jax.lax.cond(True, lambda x: x + 1, lambda x: x - 1, operand)  # JAX303
    return operand

# --- a conversion of what nobody knows to be an array
def whole(x):
    x.astype(jnp.int32)  # JAX303
    return x

def small(x):
    x = x.astype(jnp.int8)
    return [x.astype(jnp.int16) for _ in range(2)]

def main():
    return globals()["whole"](jnp.ones(2)), globals()["small"](jnp.ones(2))
