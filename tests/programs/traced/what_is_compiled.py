# Objects that are compiled as functions.

import equinox as eqx
import jax
import jax.numpy as jnp

class Scaled(eqx.Module):
    factor: jax.Array

    def __call__(self, x):
        return self.factor * x

# --- module with an array
def main():
    model = Scaled(jnp.ones(2))
    return jax.jit(model)(jnp.ones(2))  # JAX513

# --- layer that has drawn its weights
def main():
    return jax.jit(eqx.nn.Linear(2, 2, key=jax.random.key(0)))(jnp.ones(2))  # JAX513

# --- method of a module, a map of it, and an object with a hash
class Plain:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        return self.factor * x

class Number(eqx.Module):
    factor: int

    def __call__(self, x):
        return self.factor * x

def main():
    model, x = Scaled(jnp.ones(2)), jnp.ones(2)
    jax.jit(model.__call__)(x), jax.jit(jax.vmap(model))(jnp.ones((3, 2))), eqx.filter_jit(model)(x)
    return jax.jit(Plain(jnp.ones(2)))(x), jax.jit(Number(2))(x), jax.jit(eqx.nn.Dropout(0.5, inference=True))(x)
