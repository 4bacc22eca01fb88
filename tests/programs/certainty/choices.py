# What a branch is chosen by.
import jax
import jax.numpy as jnp

# --- a comparison of something unknown with a number
def choose(flag, x):
    return jax.lax.switch(flag > 0.5, [jnp.sin, jnp.cos], x)  # JAX705 certain

# --- what may be a number, or is made one
def choose(flag, x, choices):
    first = jax.lax.switch(jnp.int32(flag > 0.5), [jnp.sin, jnp.cos], x)
    return first, jax.lax.switch(choices[flag > 0.5], [jnp.sin, jnp.cos], x), jax.lax.cond(flag > 0.5, jnp.sin, jnp.cos, x)

# --- what decides on a branch is a scalar, and the other branch gives none
def kept(x):
    return jax.lax.cond(x > 0, lambda x: x, lambda x: jnp.zeros(2), x)  # JAX704 certain

# --- what decides is made of something that may have axes, and what a branch gives of what decides
def kept(x, y):
    of_sum = jax.lax.cond(jnp.sum(x) > 0, lambda x: x, lambda x: jnp.zeros(2), x)
    of_other = jax.lax.cond(x > 0, lambda y: y, lambda y: jnp.zeros(2), y)
    return of_sum, of_other, jax.lax.cond(x > 0, lambda x: x, lambda x: 0.0, x)
