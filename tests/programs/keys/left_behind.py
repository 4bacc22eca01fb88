# What a helper leaves in a global or in what it was given.

import jax
import jax.numpy as jnp

# --- a helper advances the global
KEY = jax.random.key(0)

def fresh():
    global KEY
    KEY, sub = jax.random.split(KEY)
    return jax.random.normal(sub)

def indirectly():
    return fresh() + 1

def main(key):
    return fresh(), fresh(), indirectly(), [indirectly() for _ in range(3)]

# --- a helper advances an entry of the global
STATE = {"key": jax.random.key(1)}

def fresh():
    STATE["key"], sub = jax.random.split(STATE["key"])
    return jax.random.normal(sub)

def main(key):
    return fresh(), fresh(), [fresh() for _ in range(3)]

# --- a helper advances its argument
from types import SimpleNamespace

def fresh(state):
    state.key, sub = jax.random.split(state.key)
    return jax.random.normal(sub)

def train(state):
    return fresh(state), fresh(state), [fresh(state) for _ in range(3)]

def main(key):
    return train(SimpleNamespace(key=key))

# --- a helper draws from the global
KEY = jax.random.key(2)

def fixed():
    return jax.random.normal(KEY)

def main(key):
    return fixed(), fixed()  # JAX401
