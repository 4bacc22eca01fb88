# What modules of flax and haiku ask of those who apply them.

import functools
from typing import Any

import flax.linen as nn
import haiku as hk
import jax
import jax.numpy as jnp

X = jnp.ones((2, 3))
KEY = jax.random.key(0)
KEYS = {"params": KEY, "dropout": jax.random.key(2)}


class Norm(nn.Module):
    rate: float = 0.1

    @nn.compact
    def __call__(self, x, train: bool = False):
        norm = functools.partial(nn.BatchNorm, use_running_average=not train, momentum=0.9)
        return nn.Dropout(self.rate, deterministic=not train)(norm(name="norm")(x))

# --- statistics that a module inside a module changes
class Outer(nn.Module):
    def setup(self):
        self.inner = Norm()

    def __call__(self, x, train=True):
        return self.inner(x, train)

def main():
    model = Outer()
    variables = model.init(KEYS, X)
    return model.apply(variables, X, rngs={"dropout": jax.random.key(1)})  # JAX715

# --- statistics that a module inside a module changes, and hands out
class Outer(nn.Module):
    def setup(self):
        self.inner = Norm()

    def __call__(self, x, train=True):
        return self.inner(x, train)

def main():
    model = Outer()
    variables = model.init(KEYS, X)
    return model.apply(variables, X, rngs=jax.random.key(1), mutable=True)

# --- other collections that may change
def main():
    model = Norm()
    variables = model.init(KEYS, X)
    return model.apply(variables, X, True, rngs={"dropout": jax.random.key(1)}, mutable=["cache"])  # JAX715

# --- a module that is handed to who applies it
def forward(model, variables, x):
    return model.apply(variables, x, train=True, mutable=["batch_stats"])  # JAX715

def main():
    model = Norm()
    return forward(model, model.init(KEYS, X), X)

# --- a dropout that drops nothing
def main():
    model = Norm(rate=0.0)
    variables = model.init(KEYS, X)
    return model.apply(variables, X, True, mutable="batch_stats")

# --- layers that are there on conditions
class Chosen(nn.Module):
    normalised: bool

    @nn.compact
    def __call__(self, x):
        if self.has_rng("dropout"):
            x = nn.Dropout(0.5)(x, deterministic=False)
        if self.normalised:
            x = nn.BatchNorm(use_running_average=False)(x)
        return nn.BatchNorm(use_running_average=False)(x) if self.is_mutable_collection("batch_stats") else x

def main():
    return Chosen(False).apply({}, X)

# --- layers that are there on a condition that holds
class Chosen(nn.Module):
    normalised: bool

    @nn.compact
    def __call__(self, x):
        if self.normalised:
            x = nn.BatchNorm(use_running_average=False)(x)
        return x

def main():
    model = Chosen(True)
    return model.apply(model.init(KEY, X), X)  # JAX715

# --- a layer that is handed to a module
class Chosen(nn.Module):
    norm: Any

    @nn.compact
    def __call__(self, x):
        return self.norm(use_running_average=False)(x)

def main():
    model = Chosen(nn.BatchNorm)
    return model.apply(model.init(KEY, X), X)  # JAX715

# --- a key that is asked for once there are parameters
class Noise(nn.Module):
    @nn.compact
    def __call__(self, x):
        if self.is_initializing():
            return nn.BatchNorm(use_running_average=False)(x)
        return x + jax.random.normal(self.make_rng("noise"))

def main():
    return Noise().apply({}, X)  # JAX715

# --- a key that is asked for under a scan
def main():
    model = Norm()
    variables = model.init(KEYS, X)

    def body(carry, x):
        return carry, model.apply(variables, x, True, mutable=["batch_stats"])  # JAX715

    return jax.lax.scan(body, 0, X[None])

# --- options that are handed on
def forward(model, variables, x, **options):
    return model.apply(variables, x, True, **options)

def main():
    model = Norm()
    return forward(model, model.init(KEYS, X), X, rngs={"dropout": jax.random.key(1)}, mutable=["batch_stats"])

# --- a name for two parameters
class Scale(nn.Module):
    @nn.compact
    def __call__(self, x):
        a = self.param("scale", nn.initializers.ones, (3,))
        b = self.param("scale", nn.initializers.ones, (3,))  # JAX715
        return a * b * x

def main():
    return Scale().init(KEY, X)

# --- a name for a parameter and for a module
class Scale(nn.Module):
    @nn.compact
    def __call__(self, x):
        a = self.param("scale", nn.initializers.ones, (3,))
        return nn.Dense(3, name="scale")(a * x)  # JAX715

def main():
    return Scale().init(KEY, X)

# --- a name in a branch that is taken before it
class Deep(nn.Module):
    @nn.compact
    def __call__(self, x, mask=None):
        x = nn.Dense(3, name="first")(x)
        if mask is not None:
            x = nn.Dense(3, name="first")(x * mask)  # JAX715
        return x

def main():
    return Deep().init(KEY, X, 1.0)

# --- names of two branches, of functions, and of modules that belong to nobody
class Deep(nn.Module):
    wide: bool = False

    @nn.compact
    def __call__(self, x):
        x = nn.Dense(4, name="first")(x) if self.wide else nn.Dense(3, name="first")(x)
        if self.wide:
            x = nn.Dense(3, name="second")(x)
        if not self.wide:
            x = nn.Dense(3, name="second")(x)

        def never(x):
            return nn.Dense(3, name="second")(x)

        for number in range(2):
            x = nn.Dense(3, name=f"third_{number}")(x)
        return x, nn.Dense(3, name="first", parent=None), never

