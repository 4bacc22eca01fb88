# Arguments that are static, by number or by name, and their traced neighbours.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- static argument that the function does not take
KINDS = [jnp.float16, jnp.float32]

def embed(table, tokens, kind):
    if tokens > 3:
        return table
    return table[tokens].astype(KINDS[kind])

def main():
    for make in (jax.jit, jax.checkpoint, partial(jax.pmap, static_broadcasted_argnums=3)):
        for options in ({"static_argnums": 3}, {"static_argnames": "kinds"}):
            try:
                make(embed, **options)(jnp.ones(3), 1, 0)
            except (TypeError, ValueError):
                continue
            raise AssertionError("JAX takes it")

jitted = partial(jax.jit, static_argnums=(-4,))
checkpointed = jax.checkpoint(embed, static_argnums=(3,))

def never(table):
    return jitted(embed), checkpointed(table, 1, 0), jax.jit(embed, static_argnames="kinds")  # JAX506

# --- static arguments that the function does take
def choose(x, *flags):
    if x > 0:  # JAX201
        return x
    return -x if flags[1] else x

def main():
    return jax.jit(choose, static_argnums=(2, 5))(1.0, False, True)

# --- static argument by name among others
def choose(x, flag, **others):
    if flag:
        return x
    if x > 0:  # JAX201
        return x
    return -x

def main():
    return jax.jit(choose, static_argnums=-1, static_argnames=("scale",))(1.0, False, scale=1)

# --- static names of a wrapped function
from functools import wraps

def logged(f):
    @wraps(f)
    def wrapped(*args, **kwargs):
        return f(*args, **kwargs)
    return wrapped

@partial(jax.jit, static_argnames=("n", "m"))
@logged
def f(x, n=1, m=2):
    return x * 2 if n > m else x

@partial(jax.jit, static_argnums=list(range(1, 3)), static_argnames=("n", "m"))
@logged
def g(x, n=1, m=2):
    return x * 2 if n > m else x

def main():
    return f(jnp.ones(3), 1, 2), f(jnp.ones(3), n=1), g(jnp.ones(3), 1, 2), g(jnp.ones(3), m=1)

# --- static of the other argument
@partial(jax.jit, static_argnums=(0,))
def f(n, x):
    return x if x > n else -x  # JAX201

def main():
    return f(2, 1.0)

# --- default that is passed
@jax.jit
def f(x, train=True):
    if train:  # JAX201
        return x
    return -x

def main():
    return f(1.0, train=False)

# --- star arguments
@jax.jit
def f(*xs, **options):
    if xs[0] > options["limit"]:  # JAX201
        return xs[0]
    return xs[1]

def main():
    return f(1.0, 2.0, limit=3.0)

# --- static name
@partial(jax.jit, static_argnames=("mode", "n"))
def f(x, mode, n=2):
    if mode == "sum":
        return x.sum()
    for _ in range(n):
        x = x * 2
    return x

def main():
    return f(jnp.ones(2), "sum"), f(jnp.ones(2), mode="twice", n=3)

# --- static number
@partial(jax.jit, static_argnums=(1,))
def f(x, n):
    return x.reshape(n, -1) if n > 1 else x

def main():
    return f(jnp.ones(4), 2)

# --- static number by name
@partial(jax.jit, static_argnums=1)
def f(x, flag):
    return x if flag else -x

def main():
    return f(1.0, flag=True)

# --- static negative number
@partial(jax.jit, static_argnums=-1)
def f(x, y, flag):
    return x if flag else y

def main():
    return f(1.0, 2.0, True)

# --- static self
class Model:
    def __init__(self, deep):
        self.deep = deep

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        if self.deep:
            return x * 2
        return x

def main():
    return Model(True).apply(1.0)

# --- default not passed
@jax.jit
def f(x, train=True, axis=None):
    if train and axis is None:
        return x
    return -x

def main():
    return f(1.0)

