"""A training step with five sharp bits. JAX reports one of them, and only when the code runs."""

import jax
import jax.numpy as jnp

history = []


def dropout(key, x):
    keep = jax.random.bernoulli(key, 0.9, x.shape)
    return jnp.where(keep, x / 0.9, 0)


@jax.jit
def train_step(params, batch, key):
    noise = jax.random.normal(key, batch.shape)
    hidden = dropout(key, batch + noise) @ params
    loss = jnp.mean(hidden**2)
    print("loss is", loss)
    history.append(loss)
    if loss > 1.0:
        noise[0] = 0.0
    return params - 0.1 * loss
