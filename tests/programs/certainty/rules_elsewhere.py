# Rules for derivatives that other modules of the program may give.

# --- another module gives rules to its own functions
# file: clipped.py
import jax


@jax.custom_vjp
def clipped(x):
    return x


clipped.defvjp(lambda x: (x, None), lambda kept, g: (g.clip(-1, 1),))
# file: program.py
import jax
import jax.numpy as jnp


@jax.custom_jvp
def softened(x):
    return jnp.abs(x)


def apply(x):
    return softened(x).sum()  # JAX609 certain

# --- another module gives rules to functions that it imports, or is handed
# file: rules.py
import jax.numpy as jnp

from program import softened

softened.defjvps(lambda t, out, x: t * jnp.tanh(x))
# file: register.py
def give(function, rule):
    function.defjvps(rule)
# file: program.py
import jax
import jax.numpy as jnp

import register


@jax.custom_jvp
def softened(x):
    return jnp.abs(x)


@jax.custom_jvp
def rounded(x):
    return jnp.round(x)


def start(rule):
    register.give(rounded, rule)


def apply(x):
    return softened(x).sum() + rounded(x).sum()

# --- a helper that is differentiated backwards in one call and forwards in another
import jax

@jax.custom_vjp
def kept(x):
    return x

def kept_forward(x):
    return x, None

def kept_backward(_, slope):
    return (slope,)

kept.defvjp(kept_forward, kept_backward)

def doubled(x):
    return 2 * kept(x)  # JAX609 certain

def loss(x):
    return doubled(x)

def main():
    return jax.grad(loss)(1.0), jax.jvp(loss, (1.0,), (1.0,))

# --- the same of a closure that the helper compiles
import jax

@jax.custom_vjp
def kept(x):
    return x

def kept_forward(x):
    return x, None

def kept_backward(_, slope):
    return (slope,)

kept.defvjp(kept_forward, kept_backward)

def doubled(x):
    @jax.jit
    def inside(x):
        return 2 * kept(x)  # JAX609 certain
    return inside(x)

def backwards(x):
    return jax.grad(doubled)(x)

def forwards(x):
    return jax.jvp(doubled, (x,), (1.0,))

def main():
    return backwards(1.0), forwards(1.0)
