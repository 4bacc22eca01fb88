# Probabilities where logits are taken.

import distrax
import jax
import jax.numpy as jnp

# --- what is not known is divided by its sum
def picked(key, weights):
    return jax.random.categorical(key, weights / jnp.sum(weights, -1, keepdims=True))  # JAX412 likely

def main(key, weights):
    return distrax.Categorical(weights / weights.sum()).sample(seed=key)  # JAX412 likely

# --- what is not known is divided by the sum of something else, or named
def main(key, other, logits, weights):
    first, second, third = jax.random.split(key, 3)
    warm = jax.random.categorical(first, logits / other.sum())
    named = distrax.Categorical(probs=weights / weights.sum()).sample(seed=second)
    return warm, named, jax.random.categorical(third, jnp.log(weights / weights.sum()))
