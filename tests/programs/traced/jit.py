# Functions that `jax.jit` traces, however it is written, and functions that it does not.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- jit decorator
@jax.jit
def f(x):
    if x > 0:  # JAX201
        return x
    return -x

def main():
    return f(1.0)

# --- jit decorator factory
@jax.jit(static_argnames="n")
def f(x, n):
    if x > n:  # JAX201
        return x
    return -x

def main():
    return f(1.0, n=2)

# --- jit partial
@partial(jax.jit, static_argnums=1)
def f(x, n):
    while x < n:  # JAX201
        x = x + 1
    return x

def main():
    return f(1.0, 3)

# --- jit call
def f(x):
    return x if x > 0 else -x  # JAX201

g = jax.jit(f)

def main():
    return g(1.0)

# --- jit lambda
def main():
    return jax.jit(lambda x: x if x > 0 else -x)(1.0)  # JAX201

# --- jit from import alias
from jax import jit as compiled

@compiled
def f(x):
    assert x > 0  # JAX201
    return x

def main():
    return f(1.0)

# --- module alias
import jax as j

@j.jit
def f(x):
    return float(x)  # JAX211

def main():
    return f(1.0)

# --- numpy alias of jnp
import jax.numpy as np

@jax.jit
def f(x):
    if np.any(x > 0):  # JAX201
        return np.sin(x)
    return x

def main():
    return f(np.ones(2))

# --- static method around a transform
class Model:
    @staticmethod
    @jax.jit
    def clip(x):
        if x > 0:  # JAX201
            return x
        return -x

    @staticmethod
    @partial(jax.jit, static_argnums=0)
    def scale(large, x):
        return 10 * x if large else x

def main():
    assert Model().scale(True, 1.0) == Model.scale(True, 1.0)
    return [getattr(Model(), name)(1.0) for name in ("clip",)]

# --- jit nested
def main():
    scale = 2.0

    @jax.jit
    def inner(x):
        if x * scale > 1:  # JAX201
            return x
        return scale

    return inner(1.0)

# --- jit method static self
class Model:
    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        if x.sum() > 0:  # JAX201
            return x
        return -x

def main():
    return Model().apply(jnp.ones(2))

# --- jit bound method
class Model:
    def __init__(self):
        self.apply = jax.jit(self._apply)

    def _apply(self, x):
        return max(x, 0.0)  # JAX203

def main():
    return Model().apply(1.0)

# --- jit static method
class Model:
    @staticmethod
    @jax.jit
    def apply(x):
        return not x  # JAX202

def main():
    return Model.apply(1.0)

# --- jit in factory
def make_step(rate):
    @jax.jit
    def step(x):
        if x > rate:  # JAX201
            return x - rate
        return x

    return step

def main():
    return make_step(0.1)(1.0)

# --- jit of partial
def f(scale, x):
    return x if x > scale else scale  # JAX201

def main():
    return jax.jit(partial(f, 2.0))(1.0)

# --- decorator of the project
def fast(function):
    return jax.jit(function)

@fast
def f(x):
    if x > 0:  # JAX201
        return x
    return -x

def main():
    return f(1.0)

# --- helper called by traced
def clip(x, limit):
    if x > limit:  # JAX201
        return limit
    return x

@jax.jit
def f(x):
    return clip(x * 2, 1.0)

def main():
    return f(1.0)

# --- two helpers away
def decide(x):
    return bool(x)  # JAX211

def middle(x):
    return decide(x + 1)

@jax.jit
def f(x):
    return middle(x)

def main():
    return f(1.0)

# --- method called by traced
class Model:
    def clip(self, x):
        if x > 1:  # JAX201
            return 1.0
        return x

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return self.clip(x)

def main():
    return Model().apply(1.0)

# --- function in a table
def relu(x):
    return x if x > 0 else 0.0  # JAX201

ACTIVATIONS = {"relu": relu, "tanh": jnp.tanh}

@partial(jax.jit, static_argnames="name")
def f(x, name):
    return ACTIVATIONS[name](x)

def main():
    return f(1.0, name="relu")

# --- eager
def f(x):
    if x > 0:
        return float(x)
    return np.sin(x)

def main():
    return f(jnp.ones(()))

# --- local function of the same name
class Trainer:
    def step(self, x):
        if x > 0:
            return float(x)
        return 0.0

    def run(self, x):
        def step(y):
            return y * 2

        return jax.jit(step)(x), self.step(x)

def main():
    return Trainer().run(1.0)

