# Draws in one pass of a loop.

import jax
import jax.numpy as jnp

# --- in the pass that a loop asks for
def main(key, count=4, wanted=2):
    total = jnp.zeros(())
    for i in range(count):
        if i == wanted:
            total += jax.random.normal(key)
    return total

# --- in any other pass
def main(key, count=4, wanted=2):
    total = jnp.zeros(())
    for i in range(count):
        if i != wanted:
            total += jax.random.normal(key)  # JAX403
    return total

# --- in the pass after the others go on
def main(key, count=4, wanted=2):
    total = jnp.zeros(())
    for i, x in enumerate([0.0] * count):
        if i != wanted:
            continue
        total += x + jax.random.normal(key)
    return total

# --- in each pass if something else is so
def main(key, count=4, wanted=2, mode=2):
    total = jnp.zeros(())
    for i in range(count):
        if mode == wanted:
            total += jax.random.normal(key)  # JAX403
    return total

# --- in one pass and in another
def main(key, count=4, wanted=2):
    total = jnp.zeros(())
    for i in range(count):
        if i == wanted:
            total += jax.random.normal(key)  # JAX403
        if i == 0:
            total += jax.random.uniform(key)
    return total
