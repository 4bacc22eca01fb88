# Methods and closures are looked at once for all calls that ask the same of their objects, and anew where they do not.

import jax
import jax.numpy as jnp

# --- after many calls of methods
class Layer:
    def __init__(self, size):
        self.size = size

    def __call__(self, x):
        a = x * self.size
        b = a + 1
        c = b - a
        d = c * b
        e = d + a
        g = e * b
        return g + c

def clipped(x):
    if x > 0:  # JAX201
        return x
    return -x

@jax.jit
def f(x):
    first, second = Layer(2.0), Layer(3.0)
    for layer in (first, second, first, second, first, second, first, second):
        x = layer(x)
    x = first(second(first(second(first(second(first(second(x))))))))
    return clipped(x)

def main():
    return f(jnp.ones(()))

# --- what is asked differs
class Step:
    def __init__(self, traced, name):
        self.traced = traced
        self.name = name

    def run(self, x):
        if self.traced and x > 0:  # JAX201
            return x
        return -x

@jax.jit
def f(x):
    return Step(True, "first").run(x)

@jax.jit
def g(x):
    return Step(False, "second").run(x)

def main():
    return f(1.0) + g(1.0)

# --- what is asked differs, and the branch is never taken
class Step:
    def __init__(self, traced):
        self.traced = traced

    def run(self, x):
        if self.traced and x > 0:
            return x
        return -x

@jax.jit
def f(x):
    return Step(False).run(x) + Step(False).run(2 * x)

def main():
    return f(1.0)

# --- an attribute that a method sets
class Counter:
    def __init__(self):
        self.last = 0.0

    def add(self, x):
        self.last = self.last + x

@jax.jit
def f(x):
    counter = Counter()
    if counter.last > 0:
        return x
    counter.add(x)
    if counter.last > 0:  # JAX201
        return x
    return counter.last

def main():
    return f(1.0)

# --- one object is changed, the other is not
class Counter:
    def __init__(self):
        self.last = 0.0

    def add(self, x):
        self.last = self.last + x

@jax.jit
def f(x):
    one, other = Counter(), Counter()
    one.add(x)
    if other.last > 0:
        return x
    if one.last > 0:  # JAX201
        return x
    return one.last

def main():
    return f(1.0)

# --- a list that a helper fills
def fill(parts, x):
    parts.append(x)

@jax.jit
def f(x):
    parts, others = [], []
    fill(parts, x)
    fill(others, 1.0)
    if others[0] > 0:
        x = x + 1
    if parts[0] > 0:  # JAX201
        x = x - 1
    return x

def main():
    return f(1.0)

# --- closures around different values
def make(limit):
    def clip(x):
        if limit > 0:  # JAX201
            return x
        return -x

    return clip

@jax.jit
def f(x):
    return make(1.0)(x) + make(2.0)(x)

@jax.jit
def g(x):
    return make(x)(x)

def main():
    return f(1.0) + g(1.0)

# --- a variable around a closure
@jax.jit
def f(x):
    total = 0.0

    def add(value):
        nonlocal total
        total = total + value

    add(1.0)
    if total > 0:
        x = x + 1
    add(x)
    if total > 0:  # JAX201
        x = x - 1
    return x

def main():
    return f(1.0)

# --- each object with its own key
class Noise:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.normal(self.key)

def main(key):
    a, b = jax.random.split(key)
    return Noise(a).draw() + Noise(b).draw()

# --- one key for two objects
class Noise:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.normal(self.key)

def main(key):
    first = Noise(key).draw()
    return first + Noise(key).draw()  # JAX401

# --- an object with a generator, handed back on one path
class Box:
    def __init__(self, items):
        self.items = (item for item in items)

    def this_or(self, other):
        return other if other else self

def main(key, xs=(1.0, 2.0), other=None):
    box = Box(xs)
    return box.this_or(other).items, jax.random.normal(key)

# --- a class keeps those that are derived from it by name
import math

class Schedule:
    kinds = {}

    def __init_subclass__(cls, name="", **options):
        super().__init_subclass__(**options)
        Schedule.kinds[name or cls.__name__.lower()] = cls

class Exponential(Schedule, name="exp"):
    rate = 4.0

    def __call__(self, t):
        return math.exp(-self.rate * t)  # JAX213

class Cosine(Schedule):
    def __call__(self, t):
        return jnp.cos(t)

def main(kind="exp"):
    schedule = Schedule.kinds[kind]()
    return jax.jit(lambda t: schedule(t))(1.0)
