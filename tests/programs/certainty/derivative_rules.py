# What is wrong with a rule for derivatives before anything differentiates the function.

import functools

import jax

# --- a backward rule that forgets an argument
@jax.custom_vjp
def scaled(a, b, scale):
    return scale * a * b

def scaled_fwd(a, b, scale):
    return scaled(a, b, scale), (a, b, scale)

def scaled_bwd(residuals, g):
    a, b, scale = residuals
    return g * scale * b, g * scale * a  # JAX609 certain

scaled.defvjp(scaled_fwd, scaled_bwd)

# --- one that gives None for what has no gradient, one with an argument apart, one that unpacks what it has
@jax.custom_vjp
def scaled(a, b, scale=2.0):
    return scale * a * b

scaled.defvjp(lambda a, b, scale: (scaled(a, b, scale), (a, b)), lambda kept, g: (g * kept[1], g * kept[0], None))

@functools.partial(jax.custom_vjp, nondiff_argnums=(2,))
def powered(a, b, n):
    return (a * b) ** n

def powered_bwd(n, kept, g):
    return g * kept[0], g * kept[1]

powered.defvjp(lambda a, b, n: (powered(a, b, n), (a, b)), powered_bwd)

@jax.custom_vjp
def summed(*terms):
    return sum(terms)

def summed_bwd(kept, g):
    return (g, *(g for _ in kept))

summed.defvjp(lambda *terms: (summed(*terms), terms[1:]), summed_bwd)

@jax.custom_vjp
def gated(a, b):
    return a * b

def gated_bwd(kept, g):
    gradients = [g * one for one in kept]
    return (*gradients,)

gated.defvjp(lambda a, b: (gated(a, b), (b, a)), gated_bwd)

# --- a backward rule that is written to give one gradient, and no tuple
import jax.numpy as jnp

@jax.custom_vjp
def rounded(x):
    return jnp.round(x)

def forward(x):
    return jnp.round(x), x

def backward(x, g):
    return g * jnp.cos(jnp.pi * x) ** 2  # JAX609 certain

rounded.defvjp(forward, backward)

def main():
    return jax.grad(rounded)(2.0)

# --- rules that are written to return an array and no pair
import jax.numpy as jnp

@jax.custom_jvp
def softplus(x):
    return jnp.logaddexp(x, 0.0)

@softplus.defjvp
def softplus_jvp(primals, tangents):
    (x,), (dx,) = primals, tangents
    return jax.nn.sigmoid(x) * dx  # JAX609 certain

@jax.custom_vjp
def quantised(x):
    return jnp.round(x)

quantised.defvjp(lambda x: jnp.round(x), lambda _, g: (g,))  # JAX609 certain

@jax.custom_vjp
def clipped(x):
    return jnp.clip(x, -1, 1)

def pair(x):
    return jnp.clip(x, -1, 1), None

clipped.defvjp(lambda x: pair(x), lambda _, g: (g,))

@jax.custom_jvp
def squared(x):
    return x * x

@squared.defjvp
def squared_jvp(primals, tangents):
    return jax.jvp(lambda x: x * x, primals, tangents)
