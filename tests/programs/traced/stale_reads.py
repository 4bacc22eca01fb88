# What is read while JAX traces and changed afterwards.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- bound again between calls
def main():
    @jax.jit
    def step(x):
        return x * rate  # JAX108

    rate = 3.0
    first = step(1.0)
    rate = 4.0
    assert first == step(1.0)

# --- kept over another setting
rate = 2.0

def make():
    @jax.jit
    def step(x):
        return x * rate  # JAX108
    return step

step = make()
results = [step(1.0)]
for rate in (1.0, 3.0):
    results.append(step(1.0))

def main():
    assert [float(result) for result in results] == [2.0, 2.0, 2.0]

# --- stale after a helper that is called again
RATE = 1.0

@jax.jit
def f(x):
    return x * RATE  # JAX108

def step(x):
    return f(x)

first = step(1.0)
RATE = 2.0
second = step(1.0)

def main():
    return first, second

# --- settings that a loop changes
SETTINGS = {"gain": 1.0}

@jax.jit
def f(x):
    return SETTINGS["gain"] * x  # JAX108

def main():
    x = 1.0
    for value in (1.0, 2.0):
        SETTINGS["gain"] = value
        x = f(x)
    assert x == 1.0
    return x

# --- weights that are bound again
weights = {"w": 1.0, "b": 0.0}

@jax.jit
def predict(x):
    return x * weights["w"] + weights["b"]  # JAX108

def fit(x):
    global weights
    before = predict(x)
    weights = {"w": weights["w"] - 0.5, "b": 0.0}
    return before, predict(x)

def main():
    before, after = fit(2.0)
    assert before == after
    return after

# --- stale global
RATE = 1.0

@jax.jit
def f(x):
    return x * RATE  # JAX108

def main():
    global RATE
    first = f(1.0)
    RATE = 2.0
    return first, f(1.0)

# --- stale global of a script
RATE = 1.0

@jax.jit
def f(x):
    return x * RATE  # JAX108

first = f(1.0)
RATE = 2.0
second = f(1.0)

def main():
    return first, second

# --- bound below and before the first call
def main():
    @jax.jit
    def step(x):
        return x * rate

    rate = 3.0
    for scale in (1.0, 2.0):
        @jax.jit
        def again(x):
            return x * factor
        factor = scale * 2
        assert again(1.0) == factor
    assert step(1.0) == 3.0

# --- made anew after another setting
rate = 2.0

def make():
    def step(i, x):
        return x * rate
    return lambda x: jax.lax.fori_loop(0, 2, step, x)

def run(x):
    return make()(x)

results = [run(1.0)]
for rate in (1.0, 3.0):
    results.append(run(1.0))

def main():
    assert [float(result) for result in results] == [4.0, 1.0, 9.0]

# --- made anew after another setting, by what a class has
rate = 2.0

class Makers:
    @staticmethod
    def make():
        def step(i, x):
            return x * rate
        return lambda x: jax.lax.fori_loop(0, 2, step, x)

make = Makers.make

def run(x):
    return make()(x)

results = [run(1.0)]
for rate in (1.0, 3.0):
    results.append(run(1.0))

def main():
    assert [float(result) for result in results] == [4.0, 1.0, 9.0]

# --- global changed after the last call
RATE = 1.0

@jax.jit
def f(x):
    return x * RATE

def step(x):
    return f(x)

first = step(1.0)
RATE = 2.0

def step(x):
    return x * RATE

second = step(1.0)

def main():
    return first, second

# --- global set before the first call
RATE = 1.0

@jax.jit
def f(x):
    return x * RATE

RATE = 2.0
only = f(1.0)

def main():
    return only

# --- global set under a condition, before the first call there
RATE = 1.0

@jax.jit
def f(x):
    return x * RATE

if __name__:
    RATE = 2.0
    only = f(1.0)

def main():
    return only

# --- global set under a condition, between two calls there
RATE = 1.0

@jax.jit
def f(x):
    return x * RATE  # JAX108

if __name__:
    first = f(1.0)
    RATE = 2.0
    second = f(1.0)

def main():
    return first, second

# --- global set after a plain call and before the function is compiled
RATE = 1.0

def f(x):
    return x * RATE

plain = f(1.0)
RATE = 2.0
g = jax.jit(f)
results = [g(1.0), g(2.0)]
derived = jax.jit(jax.grad(f))(3.0)

def main():
    assert float(results[0]) == 2.0 and float(derived) == 2.0
    return results

# --- global set between two compilations of one function
RATE = 1.0

def f(x):
    return x * RATE  # JAX108

g = jax.jit(f)
first = g(1.0)
RATE = 2.0
second = jax.jit(f)(1.0)

def main():
    assert float(second) == 1.0
    return first, second

# --- global set by a loop that compiles
RATE = 1.0

def f(x):
    return x * RATE  # JAX108

results = []
for rate in (2.0, 3.0):
    RATE = rate
    results.append(jax.jit(f)(1.0))

