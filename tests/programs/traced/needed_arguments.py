# Arguments that functions and classes of libraries have no default for.

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from flax import nnx
from flax.training.train_state import TrainState

KEY = jax.random.key(0)
X = jnp.ones((2, 3))

# --- a layer of equinox without a key
class Head(eqx.Module):
    layer: eqx.nn.Linear

    def __init__(self, width):
        self.layer = eqx.nn.Linear(width, 1)  # JAX715

def main():
    return Head(3)

# --- a network of equinox without a key, made for another function
def network(width, **options):
    return eqx.nn.MLP(width, 1, 8, 2, **options)

def main():
    network(3, key=KEY)
    return eqx.nn.Conv2d(1, 3, kernel_size=4)  # JAX715

# --- layers of equinox that need no key, or are given it in another way
from functools import partial

Linear = partial(eqx.nn.Linear, use_bias=False, key=KEY)

def made(layer, *sizes, **options):
    return layer(*sizes, **options)

def main():
    one, other = jax.random.split(jax.random.key(1))
    layers = made(eqx.nn.Linear, 3, 3, key=one), Linear(3, 3), eqx.nn.Dropout(0.5), eqx.nn.LayerNorm(3)
    several = eqx.filter_vmap(lambda key: eqx.nn.Linear(3, 1, key=key))(jax.random.split(other))
    return layers, eqx.nn.Embedding(weight=X), several

# --- a layer of nnx without streams of keys
class Block(nnx.Module):
    def __init__(self, width, rngs):
        self.first = nnx.Linear(width, width, rngs=rngs)
        self.norm = nnx.LayerNorm(width)  # JAX715

def main():
    return Block(3, nnx.Rngs(0))

# --- a layer of nnx that is given a key for them
def main():
    return nnx.Linear(3, 1, rngs=KEY)  # JAX715

# --- a layer of nnx that is given a number for them
def main():
    return nnx.Conv(3, 1, (2, 2), rngs=0)  # JAX715

# --- an optimiser of nnx that is not told what it updates
def main():
    model = nnx.Linear(3, 1, rngs=nnx.Rngs(0))
    return nnx.Optimizer(model, optax.adam(0.1))  # JAX715 likely

# --- an optimiser of nnx that is given gradients alone
def main():
    model = nnx.Linear(3, 1, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(0.1), wrt=nnx.Param)
    optimizer.update(nnx.grad(lambda model: model(X).sum())(model))  # JAX715 likely

# --- layers and optimisers of nnx that have what they need
class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = nnx.Optimizer(model, optax.adam(0.1), wrt=nnx.Param)

    def step(self, x):
        grads = nnx.grad(lambda model: model(x).sum())(self.model)
        self.optimizer.update(self.model, grads)

def main():
    rngs = nnx.Rngs(params=0, dropout=KEY)
    layers = nnx.Linear(3, 3, rngs=rngs), nnx.Dropout(0.1, rngs=rngs), nnx.Linear(3, 1, rngs=rngs)
    model = nnx.Sequential(*layers)
    Trainer(model).step(X)

# --- a state of flax without an optimiser
def main():
    return TrainState.create(apply_fn=jnp.sin, params={"w": X})  # JAX715

# --- a state of flax that is made of what a caller gives
def made(**parts):
    return TrainState.create(params={"w": X}, **parts)

def main():
    return made(apply_fn=jnp.sin, tx=optax.adam(0.1))

# --- a layer of equinox without a key: what comes behind it is not reached
@jax.jit
def made(x):
    layer = eqx.nn.Linear(3, 1)  # JAX715
    return layer(x[0]) if x.sum() > 0 else -x

@jax.jit
def applied(x, layer):
    return layer(x[0]) if x.sum() > 0 else -x  # JAX201

def main():
    applied(X, eqx.nn.Linear(3, 1, key=KEY)) if X.ndim == 3 else made(X)

# --- a cell of flax without the size of its carry
import flax.linen as nn

class Encoder(nn.Module):
    @nn.compact
    def __call__(self, x):
        cell = nn.LSTMCell(name="cell")  # JAX715
        carry = cell.initialize_carry(KEY, x.shape)
        return cell(carry, x)

def main():
    return jax.jit(Encoder().init)(KEY, X)

# --- with it
import flax.linen as nn

class Encoder(nn.Module):
    @nn.compact
    def __call__(self, x):
        cell = nn.LSTMCell(4, name="cell")
        carry = cell.initialize_carry(KEY, x.shape)
        return cell(carry, x)[1]

def main():
    return jax.jit(Encoder().init)(KEY, X)
