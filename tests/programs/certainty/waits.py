# Loops that wait for a result in each pass.

import jax
import jax.numpy as jnp


@jax.jit
def step(params, batch):
    return params - 0.1 * (params - batch), jnp.mean((params - batch) ** 2)

# --- in a function that each pass calls
def advance(params, batch, losses):
    params, loss = step(params, batch)
    losses.append(float(loss))  # JAX516 possible
    return params

def train(params, batches):
    losses = []
    for batch in batches:
        params = advance(params, batch, losses)
    return params, losses

# --- in a method that a method calls in each pass
class Trainer:
    def __init__(self, params):
        self.params = params
        self.losses = []

    def advance(self, batch):
        self.params, loss = step(self.params, batch)
        self.losses.append(loss.item())  # JAX516 possible

    def one(self, batch):
        self.advance(batch)

    def train(self, batches):
        for batch in batches:
            self.one(batch)

# --- in a function that some passes leave out, that no loop calls, and of what it is given
def advance(params, batch, losses):
    params, loss = step(params, batch)
    losses.append(float(loss))
    return params

def noted(loss, losses):
    losses.append(float(loss))

def sometimes(params, batch, losses, number):
    params, loss = step(params, batch)
    if number % 10 == 0:
        losses.append(float(loss))
    return params

def train(params, batches):
    losses = []
    for number, batch in enumerate(batches):
        if number % 10 == 0:
            params = advance(params, batch, losses)
        params, _ = step(params, batch)
    for number, batch in enumerate(batches):
        params = sometimes(params, batch, losses, number)
    for batch in batches:
        params, loss = jax.block_until_ready(step(params, batch))
        noted(loss, losses)
    return advance(params, batches[0], losses)
