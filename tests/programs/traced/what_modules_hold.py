# What objects of pytree classes hold, where all of it is traced.

from collections.abc import Callable

import equinox as eqx
import flax.struct
import jax
import jax.numpy as jnp

@jax.jit
def outputs(model, x):
    return model(x)

# --- layer of a module has a function among its leaves
class Flow(eqx.Module):
    net: eqx.nn.MLP
    flip: bool

    def __init__(self, key):
        self.net = eqx.nn.MLP(2, 2, 8, 1, key=key)
        self.flip = True

    def __call__(self, x):
        if self.flip:
            x = x[::-1]
        return self.net(x)

class Pair(eqx.Module):
    first: Flow

    def __init__(self, key):
        self.first = Flow(key)

    def __call__(self, x):
        return self.first(x)

def main():
    return outputs(Pair(jax.random.key(0)), jnp.ones(2))  # JAX511

# --- layer with a function among its leaves is the argument
def main():
    return outputs(eqx.nn.MLP(2, 2, 8, 1, key=jax.random.key(0)), jnp.ones(2))  # JAX511

# --- function is a field of a module
class Layer(eqx.Module):
    linear: eqx.nn.Linear
    act: Callable

    def __init__(self, key):
        self.linear = eqx.nn.Linear(2, 2, key=key)
        self.act = jnp.tanh

    def __call__(self, x):
        return self.act(self.linear(x))

def main():
    model, x = Layer(jax.random.key(0)), jnp.ones(2)
    return jax.grad(lambda model: model(x).sum())(model)  # JAX511

# --- function is a field of a record of flax
class State(flax.struct.PyTreeNode):
    params: dict
    apply: Callable

@jax.jit
def stepped(state):
    return state.replace(params=jax.tree.map(jnp.negative, state.params))

def main():
    return stepped(State({"w": jnp.ones(2)}, jnp.tanh))  # JAX511

# --- function is in the structure of a module
class Layer(eqx.Module):
    linear: eqx.nn.Linear
    act: Callable = eqx.field(static=True)

    def __init__(self, key):
        self.linear = eqx.nn.Linear(2, 2, key=key)
        self.act = jnp.tanh

    def __call__(self, x):
        return self.act(self.linear(x))

class State(flax.struct.PyTreeNode):
    params: dict
    apply: Callable = flax.struct.field(pytree_node=False)

@jax.jit
def params_of(state):
    return state.params

def main():
    params_of(State({"w": jnp.ones(2)}, jnp.tanh))
    return outputs(Layer(jax.random.key(0)), jnp.ones(2))

# --- arrays of a module with functions are taken apart from the rest
def main():
    model, x = eqx.nn.MLP(2, 2, 8, 1, key=jax.random.key(0)), jnp.ones(2)
    params, rest = eqx.partition(model, eqx.is_array)
    jax.jit(lambda params: eqx.combine(params, rest)(x))(params)
    eqx.filter_jit(lambda model: model(x))(model)
    jax.jit(lambda x: model(x))(x)
    jax.vmap(lambda model, x: model(x), in_axes=(None, 0))(model, x[None])
    return jax.jit(lambda params: params)(eqx.filter(model, eqx.is_array))