# --- jit of another library
class numba:
    @staticmethod
    def jit(function):
        return function

@numba.jit
def f(x):
    if x > 0:
        return float(x)
    return 0.0

def main():
    return f(1.0)

# --- equinox filter jit
import equinox as eqx

@eqx.filter_jit
def f(x, mode, deep):
    if mode == "double" and deep:
        return x * 2
    return x

def main():
    return f(jnp.ones(2), "double", True)

# --- partial static in loop
def main():
    def body(deep, carry, x):
        if deep:
            carry = carry + x
        return carry, None

    return jax.lax.scan(partial(body, True), 0.0, jnp.ones(3))

# --- cached maker of compiled functions
from functools import lru_cache

cached_jacobian = lru_cache(maxsize=None)(lambda f: jax.jit(jax.jacfwd(f, argnums=1), static_argnums=0))
cached_jit = lru_cache(maxsize=None)(jax.jit)

def scaled(n, x):
    return n * x

also_cached = lru_cache(scaled)

def main():
    x = jnp.ones(3)
    return cached_jacobian(scaled)(2, x), cached_jit(scaled, static_argnums=0)(2, x), also_cached(2, 3), scaled(2, x)

# --- looked at where nothing is compiled
@jax.jit
def f(x):
    if jax.config.jax_disable_jit:
        assert not np.any(np.isnan(x))
    return x

def main():
    with jax.disable_jit():
        f(jnp.ones(3))
    return f(jnp.ones(3))

# --- kept where nothing is compiled
def main():
    seen = []
    def step(carry):
        seen.append(carry)
        return carry + 1
    with jax.disable_jit():
        jax.lax.while_loop(lambda carry: carry.sum() < 6, step, jnp.ones(3))
    return float(seen[0][0])

# --- kept where it is compiled beside what is not
def main():
    seen = []
    def step(carry):
        seen.append(carry)  # JAX107
        return carry + 1
    jax.lax.while_loop(lambda carry: carry.sum() < 6, step, jnp.ones(3))
    with jax.disable_jit():
        jax.lax.while_loop(lambda carry: carry.sum() < 6, lambda carry: carry + 1, jnp.ones(3))
    return float(seen[0])  # JAX211

# --- version guarded
@jax.jit
def f(x):
    if jax.__version_info__ >= (0, 4, 0) and jax.process_index() == 0 and jax.default_backend() != "none":
        return x
    return -x

def main():
    return f(1.0)

# --- compile time eval
@jax.jit
def f(x):
    with jax.ensure_compile_time_eval():
        n = int(jnp.sum(jnp.arange(4)))
        if jnp.sqrt(4.0) > 1:
            n = n + 1
    return x * n

def main():
    return f(1.0)

# --- what has a method that arrays have is one, and traced, in a function that equinox compiles
import equinox as eqx

class Scale(eqx.Module):
    weight: jax.Array

    def __call__(self, y):
        if y.sum() > 0:  # JAX201
            return y * self.weight
        return y

@eqx.filter_jit
def step(scale: Scale, x):
    return scale(x)

def main():
    return step(Scale(jnp.ones(3)), jnp.ones(3))

# --- what is multiplied as a matrix is an array, and traced, in a function that equinox compiles
import equinox as eqx

@eqx.filter_jit
def step(model, x):
    y = model.weight @ x
    return y if y.mean() > 0 else -y  # JAX201

def main():
    model = eqx.nn.Linear(3, 3, key=jax.random.key(0))
    return step(model, jnp.ones(3))

# --- numbers, shapes and names are as they are in a function that equinox compiles
import equinox as eqx

@eqx.filter_jit
def step(x, scale, options):
    if scale > 1.0 and options["flip"]:
        x = -x
    if x.shape[0] > 2 and len(x) > 2 and options["name"].upper() == "SUM":
        return x.sum() * scale
    return x.mean()

def main():
    assert step(jnp.ones(3), 2.0, {"flip": True, "name": "sum"}) == -6.0

# --- a class that is static, or that no transform is given
from functools import partial

class Counter:
    step = 2.0

    @classmethod
    @partial(jax.jit, static_argnums=0)
    def bump(cls, x):
        return x + cls.step

    @staticmethod
    @jax.jit
    def twice(x):
        return 2 * x

    @classmethod
    def make(cls, x):
        return jax.jit(lambda x: x * cls.step)(x)

def main():
    return Counter.bump(1.0), Counter.twice(1.0), Counter.make(1.0)