def main():
    assert [float(result) for result in results] == [2.0, 2.0]
    return results

# --- constant global
RATE = 0.1
NAMES = {"w": 1.0}

@jax.jit
def f(x):
    return x * RATE * NAMES["w"]

def main():
    return f(1.0)

# --- global changed before another call of what is made
RATE = 1.0

def make():
    @jax.jit
    def scale(x):
        return x * RATE  # JAX108

    return scale

scale = make()

def make_step():
    def step(x):
        return scale(x)

    return step

step = make_step()
first = step(1.0)
RATE = 2.0
second = step(1.0)

def main():
    assert first == second

# --- global changed after the last call of what a class gives
RATE = 1.0

class Steps:
    @staticmethod
    @jax.jit
    def scale(x):
        return x * RATE

scale = Steps.scale
first = scale(1.0)
RATE = 2.0
second = first * RATE

def main():
    return first, second

# --- global set before the first call of what is made
RATE = 1.0

def make():
    @jax.jit
    def scale(x):
        return x * RATE

    return scale

scale = make()
RATE = 2.0
only = scale(1.0)

def main():
    return only

# --- number of a static object that is changed between two calls
class Loss:
    def __init__(self, scale):
        self.scale = scale

    @partial(jax.jit, static_argnums=0)
    def value(self, x):
        return self.scale * x  # JAX108

def main():
    loss = Loss(1.0)
    first = loss.value(jnp.ones(3))
    loss.scale = 10.0
    return first, loss.value(jnp.ones(3))

# --- number of an object whose compiled method is kept
class Loss:
    def __init__(self, scale):
        self.scale = scale

    def value(self, x):
        return self.scale * x  # JAX108

def main():
    loss = Loss(1.0)
    value = jax.jit(loss.value)
    for scale in (0.1, 0.2):
        loss.scale = scale
        value(jnp.ones(3))

# --- number of an object whose constructor compiles the method, set by a class that derives from it
class Loss:
    scale = 1.0

    def __init__(self):
        self.compiled = jax.jit(self.value)

    def value(self, x):
        return self.scale * x  # JAX108

class Annealed(Loss):
    def anneal(self, x):
        values = []
        for scale in (0.1, 0.2):
            self.scale = scale
            values.append(self.compiled(x))
        return values

def main():
    return Annealed().anneal(jnp.ones(3))

# --- number of an object whose caches are emptied, or whose method is compiled anew, before it is called again
class Loss:
    def __init__(self, scale):
        self.scale = scale
        self.compiled = jax.jit(self.value)

    def value(self, x):
        return self.scale * x

    def anneal(self, x):
        values = []
        for scale in (0.1, 0.2):
            self.scale = scale
            self.compiled.clear_cache()
            values.append(self.compiled(x))
        return values

    def anneal_all(self, x):
        values = []
        for scale in (0.1, 0.2):
            self.scale = scale
            jax.clear_caches()
            values.append(self.compiled(x))
        return values

class Again(Loss):
    def anneal_again(self, x):
        values = []
        for scale in (0.1, 0.2):
            self.scale = scale
            self.compiled = jax.jit(self.value)
            values.append(self.compiled(x))
        return values

class Once(Loss):
    def rescaled(self, x, scale):
        self.scale = scale
        return self.compiled(x)

def main():
    loss, x = Loss(1.0), jnp.ones(3)
    return loss.anneal(x), loss.anneal_all(x), Again(1.0).anneal_again(x), Once(1.0).rescaled(x, 2.0)

# --- number that is changed on another object, before the only call, or where the method is compiled anew
class Loss:
    def __init__(self, scale):
        self.scale = scale
        self.calls = 0

    @partial(jax.jit, static_argnums=0)
    def value(self, x):
        return self.scale * x

    def again(self, x):
        return self.scale * x

def main():
    for scale in (1.0, 2.0):
        loss = Loss(scale)
        loss.calls = loss.calls + 1
        loss.scale = 2 * scale
        loss.value(jnp.ones(3))
        loss.calls = 3
        loss.value(jnp.ones(3))
    first = jax.jit(loss.again)(jnp.ones(3))
    loss.scale = 5.0
    return first, jax.jit(loss.again)(jnp.ones(3))

# --- number of an object that a loop changes, or a method that it calls
class Trainer:
    def __init__(self):
        self.scale = 1.0
        self.rate = 1.0
        self.weight = 1.0
        self.compiled = jax.jit(self.weighted)

    @partial(jax.jit, static_argnums=0)
    def scaled(self, x):
        return self.scale * x  # JAX108

    @partial(jax.jit, static_argnums=0)
    def rated(self, x):
        return self.rate * x  # JAX108

    def weighted(self, x):
        return self.weight * x  # JAX108

    def set_scale(self, scale):
        self.scale = scale

    def fit(self, x, steps=5):
        for step in range(steps):
            x = self.scaled(x)
            if step == 2:
                self.set_scale(0.1)
        return x

    def decay(self, x, steps=5):
        for _ in range(steps):
            x = self.rated(x)
            self.rate *= 0.5
        return x

    def grow(self, x, steps=5):
        for _ in range(steps):
            x = self.compiled(x)
            self.weight = self.weight + 1.0
        return x

