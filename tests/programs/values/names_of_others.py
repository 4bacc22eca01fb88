# What other modules have, and `jax.numpy` never had.

import jax
import jax.numpy as jnp

# --- of another module of JAX
@jax.jit
def main(x=1.0):
    return jnp.sigmoid(x)  # JAX317

# --- of torch, with its keyword
def main():
    x = jnp.ones((2, 3))
    return jnp.cat([x, x], dim=1)  # JAX317

# --- in a line that is run where there is such a function
def main():
    x = jnp.ones(3)
    return jnp.softmax(x) if hasattr(jnp, "softmax") else jax.nn.softmax(x)

# --- of a module of the project that has the name
class jnp:
    @staticmethod
    def cat(parts):
        return sum(parts)

def main():
    return jnp.cat([1, 2])
