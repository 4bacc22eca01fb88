# Indices that have a place twice, in arrays of which nobody knows the shape.

import jax.numpy as jnp

# --- rows of a table are set by a column
def tied(table):
    places = jnp.array([0, 1, 1])
    return table.at[places].set(jnp.arange(3.0)[:, None])  # JAX318

def main():
    tied(jnp.zeros((4, 2)))

# --- values may be those of the columns of each row
def tied(table):
    return table.at[jnp.array([0, 1, 1])].set(jnp.arange(3.0))

def counted(table):
    places = jnp.array([0, 1, 1])
    return table.at[places].add(jnp.arange(3.0)[:, None]), table.at[places].set(jnp.zeros((3, 1)))

def apart(table):
    return table.at[jnp.array([0, 1, 2])].set(jnp.arange(3.0)[:, None])

def main():
    tied(jnp.zeros((4, 3))), counted(jnp.zeros((4, 3))), apart(jnp.zeros((4, 3)))
