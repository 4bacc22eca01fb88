# Static arguments of which nobody knows how many values they take.
from functools import partial

import jax


@partial(jax.jit, static_argnames="prefix")
def score(tokens, prefix):
    return tokens[prefix:].sum()

# --- each item of the data has one
def rank(examples):
    return [score(example.tokens, example.prefix) for example in examples]  # JAX507 possible

def total(examples):
    found = 0
    for example in examples:
        found += score(example["tokens"], prefix=example["prefix"])  # JAX507 possible
    return found

# --- each setting has one, and there are few of them
def rank(tokens, settings):
    return [score(tokens, setting.prefix) for setting in settings]

def total(tokens):
    found = 0
    for prefix in (1, 2, 3):
        found += score(tokens, prefix)
    return found

def first(examples):
    for example in examples:
        yield score(example, len(example) > 3)

# --- options that are given by position, and names that the function below a transform has not
import jax


@jax.jit
def step(w, lr):
    return w - lr


def compiled(w):
    return jax.jit(step.__wrapped__, 1)(w, 0.1)  # JAX513 certain


def misspelt():
    return jax.jit(step.__wrapped__, static_argnames=("rate",))  # JAX506 certain

# --- names that a static method below a transform has not
import jax


class Steps:
    @staticmethod
    @jax.jit
    def step(w, lr):
        return w - lr


def misspelt():
    return jax.jit(Steps.step.__wrapped__, static_argnames=("rate",))  # JAX506 certain


def named():
    return jax.jit(Steps.step.__wrapped__, static_argnames=("lr",))

# --- options by name, and functions below transforms that take what is said
import functools

import jax


@jax.jit
def step(w, lr):
    return w - lr


def counted(function):
    @functools.wraps(function)
    def counting(*args, **kwargs):
        return function(*args, **kwargs)

    return counting


@jax.jit
@counted
def scale(w, rate):
    return w * rate


compiled = jax.jit(step.__wrapped__, static_argnums=1), jax.jit(step.__wrapped__, static_argnames="lr")
others = jax.jit(scale.__wrapped__, static_argnames="rate"), jax.vmap(step.__wrapped__, 0)