def main():
    trainer = Trainer()
    ones = jnp.ones(3)
    assert trainer.decay(ones).sum() == 3.0
    return trainer.fit(ones), trainer.grow(ones)

# --- number of an object that is set on the one path, and has been read on the other
class Trainer:
    def __init__(self, rate=1.0):
        self.rate = rate
        self.size = 4

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        return self.rate * x

    @partial(jax.jit, static_argnums=(0, 2))
    def of_stage(self, x, stage):
        return self.size * x + stage

    @partial(jax.jit, static_argnums=0)
    def reshaped(self, x):
        return x.reshape(self.size, 1)

    def warm_or_slow(self, x, is_warm):
        if is_warm:
            x = self.step(x)
        else:
            self.rate = 0.1
        return self.step(x)

    def the_same_each_time(self, x):
        for _ in range(3):
            self.rate = 0.5
            x = self.step(x)
        return x

    def stages(self, x):
        x = self.of_stage(x, 1)
        self.size = 7
        return self.of_stage(x, 2)

    def of_its_size(self):
        for _ in range(3):
            x = self.reshaped(jnp.zeros(self.size))
            self.size = 2 * self.size
        return x

def main():
    x = jnp.ones(3)
    trained = [Trainer().warm_or_slow(x, is_warm) for is_warm in (True, False)]
    return trained, Trainer().the_same_each_time(x), Trainer().stages(x), Trainer().of_its_size()

# --- number of an object that the first pass sets, or of another object in each pass
class Trainer:
    def __init__(self, rate=1.0):
        self.rate = rate

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        return self.rate * x

def first_pass(x, steps):
    trainer = Trainer()
    for step in range(steps):
        if step == 0:
            trainer.rate = 0.5
        x = trainer.step(x)
    return x

def sweep(x, rates):
    for rate in rates:
        trainer = Trainer(float(rate))
        trainer.rate = 2 * trainer.rate
        for _ in range(3):
            x = trainer.step(x)
    return x

def main():
    return first_pass(jnp.ones(3), 4), sweep(jnp.ones(3), [0.1, 0.2])

# --- number of an object that is hashed with it
class Loss:
    def __init__(self, scale):
        self.scale = scale

    def __hash__(self):
        return hash(self.scale)

    def __eq__(self, other):
        return self.scale == other.scale

    @partial(jax.jit, static_argnums=0)
    def value(self, x):
        return self.scale * x

def main():
    loss = Loss(1.0)
    first = loss.value(jnp.ones(3))
    loss.scale = 10.0
    return first, loss.value(jnp.ones(3))

# --- called behind a condition on what was changed, and without it
SETTINGS = {"scale": 1.0, "rows": [1.0]}
LIMITS = {"most": 2.0}

class Options:
    strict = False

OPTIONS = Options()

def scaled(x, rows):
    if SETTINGS["scale"] > LIMITS["most"]:
        return x * rows["a"]
    if OPTIONS.strict and SETTINGS["rows"]:
        return x
    return x * SETTINGS["scale"] + rows["a"]

def total(x, strict, scale):
    SETTINGS["scale"] = scale
    OPTIONS.strict = strict
    found = 0.0
    if OPTIONS.strict:
        found += scaled(x, {"a": 3.0})
    found += scaled(x, {"a": 6.0})
    if SETTINGS["scale"] > LIMITS["most"]:
        found += scaled(x, {"a": 2.0})
    if SETTINGS["rows"] and OPTIONS.strict:
        found += scaled(x, {"a": 5.0})
    return found + scaled(x, {"a": 1.0})

@jax.jit
def f(x: jax.Array):
    if scaled(x, {"a": 7.0}) > 0:  # JAX201
        return x
    return -x

def main():
    total(jnp.ones(()), True, 3.0)
    f(jnp.ones(()))

# --- global set before a new function that is scanned, beside what an earlier scan gave
RATE = 1.0
step = lambda carry, x: (carry + RATE, x)
carry, out = jax.lax.scan(step, 0.0, jnp.arange(3.0))
total = carry + out.sum()

RATE = 2.0
step = lambda carry, x: (carry + RATE, x)
carry, out = jax.lax.scan(step, 0.0, jnp.arange(3.0))

def main():
    assert float(carry) == 6.0
    return total, carry

# --- global set between two scans of one function
RATE = 1.0
step = lambda carry, x: (carry + RATE, x)  # JAX108
carry, out = jax.lax.scan(step, 0.0, jnp.arange(3.0))

RATE = 2.0
carry, out = jax.lax.scan(step, 0.0, jnp.arange(3.0))

