# Rules for derivatives run under the trace of who differentiates.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- backward rule
@jax.custom_vjp
def root(x):
    return jnp.sqrt(x)

def forward(x):
    return root(x), x

def backward(x, g):
    if x > 0:  # JAX201
        return (g / (2 * jnp.sqrt(x)),)
    return (g,)

root.defvjp(forward, backward)

def main():
    jax.grad(root)(2.0)
    return jax.grad(jax.jit(root))(2.0)

# --- cotangent
@partial(jax.custom_vjp, nondiff_argnums=(1,))
def power(x, n):
    return x**n

def forward(x, n):
    return power(x, n), (x,)

def backward(n, residuals, g):
    if n > 1:
        n = n - 1
    if g > 0:  # JAX201
        g = -g
    return (g * residuals[0],)

power.defvjp(forward, backward)

@jax.jit
def slope(x):
    return jax.grad(lambda x: power(x, 2))(x)

def main():
    return slope(3.0)

# --- forward rule
@jax.custom_jvp
def shrink(x):
    return x * 0.5

@shrink.defjvp
def shrink_rule(primals, tangents):
    (x,), (t,) = primals, tangents
    if x > 0:  # JAX201
        t = -t
    return shrink(x), t

def main():
    return jax.jit(jax.grad(shrink))(2.0)

# --- rules for derivatives
@jax.custom_vjp
def root(x, key):
    return jnp.sqrt(x) + jax.random.normal(key)

def forward(x, key):
    return root(x, key), (x, x.ndim, key)

def backward(residuals, g):
    x, ndim, key = residuals
    if ndim or g is None:
        return g, None
    return g * jax.random.normal(key), None

root.defvjp(forward, backward)

@jax.custom_vjp
def eager(x):
    return x

def eager_backward(x, g):
    return (g if x > 0 else -g,)

eager.defvjp(lambda x: (x, x), eager_backward)

@partial(jax.custom_jvp, nondiff_argnums=(0,))
def power(n, x):
    return x**n

@power.defjvp
def power_rule(n, primals, tangents):
    (x,), (t,) = primals, tangents
    if n > 1 and t is not None:
        return power(n, x), n * t
    return power(n, x), t

@jax.custom_vjp
def given(x):
    return x

def given_backward(x, g):
    return (g * x if g > 0 else -g * x,)

given.defvjp(lambda x: (x, x), given_backward)

@jax.jit
def pulled(x):
    return jax.vjp(given, x)[1](1.0)

def main():
    jax.grad(eager)(2.0)
    jax.jit(eager)(2.0)
    jax.jit(lambda w: jax.grad(lambda w: w * eager(2.0))(w))(2.0)
    jax.jit(jax.grad(partial(power, 2)))(2.0)
    pulled(2.0)
    return jax.jit(jax.grad(root))(2.0, jax.random.key(0))

# --- rules that functions give which are called once, while the module is read
def make_shrink():
    @jax.custom_jvp
    def shrink(x):
        return x * 0.5

    return shrink

shrink = make_shrink()

def make_rule():
    @shrink.defjvp
    def shrink_rule(primals, tangents):
        (x,), (t,) = primals, tangents
        if x > 0:  # JAX201
            t = -t
        return shrink(x), t

    return shrink_rule

shrink_rule = make_rule()

def make_step():
    @jax.jit
    def step(x):
        return jax.grad(shrink)(x)

    return step

step = make_step()

def main():
    return step(2.0)

# --- a backward rule that adds to a tuple, or multiplies what a class of the caller's gives
@jax.custom_vjp
def rounded(x, y):
    return jnp.round(x)

def forward(x, y):
    return jnp.round(x), (x,)

def backward(residuals, g):
    return (g,) + residuals

rounded.defvjp(forward, backward)

@jax.custom_vjp
def doubled(x, y):
    return x * 2

def doubled_forward(x, y):
    return x * 2, None

def doubled_backward(_, g):
    return (g,) * 2

doubled.defvjp(doubled_forward, doubled_backward)

def main():
    return jax.grad(rounded)(2.0, 1.0), jax.grad(doubled)(2.0, 1.0)

# --- an argument that is not differentiated and is left out, or given by its name
@partial(jax.custom_vjp, nondiff_argnums=(2,))
def total(x, scale, axis=-1):
    return forward(x, scale, axis)[0]

def forward(x, scale, axis):
    return scale * jnp.sum(x, axis), (x, scale)

def backward(axis, residuals, cotangent):
    x, scale = residuals
    if scale > 1:  # JAX201
        cotangent = cotangent * scale
    return jnp.expand_dims(cotangent, axis) * jnp.ones_like(x), None

total.defvjp(forward, backward)

@jax.jit
def loss(x, scale):
    return jnp.sum(total(x, scale))

@jax.jit
def loss_by_name(x, scale):
    return jnp.sum(total(x, scale=scale, axis=0))

def main():
    for function in (loss, loss_by_name):
        jax.grad(function)(jnp.ones((2, 3)), 2.0)
