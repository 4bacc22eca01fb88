# Keys that flax modules are given and may ask for.

# --- keys that a method of a module asks for, or that one may that it calls
# file: model.py
import flax.linen as nn
import jax


class Block(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dropout(0.1, deterministic=False)(nn.Dense(3)(x))


class Model(nn.Module):
    inner: nn.Module

    def setup(self):
        self.block = Block()

    def noisy(self, x):
        return x + jax.random.normal(self.make_rng("dropout"), x.shape)

    def encode(self, x):
        return self.block(x)

    def passed_on(self, x):
        return self.encode(x)

    def held(self, x):
        return self.inner(x)

    def given(self, x, layer):
        return layer(x)

    def plain(self, x):
        return 2 * x


def encoded(params, key, x):
    model = Model(nn.Dense(3))
    x = model.apply(params, x, rngs={"dropout": key}, method=model.encode)
    return model.apply(params, x, rngs={"dropout": key}, method=model.encode)  # JAX402 likely


def passes_on(params, key, x):
    x = Model(nn.Dense(3)).apply(params, x, rngs={"dropout": key}, method="passed_on")
    return Model(nn.Dense(3)).apply(params, x, rngs={"dropout": key}, method="passed_on")  # JAX402 likely


def noisy(params, key, x):
    x = Model(nn.Dense(3)).apply(params, x, rngs={"dropout": key}, method=Model.noisy)
    return Model(nn.Dense(3)).apply(params, x, rngs={"dropout": key}, method=Model.noisy)  # JAX402 likely


def held(params, key, x):
    x = Model(Block()).apply(params, x, rngs={"dropout": key}, method="held")
    return Model(Block()).apply(params, x, rngs={"dropout": key}, method="held")  # JAX402 likely


def given(params, key, x, layer):
    x = Model(Block()).apply(params, x, layer, rngs={"dropout": key}, method="given")
    return Model(Block()).apply(params, x, layer, rngs={"dropout": key}, method="given")  # JAX402 likely


def plain(params, key, x):
    x = Model(Block()).apply(params, x, rngs={"dropout": key}, method="plain")
    return Model(Block()).apply(params, x, rngs={"dropout": key}, method="plain")