def main():
    assert float(carry) == 3.0
    return carry

# --- number of an object whose class is abstract, generic or a protocol
from abc import ABC
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")

class Scaled(Protocol):
    scale: float

class Loss(Scaled, Generic[T]):
    def __init__(self, scale):
        self.scale = scale

    @partial(jax.jit, static_argnums=0)
    def value(self, x):
        return self.scale * x  # JAX108

class Penalty(ABC):
    def __init__(self, weight):
        self.weight = weight

    def cool(self):
        self.weight *= 0.5

    @partial(jax.jit, static_argnums=0)
    def value(self, x):
        return self.weight * x  # JAX108

def main():
    loss, penalty = Loss(1.0), Penalty(1.0)
    first = loss.value(jnp.ones(3)), penalty.value(jnp.ones(3))
    loss.scale = 10.0
    penalty.cool()
    return first, loss.value(jnp.ones(3)), penalty.value(jnp.ones(3))

# --- number of an object whose abstract class is hashed with it
from abc import ABC, abstractmethod

class Hashed(ABC):
    @abstractmethod
    def parts(self): ...

    def __hash__(self):
        return hash(self.parts())

    def __eq__(self, other):
        return self.parts() == other.parts()

class Loss(Hashed):
    def __init__(self, scale):
        self.scale = scale

    def parts(self):
        return self.scale

    @partial(jax.jit, static_argnums=0)
    def value(self, x):
        return self.scale * x

def main():
    loss = Loss(1.0)
    first = loss.value(jnp.ones(3))
    loss.scale = 10.0
    return first, loss.value(jnp.ones(3))

# --- an object of an abstract class is made for each pass
from abc import ABC

class Loss(ABC):
    def __init__(self, scale):
        self.scale = scale

@partial(jax.jit, static_argnums=0)
def value(loss, x):
    return loss.scale * x

def main():
    x = jnp.ones(3)
    for step in range(10):
        loss = Loss(0.5)
        x = value(loss, x)  # JAX507
    return x

# --- an attribute of a class, and an item of a dict in it, that a loop changes
class Spec:
    gain = 1.0
    weights = {"a": 1.0}

@jax.jit
def f(x):
    return Spec.gain * x + Spec.weights["a"]  # JAX108

def main():
    for step in range(3):
        if step == 1:
            Spec.gain = 0.5
            Spec.weights["a"] = 0.0
        f(1.0)

# --- an item of a dict, and an attribute of a record, that are set between two calls
from types import SimpleNamespace

WEIGHTS = {"a": 1.0}
CONFIG = SimpleNamespace(gain=1.0)

@jax.jit
def f(x):
    return WEIGHTS["a"] * x  # JAX108

@jax.jit
def g(x):
    return CONFIG.gain * x  # JAX108

first = f(1.0)
WEIGHTS["a"] = 0.0
second = f(1.0)

def set_gain(value):
    CONFIG.gain = value

def main():
    first = g(1.0)
    set_gain(2.0)
    return first, g(1.0)

# --- an attribute of a class that is set before the first call, by itself or by a function
class Spec:
    gain = 1.0
    shift = 0.0
    scale = 1.0

@jax.jit
def f(x):
    return Spec.gain * x + Spec.shift

@jax.jit
def other(x):
    return Spec.scale * x

def parse(arguments):
    Spec.gain = float(arguments[0])

def train(x):
    for step in range(3):
        x = f(x)
    return x

def main():
    parse(["2.0"])
    Spec.shift = 1.0
    first = other(1.0)
    return train(1.0), first

# --- attributes of a class that are set where no path leads to another call
class Spec:
    gain = 1.0
    weight = 1.0

@jax.jit
def f(x):
    return Spec.gain * x * Spec.weight

def run(fast):
    if fast:
        return f(1.0)
    Spec.gain = 2.0
    return f(1.0)

def finish(fast):
    if fast:
        f(1.0)
    else:
        Spec.weight = 2.0
        f(1.0)

def main():
    run(True)

# --- an attribute that is passed, or that is the same at each pass
class Spec:
    gain = 1.0
    same = 1.0

@jax.jit
def f(x, gain):
    return gain * x

@jax.jit
def g(x):
    return Spec.same * x

def main():
    for step in range(3):
        f(1.0, Spec.gain)
        Spec.gain = Spec.gain * 0.5
        Spec.same = 1.0
        g(1.0)

# --- an attribute of a class that a function made anew reads
class Spec:
    gain = 1.0

def make():
    @jax.jit
    def f(x):
        return Spec.gain * x
    return f

def main():
    for step in range(3):
        f = make()
        f(1.0)
        Spec.gain = Spec.gain * 0.5

# --- an attribute of a class that is set between calls after what was compiled is forgotten
class Spec:
    gain = 1.0

@jax.jit
def f(x):
    return Spec.gain * x

def main():
    first = f(1.0)
    Spec.gain = 0.5
    jax.clear_caches()
    return first, f(1.0)