def main():
    return Deep().init(KEY, X)

# --- a name that a setup gives, and another method
class Deep(nn.Module):
    def setup(self):
        self.first = nn.Dense(3, name="given")

    def __call__(self, x):
        return self.first(self.first(x))

def main():
    return Deep().init(KEY, X)

# --- a function of haiku that asks for a key once there are parameters
@hk.transform
def noisy(x):
    return x if hk.running_init() else x + jax.random.normal(hk.next_rng_key())

def main():
    return noisy.apply({}, None, X)  # JAX715

# --- a function of haiku that takes a key if there is one
@hk.transform
def noisy(x):
    key = hk.maybe_next_rng_key()
    return x if key is None else x + jax.random.normal(key)

def main():
    return noisy.apply({}, None, X)

# --- a function of haiku with a state, without a key
def noisy(x):
    return hk.dropout(hk.next_rng_key(), 0.5, hk.BatchNorm(True, True, 0.9)(x, True))

pure = hk.transform_with_state(noisy)

def main():
    params, state = pure.init(KEY, X)
    return pure.apply(params, state, None, X)  # JAX715

# --- a key that the caller may have
def noisy(x):
    return x + jax.random.normal(hk.next_rng_key())

pure = hk.transform(noisy)

def apply(x, key=None):
    return pure.apply({}, key, x)

def main():
    return apply(X, KEY)

# --- modules that are made by helpers of a compact method, without a parent, or for another call

class Helped(nn.Module):
    @nn.compact
    def __call__(self, x):
        return self.head(x)

    def head(self, x):
        return nn.Dense(2)(x)

class Apart(nn.Module):
    def __call__(self, x):
        inner = nn.Dense(2, parent=None)
        return inner.apply(inner.init(jax.random.key(1), x), x)

class Plain:
    def __call__(self, x):
        return nn.Dense(2).init_with_output(jax.random.key(1), x)[0]

def main():
    key, x = jax.random.key(0), jnp.ones((1, 2))
    return Helped().init(key, x), Apart().init(key, x), Plain()(x)

# --- a module that is made in a method which is not compact
class Head(nn.Module):
    features: int = 1

    def __call__(self, x):
        x = nn.Dense(4)(x)  # JAX715
        return nn.Dense(self.features)(x)

def main():
    return Head().init(KEY, X)

# --- a method that makes a module and that nobody calls, and one that `apply` is told to run
class Coder(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(4)(x)

    def normed(self, x):
        return nn.LayerNorm()(x)  # JAX715 possible

    def decoded(self, x):
        return nn.Dense(1)(x)  # JAX715

def main():
    model = Coder()
    variables = model.init(KEY, X)
    return model.apply(variables, X, method="decoded")

# --- a name for two parts that a function makes which a compact method calls
def heads(x):
    query = nn.Dense(4, name="query")(x)
    key = nn.Dense(4, name="query")(x)  # JAX715
    return query, key

class Twin(nn.Module):
    @nn.compact
    def __call__(self, x):
        query, key = heads(x)
        return query * key

def main():
    return Twin().init(KEY, X)

# --- a name for two parameters that a function makes for a module
def scales(module):
    a = module.param("scale", nn.initializers.ones, (3,))
    return a * module.param("scale", nn.initializers.ones, (3,))  # JAX715

class Scale(nn.Module):
    @nn.compact
    def __call__(self, x):
        return scales(self) * x

def main():
    return Scale().init(KEY, X)

# --- parts of one name that a function makes which belong to no module, or of which a call makes one
def heads():
    return nn.Dense(4, name="query"), nn.Dense(4, name="query")

def one_of(x, wide):
    if wide:
        return nn.Dense(9, name="out")(x)
    return nn.Dense(3, name="out")(x)

class Either(nn.Module):
    wide: bool = False

    @nn.compact
    def __call__(self, x):
        return one_of(x, self.wide)

def main():
    first, second = heads()
    parts = jax.random.split(KEY, 3)
    return first.init(parts[0], X), second.init(parts[1], X), Either().init(parts[2], X)

# --- a function that was called with the model before, and one that is called with the one after
model = nn.Dense(3)
variables = model.init(KEY, X)

def loss(variables, x):
    return model.apply(variables, x).sum()

first = jax.grad(loss)(variables, X)
model = Norm()
variables = model.init(KEYS, X)

def later(variables, x):
    return model.apply(variables, x, train=True, rngs={"dropout": KEY}).sum()  # JAX715

def main():
    return later(variables, X)

# --- a function that nothing can have called before its global got the model
def later(variables, x):
    return model.apply(variables, x, train=True, rngs={"dropout": KEY}).sum()  # JAX715

model = nn.Dense(3)
variables = model.init(KEY, X)
model = Norm()
variables = model.init(KEYS, X)

def main():
    return later(variables, X)

# --- functions that may have been called with the model before
def loss(variables, x):
    return model.apply(variables, x).sum()

def total(variables, xs):
    return sum(loss(variables, x) for x in xs)

def register(function):
    LOSSES.append(function(variables, X))
    return function

LOSSES = []
model = nn.Dense(3)
variables = model.init(KEY, X)
first = total(variables, [X])

@register
def other(variables, x):
    return model.apply(variables, x).sum()

model = Norm()
variables = model.init(KEYS, X)

def main():
    return first, LOSSES
