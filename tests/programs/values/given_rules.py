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

# --- a forward rule that gives what the function gives, and nothing for the backward one
@jax.custom_vjp
def scaled(x):
    return x

def scaled_fwd(x):
    return x  # JAX609

scaled.defvjp(scaled_fwd, lambda kept, g: (2.0 * g,))

def main():
    pass

slope = jax.grad(lambda x: scaled(x).sum())

# --- a forward rule that gives a pair of what the function gives, and one whose pair is computed elsewhere
@jax.custom_vjp
def scaled(x):
    return x

scaled.defvjp(lambda x: (x, None), lambda kept, g: (2.0 * g,))

@jax.custom_vjp
def first(pair):
    return pair[0]

first.defvjp(lambda pair: pair, lambda kept, g: ((g, 0.0 * g),))

def main():
    return jax.grad(lambda x: scaled(x).sum())(jnp.ones(2)), jax.grad(first)((1.0, 2.0))