# --- an attribute of a class that is set between calls of what the module has made
class Spec:
    gain = 1.0

def make():
    @jax.jit
    def f(x):
        return Spec.gain * x  # JAX108
    return f

f = make()

def main():
    first = f(1.0)
    Spec.gain = 0.5
    return first, f(1.0)

# --- an attribute of a class that is set between calls, of functions that a class and a function have
class Spec:
    gain = 1.0

class Steps:
    @staticmethod
    @jax.jit
    def f(x):
        return Spec.gain * x  # JAX108

def make_main():
    """The program."""
    version = 2
    if False:
        version = 3
    def main():
        first = f(1.0)
        Spec.gain = 0.5
        return first, f(1.0)
    return main

f = Steps.f
main = make_main()

# --- an attribute of a class that is set between calls of objects, which are no function that a class has
class Spec:
    gain = 1.0

class f:
    @staticmethod
    @jax.jit
    def scaled(x):
        return Spec.gain * x

class Steps:
    @staticmethod
    def g(x):
        return jax.jit(lambda x: Spec.gain * x)(x)

g = Steps()

def main():
    first = f.scaled(1.0)
    Spec.gain = 0.5
    return first, g.g(1.0)

# --- an attribute of a class that is set between calls, of functions that are made anew
class Spec:
    gain = 1.0

def make():
    @jax.jit
    def f(x):
        return Spec.gain * x
    return f

f = make()

def main():
    first = f(1.0)
    Spec.gain = 0.5
    return first, make()(1.0)

# --- an attribute of what a function is given, by the name of a class
class Spec:
    gain = 1.0

class Other:
    gain = 1.0

@jax.jit
def f(x):
    return Spec.gain * x

def run(Spec):
    first = f(1.0)
    Spec.gain = 0.5
    return first, f(1.0)

def main():
    return run(Other)

