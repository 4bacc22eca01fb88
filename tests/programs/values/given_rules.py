# What is registered as rules for derivatives.
import jax
import jax.numpy as jnp

# --- a static method is registered as a rule, with too few arguments
@jax.custom_vjp
def root(x):
    return jnp.sqrt(x)

class Rules:
    @staticmethod
    def forward(x):
        return root(x), x

    @staticmethod
    def backward(g):
        return (g,)

root.defvjp(Rules.forward, Rules.backward)  # JAX609

def main():
    pass

# --- a static method is registered as a rule, with as many arguments as JAX gives it
@jax.custom_vjp
def root(x):
    return jnp.sqrt(x)

class Rules:
    @staticmethod
    def forward(x):
        return root(x), x

    @staticmethod
    def backward(x, g):
        return (g / (2 * jnp.sqrt(x)),)

def main():
    root.defvjp(Rules.forward, Rules.backward)
    return jax.grad(root)(4.0)
