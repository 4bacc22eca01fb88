# Copies that nobody keeps, of objects of which little or nothing is known.

import jax
import jax.numpy as jnp

# --- an update of what only a jax array can be
def update(table, s, a, target):
    index = (s, a)
    table.at[index].add(target - table[index])  # JAX302 certain
    table = table.at[index].multiply(0.9)
    return table

# --- a cell of something else is set, or looked at
def update(frame, i):
    frame.at[i, "a"] = 3
    frame.at[i, "names"].append("b")
    return frame.at[i, "a"].add(3)

# --- what is put on a device is another array
def place(batch, sharding):
    jax.device_put(batch, sharding)  # JAX303 certain
    return batch

def placed(batch, sharding):
    jax.block_until_ready(batch)
    return jax.device_put(batch, sharding)

# --- a record that is traced, or a named tuple
@jax.jit
def step(state, x):
    def loss(params):
        y, new = state.apply_fn(params, x)
        state.replace(stats=new)  # JAX303 certain
        return y.mean()

    return state.replace(params=jax.grad(loss)(state.params))

def advance(state):
    state._replace(step=state.step + 1)  # JAX303 certain
    return state

# --- a table that changes, a text, and something unknown that has such a method
def clean(frame, text, table):
    frame.replace(1, 2, inplace=True)
    text = text.replace("a", "b")
    table.replace(column=3)
    return frame, text, table
