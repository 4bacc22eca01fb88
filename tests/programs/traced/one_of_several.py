# A call of one of several functions under a trace: what each of the project's does there happens when it is chosen.

import time
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

def plain(x):
    return x

# --- by a table and a static argument
def noted(x):
    print(x)  # JAX101
    return x

@partial(jax.jit, static_argnames="name")
def run(x, name):
    return {"plain": plain, "noted": noted}[name](x)

def main():
    return run(jnp.ones(3), "noted")

# --- by a conditional expression
def noted(x):
    print(x)  # JAX101
    return x

@partial(jax.jit, static_argnames="is_noted")
def run(x, is_noted):
    activation = noted if is_noted else plain
    return activation(x)

def main():
    return run(jnp.ones(3), True)

# --- by the size of an argument, with some arguments given before
def timed(x, by):
    return x * by * time.time()  # JAX103

@jax.jit
def run(x):
    step = [plain, partial(timed, by=2.0)][len(x) - 2]
    return step(x)

def main():
    return run(jnp.ones(3))

# --- a loss of several, differentiated
LOSSES = {"mse": lambda y: (y**2).mean(), "clipped": lambda y: float(y.max())}  # JAX211

def run(name, x):
    return jax.grad(lambda x: LOSSES[name](x))(x)

def main():
    return run("clipped", jnp.ones(3))

# --- what the functions draw is used up by either
def draws(key, name):
    sampler = {"a": lambda key: jax.random.normal(key), "b": lambda key: jax.random.uniform(key)}[name]
    x = sampler(key)
    return x + sampler(key)  # JAX401

def main():
    return draws(jax.random.key(0), "a")

# --- by a number, a function or an object's method, compiled once more
class Model:
    def apply(self, x, by):
        return x * by * time.time()  # JAX103

@partial(jax.jit, static_argnums=1)
def run(x, number):
    step = [plain, partial(Model().apply, by=2.0)][number]
    return jax.jit(step)(x)

def main():
    return run(jnp.ones(3), 1)

# --- one of two libraries: which one goes with what it is given
def sine(x, is_host: bool):
    xp = np if is_host else jnp
    return xp.sin(x)

compiled = jax.jit(sine, static_argnums=1)

def main():
    return compiled(jnp.ones(3), False)

# --- one of two objects: which one goes with what it is given
class OnHost:
    def sine(self, x):
        return np.sin(x)

class OnDevice:
    def sine(self, x):
        return jnp.sin(x)

@partial(jax.jit, static_argnames="is_host")
def run(x, is_host):
    chosen = OnHost() if is_host else OnDevice()
    return chosen.sine(x)

def main():
    return run(jnp.ones(3), is_host=False)

# --- one of two objects: chosen before the trace
class Plain:
    def step(self, x):
        return x + 1

class Resetting:
    def __init__(self, inner):
        self.inner = inner

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def step(self, x):
        x = self.inner.step(x)
        if x > self.limit:  # JAX201
            return 0 * x
        return x

class Bounded(Plain):
    limit = 3.0

def make(name):
    return Resetting(Bounded()) if len(name) > 3 else Plain()

@partial(jax.jit, static_argnums=0)
def run(env, x):
    return env.step(x)

def main():
    return run(make("long name"), jnp.ones(()))

# --- a wrapper asks its object for what it lacks
class Env:
    def reset(self, key):
        print(key)  # JAX101
        return jax.random.normal(key, (2,))

class Wrapper:
    def __init__(self, env):
        self._env = env

    def __getattr__(self, name):
        if name == "_env":
            raise AttributeError(name)
        return getattr(self._env, name)

env = Wrapper(Wrapper(Env()))

@jax.jit
def start(key):
    return env.reset(key)

def main():
    return start(jax.random.key(0))

# --- a class that its decorator keeps in a table
LAYERS = {}

def layer(name):
    def keep(cls):
        LAYERS[name] = cls
        return cls
    return keep

@layer("centered")
class Centered:
    def __init__(self):
        self.mean = 0.0

    def __call__(self, x):
        self.mean = self.mean + x  # JAX107
        return x - self.mean

@layer("scaled")
class Scaled:
    def __init__(self):
        self.scale = 2.0

    def __call__(self, x):
        return x * self.scale

def build(names):
    return [LAYERS[name]() for name in names]

def forward(layers, x):
    for one in layers:
        x = one(x)
    return x

