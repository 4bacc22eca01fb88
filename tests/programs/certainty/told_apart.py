# Calls of one helper under transforms that differ in nothing but in who they belong to.

import haiku as hk
import jax
import jax.numpy as jnp

# --- a map of haiku gives each lane a key of its own, one of JAX does not
def noise(x):
    return x + jax.random.normal(hk.next_rng_key(), x.shape)  # JAX413 likely

def alike(x):
    return jax.vmap(lambda row: noise(row))(x)

def apart(x):
    return hk.vmap(lambda row: noise(row), split_rng=True)(x)

def model(x):
    return alike(x) + apart(x)

# --- the same in the other order
def noise(x):
    return x + jax.random.normal(hk.next_rng_key(), x.shape)  # JAX413 likely

def apart(x):
    return hk.vmap(lambda row: noise(row), split_rng=True)(x)

def alike(x):
    return jax.vmap(lambda row: noise(row))(x)

def model(x):
    return apart(x) + alike(x)

# --- haiku's alone
def noise(x):
    return x + jax.random.normal(hk.next_rng_key(), x.shape)

def model(x):
    return hk.vmap(lambda row: noise(row), split_rng=True)(x)
