# What is a tracer on one path and a value of Python on another, where Python asks for its truth.

from functools import partial

import jax
import jax.numpy as jnp

# --- chosen by an if
@partial(jax.jit, static_argnames="n")
def run(x, n):
    if n == 1:
        is_due = True
    else:
        is_due = x > 0
    if is_due:  # JAX201
        return x
    return -x

def main():
    return run(1.0, 1), run(1.0, 2)

# --- chosen by a conditional expression, which nobody is seen to come to
@partial(jax.jit, static_argnames="n")
def run(x, n):
    is_due = n == 1 or x > 0
    must = None if n == 3 else x < 9
    return x if must else is_due  # JAX201 possible

def main(n=2):
    return run(1.0, n)

# --- chosen by a method, and handed on by name to a branch
class Steps:
    def __init__(self, every: int = 5):
        self.every = every

    def is_due(self, step):
        if self.every == 1:
            return True
        return step % self.every == 0

    def update(self, x, sync=True):
        if sync:  # JAX201
            x = x + 1
        return 2 * x

    def maybe(self, is_wanted, function, x, **kwargs):
        return jax.lax.cond(is_wanted, partial(function, **kwargs), lambda x: x, x)

    @partial(jax.jit, static_argnums=0)
    def step(self, x, step):
        return self.maybe(step > 2, self.update, x, sync=self.is_due(step))

def main():
    return Steps().step(1.0, 3)

# --- asked where what was set beside it says that it is the other one
@partial(jax.jit, static_argnames="n")
def run(x, n):
    if n == 1:
        is_static, is_due = True, True
    else:
        is_static, is_due = False, x > 0
    if is_static:
        return x if is_due else -x
    return jnp.where(is_due, x, -x)

def main():
    return run(1.0, 1), run(1.0, 2)

# --- asked under the condition that chose the other one
@partial(jax.jit, static_argnames="n")
def run(x, n):
    is_due = True if n == 1 else x > 0
    if n == 1:
        assert is_due
    if n == 1 and is_due:
        return x
    return jnp.where(is_due, x, -x)

def main():
    return run(1.0, 1), run(1.0, 2)

# --- asked once it is known to be none, or a value of Python
@partial(jax.jit, static_argnames="n")
def run(x, n):
    is_due = None if n == 1 else x > 0
    if is_due is None:
        return x
    return jnp.where(is_due, x, -x)

@partial(jax.jit, static_argnames="n")
def told_apart(x, n):
    is_due = True if n == 1 else x > 0
    if is_due is True:
        return x
    return jnp.where(is_due, x, -x)

def main():
    return [function(1.0, n) for function in (run, told_apart) for n in (1, 2)]

# --- asked once it is known to be no array
@partial(jax.jit, static_argnames="n")
def of_python(x, n):
    is_due = True if n == 1 else x > 0
    if isinstance(is_due, bool) and is_due:
        return x
    return jnp.where(is_due, x, -x)

@partial(jax.jit, static_argnames="n")
def no_array(x, n):
    is_due = True if n == 1 else x > 0
    if not isinstance(is_due, jax.Array):
        assert is_due
    return jnp.where(is_due, x, -x)

@partial(jax.jit, static_argnames="n")
def no_tracer(x, n):
    is_due = True if n == 1 else x > 0
    if isinstance(is_due, jax.core.Tracer):
        return jax.lax.cond(is_due, lambda: x, lambda: -x)
    return x if is_due else -x

def main():
    return [function(1.0, n) for function in (of_python, no_array, no_tracer) for n in (1, 2)]

# --- asked where an array is not told apart from other arrays
@partial(jax.jit, static_argnames="n")
def run(x, n):
    is_due = True if n == 1 else x > 0
    if isinstance(is_due, jax.Array):
        assert is_due  # JAX201
    return x

def main():
    return run(1.0, 2)

# --- chosen between sizes
@partial(jax.jit, static_argnames="n")
def run(x, n):
    is_long = False if n == 1 else x.shape[0] > n
    return x if is_long else -x

def main():
    return run(jnp.ones(3), 1), run(jnp.ones(3), 2)

# --- the tracer where nothing is traced
@jax.jit
def run(x):
    return step(x, True)

def step(x, jitted):
    is_due = True if jitted else bool(x > 0)
    return x if is_due else -x

def main():
    return run(1.0), step(1.0, False)

# --- one of several functions that a constructor keeps, by a name that it is given
def scaled(x, p):
    return x * p

def chosen(x, p):
    return x if p > 0 else -x  # JAX201

class Model:
    def __init__(self, kind):
        if kind == "scaled":
            self.kernel = scaled
        elif kind == "chosen":
            self.kernel = chosen
        else:
            raise ValueError(kind)

    def run(self, x, p):
        return jax.jit(lambda p: self.kernel(x, p))(p)

def main():
    Model("scaled").run(1.0, 2.0)
    return Model("chosen").run(1.0, 2.0)

# --- what goes with each of them
def pair(x):
    return x, x

def single(x):
    return x

def first(value):
    return value[0]

def same(value):
    return value + 1.0

class Model:
    def __init__(self, kind):
        if kind == "pair":
            self.make, self.take = pair, first
        else:
            self.make, self.take = single, same

    def run(self, x):
        return jax.jit(lambda x: self.take(self.make(x)))(x)

def main():
    assert Model("pair").run(1.0) == 1.0
    return Model("single").run(1.0)
