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
