# Functions that a derivative gives, and that keep where it was taken.

# --- in an object, where that is traced
# file: fit.py
from functools import partial

import jax
import jax.numpy as jnp


class Fit:
    @partial(jax.jit, static_argnums=0)
    def linearise(self, params):
        value, self.push = jax.linearize(jnp.sin, params)  # JAX107 certain
        return value

    @partial(jax.jit, static_argnums=0)
    def pulled(self, params):
        value, pull = jax.vjp(jnp.sin, params)
        self.pull = pull  # JAX107 certain
        return value

    def eager(self, params):
        value, self.push = jax.linearize(jnp.sin, params)
        return value
