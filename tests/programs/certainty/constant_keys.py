# A key from a constant seed, in compiled functions that call one helper.

# --- each function that reads the key itself draws the same numbers in every call
# file: noise.py
import jax
import jax.numpy as jnp

KEY = jax.random.key(3)


def noise(key, x):
    return x + jax.random.normal(key, x.shape)


@jax.jit
def jitter(x):
    return noise(KEY, x * 2)  # JAX406 likely


@jax.jit
def shake(x):
    return noise(KEY, x * 2)  # JAX406 likely


@jax.jit
def table():
    return noise(KEY, jnp.ones(3) * 2)


def once(x):
    return noise(KEY, x * 2)


@jax.jit
def shiver(key, x):
    return noise(key, x * 2)

# --- parts of a constant key from outside
import jax
import jax.numpy as jnp

ROOT = jax.random.key(0)

@jax.jit
def split(x):
    first, _ = jax.random.split(ROOT)  # JAX406 likely
    return x + jax.random.normal(first, x.shape)

@jax.jit
def folded(x):
    return x + jax.random.normal(jax.random.fold_in(ROOT, 1), x.shape)  # JAX406 likely

def main():
    return split(jnp.ones(2)), folded(jnp.ones(2))

# --- a branch that is traced where it is run draws from a key that its function was given
import jax
import jax.numpy as jnp

def explored(key, x):
    coin, kick = jax.random.split(key)
    return jax.lax.cond(jax.random.bernoulli(coin), lambda: x + jax.random.normal(kick, x.shape), lambda: x)

@jax.jit
def compiled(x):
    key = jax.random.key(1)  # JAX406 likely
    return jax.lax.cond(x.sum() > 0, lambda: x + jax.random.normal(key, x.shape), lambda: x)

def main():
    return explored(jax.random.key(0), jnp.ones(2)), compiled(jnp.ones(2))

# --- a constant key is a default, and each caller passes another
from functools import partial

import jax


@partial(jax.jit, static_argnums=0)
def generate(n, key=jax.random.key(42)):
    return jax.random.normal(key, (n,))


def main(key):
    for sub in jax.random.split(key, 3):
        print(generate(4, sub))

# --- a constant key is a default, and one caller leaves it out
import jax


@jax.jit
def jitter(x, key=jax.random.key(42)):  # JAX406 likely
    return x + jax.random.normal(key, x.shape)


def main(x, key):
    return jitter(x, key), jitter(x)

# --- a constant key is a default, and nobody is seen to call
import jax


@jax.jit
def jitter(x, *, key=jax.random.key(42)):  # JAX406 possible
    return x + jax.random.normal(key, x.shape)

# --- a function is compiled for the seed that whoever makes it gives: in its settings, of its own or of one around it
import functools
import jax

class Settings:
    def __init__(self, seed=0):
        self.seed = seed

def make(config):
    @jax.jit
    def train(x):
        return x + jax.random.normal(jax.random.key(config["SEED"]), x.shape)
    return train

def begin(params, x):
    @jax.jit
    def start(x):
        return x + jax.random.normal(jax.random.key(params.seed))
    return start(x)

@functools.partial(jax.jit, static_argnums=0)
def given(params, x):
    return x + jax.random.normal(jax.random.key(params.seed))

def helper(settings, x):
    return x + jax.random.normal(jax.random.key(settings.seed))  # JAX406 likely

@jax.jit
def of_its_own(x):
    return helper(Settings(3), x)

def rebound(params, x):
    params = Settings(5)

    @jax.jit
    def start(x):
        return x + jax.random.normal(jax.random.key(params.seed))  # JAX406 likely
    return start(x)

def main(x):
    params = Settings(4)
    return make({"SEED": 3})(x), begin(params, x), given(params, x), of_its_own(x), rebound(params, x)

# --- a key by default of a method that several classes have
# file: program.py
import equinox as eqx
import jax


class Flow(eqx.Module):
    mean: jax.Array

    def sample(self, n, key):
        return jax.random.normal(key, (n,)) + self.mean

    @eqx.filter_jit
    def predict(self, key=jax.random.PRNGKey(0)):  # JAX406 possible
        return self.sample(1, key)


class Mirrored(Flow):
    def sample(self, n, key):
        return self.mean - jax.random.normal(key, (n,))