# --- arrays of an object whose method, which calls the compiled one, a loop calls
class Norm:
    def __init__(self, size):
        self.mean = jnp.zeros(size)

    def observe(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x - self.mean  # JAX108

class Actor:
    def __init__(self):
        self.norm = Norm(3)

    def act(self, x):
        return self.norm.apply(x)

    def episode(self, xs):
        for x in xs:
            self.norm.observe(x)
            self.act(x)
        return self.norm.apply(x)

def main():
    assert (Actor().episode(jnp.ones((4, 3))) == 0.9).all()

# --- arrays of an object whose method makes each pass a new one
class Norm:
    def __init__(self, mean):
        self.mean = mean

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x - self.mean

    def shift(self, x):
        self.mean = self.mean + x

def apply(norm, x):
    return norm.apply(x)

def main():
    for x in jnp.ones((4, 3)):
        norm = Norm(x)
        norm.shift(x)
        assert (apply(norm, x) == -1).all()

# --- number of an object whose method makes it smaller between calls, and of which arguments are made, too
class Search:
    def __init__(self, spread):
        self.spread = spread

    def ask(self, mean, key):
        return mean + self.spread * jax.random.normal(key, (4,))

    @partial(jax.jit, static_argnums=0)
    def tell(self, found):
        return found.mean() / self.spread  # JAX108

    def narrow(self):
        self.spread *= 0.5

def main():
    search, mean = Search(0.5), 0.0
    for key in jax.random.split(jax.random.key(0), 3):
        mean = search.tell(search.ask(mean, key))
        search.narrow()

# --- size of an object that grows between calls, and of which arguments are made, too
class Window:
    def __init__(self):
        self.size = 2

    @partial(jax.jit, static_argnums=0)
    def mean(self, x):
        return x.sum() / self.size  # JAX108 possible

    def grow(self):
        self.size *= 2

def main():
    window = Window()
    for _ in range(3):
        window.mean(jnp.ones(window.size))
        window.grow()

# --- arrays in a list of an object that is static, and is no method's own
class Pool:
    def __init__(self):
        self.items = [np.zeros(3)] * 8

@partial(jax.jit, static_argnames="pool")
def batch(x, pool):
    return x + np.stack(pool.items[:4])  # JAX108

def main():
    pool = Pool()
    for _ in range(3):
        x = batch(1.0, pool=pool)
        pool.items[0] = np.asarray(x[0])
    assert (x == 1.0).all()

# --- arrays in a dict of an object that is static and is asked for its form alone
class Pool:
    def __init__(self):
        self.rows = np.zeros(3)
        self.names = {"a": 1.0}

@partial(jax.jit, static_argnums=0)
def batch(pool, x):
    return x + jnp.zeros(pool.rows.shape) + jnp.zeros_like(pool.rows) + pool.names["a"]

def main():
    pool = Pool()
    for _ in range(3):
        x = batch(pool, 1.0)
        pool.rows = np.asarray(x)
    assert (x == 2.0).all()

# --- weights of an object that are put in the place of others
class Linear:
    def __init__(self):
        self.w = {"a": jnp.ones(3), "b": jnp.zeros(())}

    @partial(jax.jit, static_argnums=0)
    def out(self, x):
        w = self.w  # JAX108
        return w["a"] @ x + w["b"]

    def fit(self, xs):
        for x in xs:
            y = self.out(x)
            self.w = {"a": self.w["a"] - y * x, "b": self.w["b"]}
        return y

def main():
    assert Linear().fit(jnp.ones((3, 3))) == 3.0

# --- weights of an object that are passed, or compiled anew for others
class Linear:
    def __init__(self):
        self.w = {"a": jnp.ones(3), "b": jnp.zeros(())}

    @partial(jax.jit, static_argnums=0)
    def out(self, w, x):
        return w["a"] @ x + w["b"]

    def total(self, x):
        return self.w["a"] @ x

    def fit(self, xs):
        for x in xs:
            y = self.out(self.w, x) + jax.jit(self.total)(x)
            self.w = {"a": self.w["a"] - 0.1 * y * x, "b": self.w["b"]}
        return y

def main():
    assert Linear().fit(jnp.ones((3, 3))) != 6.0

# --- method of a record, which is bound to it and found by its identity
import dataclasses

@dataclasses.dataclass
class Loss:
    scale: float

    def value(self, x):
        return self.scale * x  # JAX108

def main():
    loss = Loss(1.0)
    value = jax.jit(loss.value)
    first = value(1.0)
    loss.scale = 2.0
    assert first == value(1.0) == 1.0

# --- a name that the module says to be global, and that is bound again to the same
global scale
scale = 2.0
names = ["a", "b"]
size = len(names)

@jax.jit
def f(x):
    return x * scale * size

size = len(names)

def main():
    return f(1.0)

# --- number of an object that a compiled function closes over, and of what such an object holds
class Settings:
    def __init__(self):
        self.entropy = 0.1

class Trainer:
    def __init__(self):
        self.settings = Settings()
        self.rate = 0.5

def scaled(trainer):
    def f(x):
        return x * trainer.rate  # JAX108
    return jax.jit(f)

def weighted(trainer):
    return jax.jit(lambda x: x * trainer.settings.entropy)  # JAX108

class Model:
    def __init__(self):
        self.temperature = 1.0
        self.settings = Settings()
        self.cool = jax.jit(lambda x: x / self.temperature)  # JAX108
        self.weigh = jax.jit(self._weigh)

    def _weigh(self, x):
        return x * self.settings.entropy  # JAX108

    def anneal(self):
        self.temperature *= 0.5
        self.settings.entropy *= 0.5

    def __call__(self, x):
        return self.cool(x) + self.weigh(x)

def main():
    trainer = Trainer()
    scale, weigh = scaled(trainer), weighted(trainer)
    first = scale(1.0), weigh(1.0)
    trainer.rate = trainer.settings.entropy = 0.3
    assert first == (scale(1.0), weigh(1.0))
    model = Model()
    sums = []
    for _ in range(3):
        sums.append(float(model(1.0)))
        model.anneal()
    assert len(set(sums)) == 1

# --- what closes over the object is made anew, the object holds another one that is set, or it is set before the first call
class Settings:
    def __init__(self):
        self.entropy = 0.1
        self.calls = 0

class Trainer:
    def __init__(self):
        self.settings = Settings()
        self.rate = 0.5

def scaled(trainer):
    def f(x):
        return x * trainer.rate
    return jax.jit(f)

def weighted(trainer):
    trainer.settings.entropy = 0.2
    return jax.jit(lambda x: x * trainer.settings.entropy)

def main():
    trainer = Trainer()
    found = []
    for _ in range(2):
        found.append(float(scaled(trainer)(1.0)))
        trainer.rate *= 0.5
    assert len(set(found)) == 2
    for _ in range(2):
        @jax.jit
        def step(x):
            return x * trainer.rate

        found.append(float(step(1.0)))
        trainer.rate *= 0.5
    assert len(set(found)) == 4
    weigh = weighted(trainer)
    for _ in range(2):
        found.append(float(weigh(1.0)))
        trainer.settings.calls += 1
    before = scaled(trainer)(1.0)
    trainer.rate = 3.0
    once = scaled(trainer)
    assert before != once(1.0)

# --- counted on by a function beside it
import jax

def train():
    epoch = 0

    @jax.jit
    def rate(x):
        return x * 0.9**epoch  # JAX108

    def advance():
        nonlocal epoch
        epoch += 1

    found = []
    for _ in range(3):
        found.append(float(rate(1.0)))
        advance()
    return found

def schedule():
    count = 0

    @jax.jit
    def rate(x):
        return x * 0.5**count  # JAX108

    def advance():
        nonlocal count
        count += 1

    return rate, advance

def main():
    assert train() == [1.0, 1.0, 1.0]
    rate, advance = schedule()
    before = rate(1.0)
    advance()
    assert rate(1.0) == before

# --- set up or counted on beside it, and not kept
import contextlib

import jax

def set_up_first():
    epoch = 0

    def start(n):
        nonlocal epoch
        epoch = n

    @jax.jit
    def rate(x):
        return x * 0.9**epoch

    start(3)
    return rate(2.0), rate(3.0)

def chosen_by_users():
    scale = 1.0

    def set_scale(value):
        nonlocal scale
        scale = value

    @jax.jit
    def f(x):
        return x * scale

    return f, set_scale

def set_back():
    scale = 1.0

    @jax.jit
    def f(x):
        return x * scale

    @contextlib.contextmanager
    def scaled(by):
        nonlocal scale
        before = scale
        scale = scale * by
        yield
        scale = before

    return f, scaled

def passed():
    epoch = 0

    @jax.jit
    def rate(x, epoch):
        return x * 0.9**epoch

    def advance():
        nonlocal epoch
        epoch += 1

    found = []
    for _ in range(3):
        found.append(float(rate(1.0, epoch)))
        advance()
    return found

def main():
    set_up_first()
    chosen_by_users()
    f, scaled = set_back()
    with scaled(2.0):
        pass
    f(1.0)
    assert len(set(passed())) == 3

# --- an attribute of an object whose method is compiled inside another transform
class Fit:
    def __init__(self, floor):
        self.floor = floor
        self.step = jax.jit(jax.value_and_grad(self.loss))

    def loss(self, x):
        return jnp.sum(jnp.exp(x)) + self.floor * jnp.sum(x)  # JAX108

    def run(self, x):
        for _ in range(3):
            value, slope = self.step(x)
            x = x - 0.1 * slope
            self.floor *= 0.5
        return x

class Kernel:
    def __init__(self, size):
        self.size = size

    def step(self, x):
        return x + self.size  # JAX108

    def adapt(self):
        self.size = 0.5 * self.size

class Fixed:
    def __init__(self, size):
        self.size = size

    def step(self, x):
        return x + self.size

    def adapt(self):
        self.size = 0.5 * self.size

def compiled(kernel):
    return jax.jit(jax.vmap(kernel.step))

def main():
    Fit(1.0).run(jnp.ones(3))
    kernel, fixed = Kernel(1.0), Fixed(1.0)
    run = compiled(kernel)
    for _ in range(2):
        assert run(jnp.ones(2))[0] == 2.0
        kernel.adapt()
        assert compiled(fixed)(jnp.ones(2))[0] == 1.0 + fixed.size
        fixed.adapt()

# --- an attribute that the trace sets itself before it reads it
class Counter:
    def __init__(self):
        self.steps = 0

    def reset(self):
        self.steps = 0

    def count(self, x):
        self.steps += 1
        return x / self.steps

class Trainer:
    def __init__(self, counter):
        self.counter = counter
        self.step = jax.jit(self.episode)

    def episode(self, x):
        self.counter.reset()
        return self.counter.count(self.counter.count(x))

def main():
    trainer = Trainer(Counter())
    for _ in range(2):
        assert trainer.step(1.0) == 0.5
        trainer.counter.count(1.0)

# --- a setting that a function sets first, which a loop calls with one after another
settings = {"rate": 0.5, "decay": 0.0}

@jax.jit
def step(x):
    return x - settings["rate"] * x  # JAX108

def trial(rate):
    settings["rate"] = rate
    return step(1.0)

def main():
    assert [trial(rate) for rate in (0.5, 0.25)] == [0.5, 0.5]

# --- a setting that a function sets first, once or always to the same
settings = {"rate": 0.5, "decay": 0.0}

@jax.jit
def step(x):
    return x - settings["rate"] * x

def trial(rate):
    settings["rate"] = rate
    return [step(1.0) for _ in range(2)]

@jax.jit
def decayed(x):
    return x - settings["decay"] * x

def again():
    settings["decay"] = 0.1
    return decayed(1.0)

def main():
    trial(0.25)
    return [again() for _ in range(2)]

# --- a variable that is bound again before anything has run what reads it
@jax.jit
def loss(x, out):
    @jax.jit
    def likelihood(mu):
        return ((x - mu) ** 2).mean()

    @jax.jit
    def total(mu):
        return likelihood(mu) + 1.0

    x, mu = out
    return total(mu) + likelihood(mu)

def main():
    return loss(np.ones(3), (np.ones(3), np.zeros(3)))

# --- a variable that is bound again after another function has run what reads it
def losses(x, mu):
    @jax.jit
    def likelihood(mu):
        return ((x - mu) ** 2).mean()  # JAX108

    def total(mu):
        return likelihood(mu) + 1.0

    before = total(mu)
    x = 2.0
    return before, likelihood(mu)

def main():
    return losses(1.0, jnp.zeros(3))

# --- an object that has a number of its class until it is given another one
class Target:
    temperature = 1.0
    scale = 2.0

    def __init__(self, mean):
        self.mean = mean

    def tempered(self, beta):
        return lambda x: beta * jnp.sum(x - self.mean) / self.temperature * self.scale  # JAX108

@partial(jax.jit, static_argnames="target")
def run(x, target):
    return target.tempered(0.5)(x)

def main():
    target, x = Target(1.0), jnp.ones(3)
    first = run(x, target)
    target.temperature = 4.0
    return first, run(x, target)

# --- an object that a trace gives a number, and one that is given another one before anything is compiled
class Target:
    temperature = 1.0
    passes = 0

    def score(self, x):
        self.passes = x.ndim
        return jnp.sum(x) / self.temperature * self.passes

@partial(jax.jit, static_argnames="target")
def run(x, target):
    return target.score(x)

def main():
    target = Target()
    target.temperature = 4.0
    first = run(jnp.ones(3), target)
    return first, run(jnp.ones((3, 2)), target)

# --- read by a lambda inside the function, bound again by the module's loop
rate = 0.1

@jax.jit
def scaled(tree):
    return jax.tree.map(lambda leaf: rate * leaf, tree)  # JAX108

results = []
for epoch in range(3):
    rate = 0.1 * 10**epoch
    results.append(scaled(1.0))

def main():
    assert results[0] == results[2]

# --- of what jit makes of a function, before a later call
def main():
    scale = 10.0

    def loss(x):
        return jnp.sum(x) * scale  # JAX108

    slope = jax.jit(jax.grad(loss))
    first = slope(jnp.ones(2))
    scale = 20.0
    assert jnp.array_equal(first, slope(jnp.ones(2)))

# --- of what jit makes of a function, in the loop that calls it
def main():
    scale, total = 1.0, 0.0

    def scaled(x):
        return x * scale  # JAX108

    run = jax.jit(scaled)
    for x in (1.0, 1.0):
        total += run(x)
        scale = 0.5 * scale
    assert total == 2.0

# --- bound before what is compiled is called, differentiated or compiled anew, or where the function itself is called
def main():
    scale = 10.0

    def late(x):
        return x * scale

    run = jax.jit(late)
    scale = 20.0
    assert run(3.0) == 60.0

    def slope(x):
        return x * scale

    differentiated = jax.grad(slope)
    first = differentiated(2.0)
    scale = 40.0
    assert differentiated(3.0) == 2 * first

    for x in (1.0, 2.0):
        def made(x):
            return x * scale

        run = jax.jit(made)
        assert run(x) == x * scale
        scale = 0.5 * scale

    rate, total = 1.0, 0.0

    def step(x):
        return x * rate

    for _ in range(2):
        anew = jax.jit(lambda x: step(x))  # JAX502
        total += anew(1.0)
        rate = 0.5 * rate
    assert total == 1.5

def once():
    scale = 1.0

    def plain(x):
        return x * scale

    first = jax.jit(plain)(1.0)
    scale = 2.0
    return first, plain(1.0)

# --- by a function beside the compiled one, which calls it; no compiled one is called again with the other value
def train(steps):
    def loss(x):
        return x * beta  # JAX108

    @jax.jit
    def update(x):
        return x - jax.grad(loss)(x)

    x, seen = 8.0, []
    for step in range(steps):
        beta = 0.5 * step
        x = update(x)
        seen.append(float(x))
    return seen

def train_anew(steps):
    def loss(x):
        return x * beta

    x, seen = 8.0, []
    for step in range(steps):
        beta = 0.5 * step
        x = jax.jit(lambda x: x - jax.grad(loss)(x))(x)  # JAX502
        seen.append(float(x))
    return seen

def main():
    assert train(3) == [8.0, 8.0, 8.0]
    assert train_anew(3) == [8.0, 7.5, 6.5]

# --- by a compiled function that others are handed
def apply(function, x):
    return function(x)

def fitted(xs):
    theta = 1.0
    scaled = jax.jit(lambda x: x * theta)  # JAX108
    seen = []
    for x in xs:
        seen.append(float(apply(scaled, x)))
        theta = 2 * theta
    return seen

def fitted_anew(xs):
    theta, seen = 1.0, []
    for x in xs:
        seen.append(float(apply(jax.jit(lambda x: x * theta), x)))
        theta = 2 * theta
    return seen

def bound_once(xs, theta):
    scaled = jax.jit(lambda x: x * theta)
    return [float(apply(scaled, x)) for x in xs]

def main():
    assert fitted([1.0, 1.0]) == [1.0, 1.0]
    assert fitted_anew([1.0, 1.0]) == [1.0, 2.0]
    assert bound_once([1.0, 1.0], 3.0) == [3.0, 3.0]

# --- bound again, and what was compiled is thrown away
rate = 2.0

@jax.jit
def step(x):
    return x * rate

first = step(1.0)
rate = 3.0
step.clear_cache()

def main():
    assert float(first) == 2.0
    assert float(step(1.0)) == 3.0
