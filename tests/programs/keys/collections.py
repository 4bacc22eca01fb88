# Which of flax's collections of keys a module asks for.

import jax
import jax.numpy as jnp

# --- a collection that no module asks for
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dropout(0.5, deterministic=False)(nn.Dense(2)(x))

def predict(net: nn.Module, params, key, x):
    noise, drop = jax.random.split(key)
    out = net.apply(params, x, rngs={"random": noise, "dropout": drop})
    return out + jax.random.normal(noise)

def main(key):
    init, key = jax.random.split(key)
    x = jnp.ones((1, 3))
    params = Net().init(init, x)
    return predict(Net(), params, key, x)

# --- parameters that there are need no key
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x) + jax.random.normal(self.make_rng("noise"))

def predict(net: nn.Module, params, key, x):
    noise, other = jax.random.split(key)
    out = net.apply(params, x, rngs={"params": other, "noise": noise})
    return out + jax.random.normal(other)

def main(key):
    init, key = jax.random.split(key)
    x = jnp.ones((1, 3))
    params = Net().init(init, x)
    return predict(Net(), params, key, x)

# --- what init draws beside parameters is thrown away
import flax.linen as nn

def main(key):
    first, second = jax.random.split(key)
    net = nn.Dropout(0.5, deterministic=False)
    params = net.init({"params": first, "dropout": second}, jnp.ones(3))
    return net.apply(params, jnp.ones(3), rngs={"dropout": second})

# --- dropout that a flag of the call turns off
import flax.linen as nn

class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        return nn.Dropout(0.5, deterministic=not train)(nn.Dense(2)(x))

def both(params, key, x):
    out = Net().apply(params, x, train=False, rngs={"dropout": key})
    return out + jax.random.normal(key, (1, 2))

def passed(net: nn.Module, params, rngs, x):
    out = net.apply(params, x, train=False, rngs=rngs)
    return net.apply(params, out, train=False, rngs=rngs)

def main(key):
    init, key = jax.random.split(key)
    x = jnp.ones((1, 2))
    params = Net().init(init, x, train=False)
    return both(params, key, x), passed(Net(), params, {"dropout": init}, x)