# --- bound by partial
def f(mode, x):
    return x if mode == "id" else -x

def main():
    return jax.jit(partial(f, "id"))(1.0)

# --- closed over python value
def make(deep, limits):
    @jax.jit
    def f(x):
        if deep and (np.array(limits) > 0).all():
            return x * limits[0]
        return x

    return f

def main():
    return make(True, [1.0, 2.0])(1.0)

# --- lambda static index
LAYERS = [1.0, 2.0]

@jax.jit
def f(x):
    for i, scale in enumerate(LAYERS):
        x = x * LAYERS[i] + scale
    return x

def main():
    return f(1.0)

# --- no none for an argument that each call gives
import random

class Keys:
    def __init__(self, key=None):
        self.key = jax.random.key(random.randint(0, 9)) if key is None else key

@jax.jit
def f(x, key):
    return x + jax.random.normal(Keys(key).key)

def main():
    return f(1.0, jax.random.key(0))

# --- a static name of a function of JAX that is given by position
split = jax.jit(jax.random.split, static_argnames=("num",))
zeros = jax.jit(jnp.zeros, static_argnames="shape")

def main():
    return split(jax.random.key(0), 3), zeros((3,))

# --- no static name of a function of JAX
split = jax.jit(jax.random.split)

def main():
    return split(jax.random.key(0), 3)  # JAX223

# --- a static name of another parameter of the program's own function
def grid(x, count, start):
    return x + jnp.linspace(start, 1.0, count)  # JAX223

def main():
    return jax.jit(grid, static_argnames="start")(jnp.ones(3), 3, 0.0)

# --- a callable that is a pytree for the outer function, and static for the inner
@partial(jax.jit, static_argnames=["step"])
def rollout(x, forces, step):
    return jax.lax.scan(lambda x, force: (step(x, force), x), x, forces)[0]

@partial(jax.jit, static_argnames=["rate"])
def mapped(xs, rate):
    return jax.vmap(rate)(xs)

@jax.jit
def solve(x, forces, step):
    return rollout(x, forces, step) + mapped(forces, jax.tree_util.Partial(step, x)).sum()

def main():
    step = jax.tree_util.Partial(lambda a, x, force: a * x + force, jnp.float32(0.5))
    return solve(jnp.float32(1.0), jnp.ones(3), step)

# --- a number that is traced for the outer function, and static for the inner
@partial(jax.jit, static_argnames=["scale"])
def rollout(x, step, scale):
    return step(x) * scale

@jax.jit
def solve(x, scale):
    return rollout(x, jax.tree_util.Partial(jnp.sin), scale)  # JAX504

def main():
    return solve(jnp.float32(1.0), 2)

# --- a module of flax has the hash of its fields: an array has none
import flax.linen as nn

class Scaled(nn.Module):
    scale: float

    def __call__(self, x):
        return x * self.scale

@partial(jax.jit, static_argnums=1)
def apply(x, model):
    return model.apply({}, x)

def main():
    apply(jnp.ones(3), Scaled(2.0))
    return apply(jnp.ones(3), Scaled(jnp.float32(2.0)))  # JAX504

# --- nor has a list, but a tuple has
import flax.linen as nn

class Net(nn.Module):
    sizes: list

    def __call__(self, x):
        return x * len(self.sizes)

@partial(jax.jit, static_argnums=1)
def apply(x, model):
    return model.apply({}, x)

def main():
    apply(jnp.ones(3), Net((4, 4)))
    return apply(jnp.ones(3), Net([4, 4]))  # JAX504

# --- one that says itself what its hash is
import flax.linen as nn

class Net(nn.Module):
    sizes: list

    def __hash__(self):
        return len(self.sizes)

    def __call__(self, x):
        return x * len(self.sizes)

@partial(jax.jit, static_argnums=1)
def apply(x, model):
    return model.apply({}, x)

def main():
    return apply(jnp.ones(3), Net([4, 4]))