def main():
    layers = build(["scaled", "centered"])
    return jax.jit(lambda x: forward(layers, x))(1.0)

# --- a decorator that gives another one where it is given no function, and is given one
def traced(fn=None, n=None):
    if fn is None:
        return lambda other: traced(other, n)

    def wrapped(*args):
        return fn(*args)

    return wrapped

def check(fn, x, n):
    return jax.jit(traced(fn, n))(x)

def main():
    return check(jnp.sin, jnp.ones(2), 1)

# --- and is given none
def traced(fn=None, n=None):
    if fn is None:
        return lambda other: traced(other, n)

    def wrapped(*args):
        return fn(*args)

    return wrapped

def double(x):
    return x * 2

def main():
    give = traced(n=1)
    return jax.jit(lambda x: give(double))(jnp.ones(2))  # JAX515

# --- by a table of six that make functions
def warm(rate):
    def schedule(step):
        if step < 10:  # JAX201
            return rate * step
        return rate
    return schedule

SCHEDULES = {
    "constant": lambda rate: lambda step: rate,
    "halved": lambda rate: lambda step: rate / 2,
    "cosine": lambda rate: lambda step: rate * jnp.cos(step),
    "inverse": lambda rate: lambda step: rate / (1 + step),
    "root": lambda rate: lambda step: rate * step**-0.5,
    "warm": warm,
}

def train(name):
    schedule = SCHEDULES[name](0.1)

    @jax.jit
    def step(count, params):
        return count + 1, params - schedule(count)

    return step(0, 1.0)

def main(name="warm"):
    return train(name)

# --- an object of several classes, which an attribute tells apart
class Lines:
    def __init__(self, source):
        self.source = source
        self.kind = "lines"
        self.is_read_on_the_host = False

    def at(self, x):
        return x * 2

class Table:
    is_read_on_the_host = True

    def __init__(self, source):
        self.source = source
        self.kind = "table"

    def at(self, x):
        return np.sin(x)

    def near(self, x):
        return np.cos(x)  # JAX213

class Opacity:
    def __init__(self, database):
        self.database = database

    def of(self, x):
        if self.database.kind == "lines":
            return jax.vmap(self.database.at)(x)
        return self.database.at(np.ones(3))

def found(name):
    return Lines(name) if name else Table(name)

def unlike(database, x):
    if database.kind != "lines":
        return database.at(1.5)
    return jax.vmap(database.at)(x)

def on_the_host(database, x):
    if database.is_read_on_the_host:
        return database.at(1.5)
    return jax.vmap(database.at)(x)

def nearby(database, x):
    if database.kind == "table":
        return jax.vmap(database.near)(x)
    return x

def main(name=""):
    database = found(name)
    Opacity(database).of(jnp.ones(3))
    unlike(database, jnp.ones(3))
    on_the_host(database, jnp.ones(3))
    nearby(database, jnp.ones(3))

# --- what a loop goes through: each of several objects is met
class Halved:
    def __call__(self, x):
        return x / 2

class Shown:
    def __call__(self, x):
        print("x", x)  # JAX101
        return x

class Turned:
    def __call__(self, x):
        return -x

KINDS = {"halved": Halved, "shown": Shown, "turned": Turned}

class Chain:
    def __init__(self, names):
        self.parts = [KINDS[name]() for name in names]

    def __call__(self, x):
        for part in self.parts:
            x = part(x)
        return x

def main():
    return jax.jit(Chain(["halved", "shown", "turned"]))(jnp.ones(3))

# --- arguments by names that nobody knows are for one of several functions
MAKERS = {}

def made(maker):
    MAKERS[maker.__name__] = maker
    return maker

@made
def scaled(scale):
    return lambda x: x * scale

@made
def padded(width):
    return lambda x: x + jnp.zeros(width)

def built(spec):
    return MAKERS[spec["name"]](**{name: value for name, value in spec.items() if name != "name"})

def all_built(specs):
    return [built(spec) for spec in specs]

def main():
    for step in all_built([{"name": "scaled", "scale": 0.5}, {"name": "padded", "width": 2}]):
        step(jnp.ones(2))

# --- names that a comprehension takes on
def sized(shape):
    return jnp.zeros(shape)  # JAX314

def made(settings):
    return sized(**{name: value for name, value in settings.items() if name != "kind"})

def main():
    return made({"kind": "sized", "shape": 2.5})
