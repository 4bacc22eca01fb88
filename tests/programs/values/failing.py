# Calls that fail, which end their path.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- record without a field
from typing import NamedTuple

class State(NamedTuple):
    key: jax.Array
    x: jax.Array
    n: int = 0

def start(key):
    state = State(key)
    return jax.random.normal(state.key) + jax.random.normal(state.key)

def main():
    try:
        start(jax.random.key(0))
    except TypeError:
        pass

# --- function without an argument
def draw(key, shape):
    return jax.random.normal(key, shape)

def twice(key):
    if draw(key).sum():
        return jax.random.normal(key)
    return draw(key, ()) + jax.random.normal(key)

@jax.jit
def f(x):
    rows = draw(jax.random.key(0))
    return rows if x > 0 else x

def main():
    for call in (lambda: twice(jax.random.key(0)), lambda: f(1.0)):
        try:
            call()
        except TypeError:
            pass

# --- all arguments
def draw(key, shape=(), *, scale):
    return scale * jax.random.normal(key, shape)

def pick(key, *rest, **named):
    return draw(key, *rest, **named)

@jax.jit
def f(x, key):
    rows = pick(key, scale=2.0) + draw(x, scale=1.0) if x is key else pick(key, (), scale=x)
    return rows if x > 0 else x  # JAX201

def main():
    return f(1.0, jax.random.key(0))

# --- a method that does not take an argument is not run, and nothing is claimed of what would follow
class Model:
    def __init__(self):
        self.score = None

    def fit(self, x):
        self.score = jnp.sum(x)

def score(x):
    model = Model()
    model.fit(x, with_covariance=True)
    return model.score

def other(x):
    model = Model()
    return model.score

def main():
    try:
        jax.grad(score)(jnp.ones(2))
    except TypeError:
        pass
    jax.grad(other)(jnp.ones(2))  # JAX601

# --- a class that is given too few arguments is not made, and takes no argument for another
class Block:
    def __init__(self, width, iterations, key, strategy):
        first, second = jax.random.split(key)
        self.kernel = jax.random.normal(first, (width,))
        self.bias = jax.random.normal(second, (width,))

class Model:
    def __init__(self, number, key, strategy):
        self.strategy = strategy
        make = lambda k: Block(2, k, self.strategy)
        self.blocks = [make(k) for k in jax.random.split(key, number)]

def main():
    try:
        Model(3, jax.random.key(0), jax.random.key(1))
    except TypeError:
        pass

# --- a class that is given all its arguments, by place, by name and by default
class Block:
    def __init__(self, width, key, *, scale=1.0):
        first, second = jax.random.split(key)
        self.kernel = scale * jax.random.normal(first, (width,))
        self.bias = jax.random.normal(second, (width,))

class Model:
    def __init__(self, number, key):
        self.blocks = [Block(2, key=key, scale=2.0) for _ in range(number)]  # JAX403

def main():
    return Model(3, jax.random.key(0)).blocks[0].bias

# --- a compiled function with too many arguments or too few ends the path
@jax.jit
def step(x, key):
    return x + jax.random.normal(key)

def many(key):
    step(1.0, key, 3)
    return jax.random.normal(key) + jax.random.normal(key)

def few(key):
    step(key)
    return jax.random.normal(key) + jax.random.normal(key)

def right(key):
    return step(1.0, key=key) + jax.random.normal(key)  # JAX401

def main():
    for call in (many, few):
        try:
            call(jax.random.key(0))
        except TypeError:
            pass
    return right(jax.random.key(0))

# --- a number in a list of floats
def main():
    return jnp.array([1.0, 2654435761]), jnp.array([1, 2654435761], jnp.uint32), jnp.array([True, 2147483647])

# --- a dict that is unpacked into another number of names
def update(grads, params):
    new, first, second = jax.tree.map(lambda g, p: (p - g, g, g * g), grads, params)
    return new, first, second

def step(params):
    params, first, second = update(params, params)
    return jax.jit(lambda p: p)(params)

def main():
    try:
        step({"w": jnp.ones(2), "b": jnp.zeros(2)})
    except ValueError:
        pass

# --- what a function that raises in any case is followed by
class Refused(Exception):
    pass

def refuse(why):
    raise Refused(why)

def check(n):
    if n < 3:
        refuse("few")
    return n

def start(key):
    refuse("no")
    return jax.random.normal(key) + jax.random.normal(key)

def with_few(key):
    check(2)
    return jax.random.normal(key) + jax.random.normal(key)

def with_many(key):
    check(4)
    return jax.random.normal(key) + jax.random.normal(key)  # JAX401

def with_both(key):
    check(4)
    check(2)
    return jax.random.normal(key) + jax.random.normal(key)

