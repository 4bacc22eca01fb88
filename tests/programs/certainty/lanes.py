# How sure it is that all lanes of a map draw from one key: JAX405 is told on request, unless all lanes are the same.

import jax
import jax.numpy as jnp

# --- a module is given one key for all lanes
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dropout(0.5, deterministic=False)(nn.Dense(3)(x))

class Plain(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(3)(x)

def shared(params, xs, key):
    model = Net()
    return jax.vmap(lambda x: model.apply(params, x, rngs={"dropout": key}))(xs)  # JAX405 possible

def of_each(params, xs, key):
    model = Net()
    keys = jax.random.split(key, len(xs))
    return jax.vmap(lambda x, key: model.apply(params, x, rngs={"dropout": key}))(xs, keys)

def of_nobody(params, xs, key):
    model = Plain()
    return jax.vmap(lambda x: model.apply(params, x, rngs={"dropout": key}))(xs)

def main(key):
    xs, first, second, third = jnp.ones((4, 2)), *jax.random.split(key, 3)
    params = Net().init({"params": first, "dropout": second}, xs[0])
    return shared(params, xs, third)

# --- lanes that are all the same
def member(key, width):
    return jax.random.normal(key, (width,))  # JAX405 likely

def ensemble(key, members):
    return jax.vmap(lambda _: member(key, 3))(jnp.arange(members))

def told_apart(key, members):
    return jax.vmap(lambda i: member(jax.random.fold_in(key, i), 3))(jnp.arange(members))

def told_apart_by_axis(key, members):
    def of_lane(_):
        return jax.random.normal(jax.random.fold_in(key, jax.lax.axis_index("lanes")))

    return jax.vmap(of_lane, axis_name="lanes")(jnp.arange(members))

def with_noise(key, xs):
    return jax.vmap(lambda x: x + jax.random.normal(key))(xs)  # JAX405 possible

# --- the key of a declared record, which is mapped with the record
import jax
from flax import struct

class State(struct.PyTreeNode):
    key: jax.Array

    def size(self):
        return 3

class Timestep(struct.PyTreeNode):
    t: jax.Array
    state: State

def step(timestep: Timestep):
    return jax.random.normal(timestep.state.key)

def run(timestep: Timestep):
    return jax.vmap(step)(timestep)

# --- a collection whose key the steps of a lifted scan share, and a mask that they share
import flax.linen as nn

class Noisy(nn.Module):
    @nn.compact
    def __call__(self, carry, x):
        return carry, x + jax.random.normal(self.make_rng("noise"), x.shape)

class Masked(nn.Module):
    @nn.compact
    def __call__(self, carry, x):
        return carry, x * jax.random.bernoulli(self.make_rng("dropout"), 0.5, x.shape)

class Net(nn.Module):
    @nn.compact
    def __call__(self, xs):
        split = {"noise": False, "dropout": False}
        noisy = nn.scan(Noisy, split_rngs=split)  # JAX413 likely
        masked = nn.scan(Masked, split_rngs=split)  # JAX413 possible
        quiet = nn.scan(Noisy, split_rngs={**split, "noise": True})
        return [lifted()(jnp.zeros(()), xs)[1] for lifted in (noisy, masked, quiet)]

def main(key):
    return Net().apply({}, jnp.ones((4, 2)), rngs={"noise": key, "dropout": key})

# --- a lane of an array of keys that were folded one by one
def main(key, n=len(jax.devices()) + 1):
    keys = jnp.stack([jax.random.fold_in(key, i) for i in range(n)])
    return jax.vmap(lambda one: jax.random.normal(one, (2,)))(keys)
