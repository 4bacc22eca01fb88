# Calls with more, or other, arguments than a signature names.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- arguments beyond the parameters
@jax.jit
def f(scale, *rest, **more):
    print(rest)  # JAX101
    print(more["bias"])  # JAX101
    for row in rest:
        scale = scale + row
    return scale

def main():
    return f(1.0, 2.0, 3.0, bias=1.0)

# --- a default that an argument beyond the parameters may replace
def total(x, axis=0, doubled=False):
    if doubled:
        x = 2 * x
    return jnp.sum(x, axis=axis)

def wrapped(function):
    along = jnp.vectorize(function, signature="(n)->()")

    def wrapper(x, *args, **kwargs):
        return along(x, *args, **kwargs) + jnp.sum(x, *args, **kwargs) + x.sum(*args)

    return wrapper

f = jax.jit(wrapped(total))
g = jax.jit(wrapped(jax.nn.logsumexp))

def main():
    return f(jnp.ones(3)) + g(jnp.ones(3))

# --- a parameter that an argument beyond the parameters must fill
def total(x, doubled, axis=0):
    if doubled:  # JAX201
        x = 2 * x
    return jnp.sum(x, axis=axis)

@jax.jit
def f(x, *args):
    return total(x, *args)

def main():
    return f(jnp.ones(3), True)

# --- a default that an argument replaces
def total(x, axis=0):
    return jnp.sum(x, axis=axis)  # JAX223

@jax.jit
def f(x, *args):
    return total(x, *args)

def main():
    return f(jnp.ones(3), 0)

# --- branch on an argument beyond the parameters
@jax.jit
def f(scale, *rows):
    for row in rows:
        if row > 0:  # JAX201
            scale = scale + row
    return scale

def main():
    return f(1.0, 2.0, 3.0)

# --- number of arguments beyond the parameters
@partial(jax.jit, static_argnums=0)
def f(mode, *rows, **options):
    if mode == "sum" and len(rows) > 1:
        print(mode, len(rows), sorted(options))
    return sum(rows)

@jax.jit
def g(*rows):
    if not rows:
        return 0.0
    return rows[0]

def main():
    return f("sum", 1.0, 2.0, scale=1.0), g(3.0)

# --- an option that a decorator hands on with all that it is given
def timed(f):
    def inner(*args, **kwargs):
        return f(*args, **kwargs)
    return inner

@timed
@partial(jax.jit, static_argnames="check")
def f(x, check=False):
    if check:
        if x.sum() > 0:  # JAX201
            return x
    return -x

def main():
    import json
    return f(jnp.ones(3), **json.loads('{"check": true}'))

# --- an option that a decorator keeps to itself
def once(f):
    def inner(x, **kwargs):
        print(kwargs)
        return f(x)
    return inner

@once
@partial(jax.jit, static_argnames="check")
def f(x, check=False):
    if check:
        if x.sum() > 0:
            return x
    return -x

def main():
    return f(jnp.ones(3), check=True)

# --- a decorator checks all arguments of what is differentiated, which nobody is seen to call
def validated(function):
    def checked(*args):
        for value in args:
            if not np.all(np.isfinite(value)):  # JAX213
                raise ValueError("not finite")
        return function(*args)

    return checked

@validated
def potential(q):
    return 0.5 * q @ q

force = jax.grad(potential)

def main():
    globals()["force"](jnp.ones(3))

# --- a decorator checks all arguments as JAX can, and the second one is not differentiated
def validated(function):
    def checked(*args):
        if not np.all(np.isfinite(args[1])):
            raise ValueError("not finite")
        return function(*args)

    return checked

@validated
def potential(q, mass):
    return 0.5 * q @ q * mass

force = jax.grad(potential)

def main():
    globals()["force"](jnp.ones(3), 2.0)

# --- what is handed on by a star of an unknown length
def total(x, *rest):
    if rest[0] > 0:  # JAX201
        return x
    return x + 1

@jax.jit
def f(x, parts):
    return total(x, *parts)

def main():
    return f(1.0, (2.0, 3.0))

# --- what is handed on by two stars of unknown names
def total(x, **more):
    if more["w"] > 0:  # JAX201
        return x
    return x + 1

@jax.jit
def f(x, params):
    return total(x, **params)

def main():
    return f(1.0, {"w": 2.0})

# --- what is handed on by two stars from two stars, beside settings
def total(x, *, scale=2, **more):
    if scale > 1:
        x = x * scale
    if more["w"] > 0:  # JAX201
        return x
    return x + 1

@jax.jit
def f(x, **params):
    return total(x, scale=3, **params)

def main():
    return f(1.0, w=2.0)

# --- settings are handed on by two stars from two stars
def total(x, *, doubled=False, **more):
    if more["mode"] == "sum" or doubled:
        return x.sum()
    return x.mean()

@partial(jax.jit, static_argnames=("mode", "doubled"))
def f(x, **settings):
    return total(x, **settings)

def main():
    return f(jnp.ones(3), mode="sum")

# --- behind a static object, by a decorator that hands them on
import functools

def scoped(function):
    @functools.wraps(function)
    def wrapper(self, *args, **kwargs):
        with jax.named_scope(function.__name__):
            return function(self, *args, **kwargs)

    return wrapper

class Model:
    def __init__(self, layers: int):
        self.layers = layers

    @functools.partial(jax.jit, static_argnums=0)
    @scoped
    def step(self, x, y):
        if self.layers > 3:
            return y
        if x > 0:  # JAX201
            return y
        return -y

def main():
    return Model(2).step(1.0, 2.0)

# --- behind a parameter that is static by its name
def scoped(function):
    def wrapper(mode, *args):
        return function(mode, *args)

    return wrapper

@partial(jax.jit, static_argnames="mode")
@scoped
def step(mode, x):
    if mode == "double":
        x = 2 * x
    return x if x > 0 else -x  # JAX201

def main():
    return step("double", 1.0)

# --- one of them is static, by its number or its name
import functools

def scoped(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper

@functools.partial(jax.jit, static_argnums=1)
@scoped
def by_number(x, mode):
    return 2 * x if mode else x

@functools.partial(jax.jit, static_argnames="mode")
@scoped
def by_name(x, mode):
    return 2 * x if mode else x

@functools.partial(jax.jit, static_argnums=-1)
@scoped
def from_the_end(x, mode):
    return 2 * x if mode else x

def main():
    return by_number(1.0, True), by_name(1.0, mode=True), from_the_end(1.0, True)

# --- parameters behind one that a partial has bound by its name
def planes(rows, height, width, kinds):
    assert height > 0 and width > 0
    return jnp.tile(rows[None, None], (height, width, 1)) * kinds

def of_all(rows, height, kinds):
    return jax.vmap(partial(planes, height=height, width=2))(rows, kinds=kinds)

def refused(rows, height):
    return jax.vmap(partial(planes, height=height, depth=2))(rows)

def main():
    try:
        refused(jnp.ones((2, 3)), 4)
    except TypeError:
        pass
    return of_all(jnp.ones((2, 3)), 4, jnp.ones(2))