def main():
    for call in (start, with_few, with_many, with_both):
        try:
            call(jax.random.key(0))
        except Refused:
            pass
    return with_many(jax.random.key(0))

# --- a branch of which a helper, or a method that no class replaces, makes an end
class Refused(Exception):
    pass

class Limits:
    def __init__(self, most):
        self.most = most

    def refuse(self, n):
        raise Refused(n)

    def sample(self, key, n):
        if n > self.most:
            print(jax.random.normal(key))
            self.refuse(n)
        return jax.random.normal(key)

def main(limits=Limits(3)):
    return limits.sample(jax.random.key(0), 2)

# --- a method that a derived class replaces makes no end
class Sampler:
    def settle(self, key):
        raise ValueError("not for this one")

    def sample(self, key):
        self.settle(key)
        return jax.random.normal(key) + jax.random.normal(key)  # JAX401

class Settled(Sampler):
    def settle(self, key):
        return None

def main():
    return globals()["Settled"]().sample(jax.random.key(0))

# --- objects whose making fails
class Refused(Exception):
    pass

class Checked:
    def __init__(self, n):
        if n < 1:
            raise Refused(n)
        self.n = n

def some(key):
    Checked(1)
    return jax.random.normal(key) + jax.random.normal(key)  # JAX401

def none(key):
    Checked(0)
    return jax.random.normal(key) + jax.random.normal(key)

def main():
    try:
        none(jax.random.key(0))
    except Refused:
        pass
    return some(jax.random.key(0))

# --- the same of a dataclass, and of a call with a default
from dataclasses import dataclass

class Refused(Exception):
    pass

@dataclass
class Checked:
    n: int

    def __post_init__(self):
        if self.n < 1:
            raise Refused(self.n)

def some(key, n=1):
    Checked(n)
    return jax.random.normal(key) + jax.random.normal(key)  # JAX401

def none(key):
    Checked(0)
    return jax.random.normal(key) + jax.random.normal(key)

def main():
    try:
        none(jax.random.key(0))
    except Refused:
        pass
    return some(jax.random.key(0))

# --- what raises in a part of an expression that need not be reached
def refuse():
    raise ValueError

def either(key, n):
    found = n or refuse()
    found = found if n else refuse()
    found = [refuse() for _ in range(n - 3)]
    return jax.random.normal(key) + jax.random.normal(key), found  # JAX401

def main():
    return either(jax.random.key(0), int("3"))

# --- what raises whichever part of an expression is reached
class Refused(Exception):
    pass

def refuse(why=""):
    raise Refused(why)

def neither(key, n):
    n = refuse("more") if n else refuse("fewer")
    return jax.random.normal(key) + jax.random.normal(key)

def nobody(key):
    return jax.random.normal(key) + jax.random.normal(key, (refuse(),))

def main():
    for call in (lambda key: neither(key, 3), nobody):
        try:
            call(jax.random.key(0))
        except Refused:
            pass

# --- generators raise when they are asked, and not when they are made
def numbers():
    raise ValueError
    yield 1

def main():
    made, key = numbers(), jax.random.key(0)
    return made, jax.random.normal(key) + jax.random.normal(key)  # JAX401

# --- who wraps a function may keep the exception to himself
def forgiving(function):
    def run(*args):
        try:
            return function(*args)
        except ValueError:
            return None

    return run

@globals()["forgiving"]
def refuse():
    raise ValueError

def main(key=jax.random.key(0)):
    refuse()
    return jax.random.normal(key) + jax.random.normal(key)  # JAX401

# --- what makes a function that raises does not raise
def refusing(why):
    def refuse():
        raise ValueError(why)

    return refuse

def main(key=jax.random.key(0)):
    made = refusing("no")
    return made, jax.random.normal(key) + jax.random.normal(key)  # JAX401

# --- what is called for another reason than to be waited for
def refuse(x):
    raise ValueError

def main(key=jax.random.key(0)):
    jax.tree.map(refuse, {})
    sorted([], key=refuse)
    sorted([], key=lambda one: refuse(one))
    return jax.random.normal(key) + jax.random.normal(key)  # JAX401

# --- who calls what a mistake breaks goes on as if it were mended
def halves(x):
    first, second, third = x, x
    return first

def main(key=jax.random.key(0)):
    try:
        halves(jnp.ones(2))
    except ValueError:
        pass
    return after(key)

def after(key):
    if key is None:
        halves(jnp.ones(2))
    return jax.random.normal(key) + jax.random.normal(key)  # JAX401

def at_once(key):
    halves(jnp.ones(2))
    return jax.random.normal(key) + jax.random.normal(key)  # JAX401
