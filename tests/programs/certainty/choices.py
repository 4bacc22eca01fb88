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
