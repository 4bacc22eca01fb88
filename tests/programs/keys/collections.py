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

# --- a method in which nothing asks for a key
import flax.linen as nn

class Block(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dropout(0.1, deterministic=False)(nn.Dense(3)(x))

class Model(nn.Module):
    width: int

    def setup(self):
        self.block = Block()
        self.layers = [nn.Dense(self.width) for _ in range(3)]

    def encode(self, x):
        return self.block(x)

    def head(self, x: jax.Array, scale: float = 2.0) -> jax.Array:
        for layer in self.layers:
            x = jax.nn.relu(layer(x)).reshape(-1)
        return x * len(self.layers) * scale

    def __call__(self, x):
        return self.head(x)

def main(key):
    init, key = jax.random.split(key)
    model = Model(3)
    x = jnp.ones(3)
    params = model.init(init, x)
    head = jax.jit(lambda x: model.apply(params, x, rngs={"dropout": key}, method=model.head))
    named = jax.jit(lambda x: model.apply(params, x, rngs={"dropout": key}, method="head"))
    whole = jax.jit(lambda x: model.apply(params, x, rngs={"dropout": key}))
    return [(head(x), named(x), whole(x)) for _ in range(2)], jax.random.normal(key)

# --- a field with a key, and a pass that has keys of its own
import flax.linen as nn

class Noisy(nn.Module):
    @nn.compact
    def __call__(self, x):
        return x + jax.random.normal(self.make_rng("noise"), x.shape)

class Model(nn.Module):
    width: int
    key: jax.Array

    def setup(self):
        self.dense = nn.Dense(self.width)

    def shift(self, x):
        return x + jax.random.normal(self.make_rng("noise"), x.shape)

    def __call__(self, x):
        made = self.apply({}, x, rngs={"noise": jax.random.key(3)}, method="shift")
        return self.dense(made) + self.key.ndim

def main(key):
    init, own, key = jax.random.split(key, 3)
    model, x = Model(2, jax.random.key(7)), jnp.ones(2)
    params = model.init(init, x)
    first = model.apply(params, x, rngs={"noise": key})
    return first + model.apply(params, x + 1, rngs={"noise": key}), Noisy().apply({}, x, rngs={"noise": own})
