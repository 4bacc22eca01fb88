# Tracers that outlive their trace, and what may be kept.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- a list of indices that another body finds set
def main():
    where = [slice(None)] * 2

    def add(i, total):
        where[0] = i  # JAX107
        return total.at[tuple(where)].add(1.0)

    def double(i, total):
        return total.at[where[1]].multiply(2.0)

    total = jax.lax.fori_loop(0, 3, add, jnp.ones((3, 2)))
    return jax.lax.fori_loop(0, 3, double, total)

# --- kept by a rule under jit
class Problem:
    def solve(self, params):
        self.full = params * 2  # JAX107
        return params

problem = Problem()

@jax.custom_vjp
def solve(params):
    return problem.solve(params)

solve.defvjp(lambda params: (solve(params), None), lambda _, g: (g,))

def main():
    return jax.jit(jax.grad(lambda p: solve(p)))(1.0)

# --- made of what is mapped
class Cosmology:
    def __init__(self, rate):
        self.rate = rate
        self.tables = {}

def distance(cosmology, a):
    cosmology.tables["distance"] = a * jnp.linspace(0.0, 1.0, 8)  # JAX107
    return cosmology.tables["distance"].sum()

@jax.jit
def likelihood(rate):
    cosmology = Cosmology(rate)
    return jax.vmap(lambda a: distance(cosmology, a))(jnp.ones(3)).sum()

def main():
    return likelihood(2.0)

# --- leak to global
LAST = None

@jax.jit
def f(x):
    global LAST
    LAST = x * 2  # JAX107
    return x

def main():
    return f(1.0)

# --- leak to list
SEEN = []

@jax.jit
def f(x):
    SEEN.append(x)  # JAX107
    return x

def main():
    return f(1.0)

# --- leak to self
class Model:
    def __init__(self):
        self.hidden = None

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        self.hidden = jnp.tanh(x)  # JAX107
        return self.hidden

def main():
    return Model().apply(1.0)

# --- leak to an object, again and again
class Model:
    def __init__(self):
        self.last = None

MODEL = Model()

@jax.jit
def step(x):
    i = 0
    while i < 3:
        MODEL.last = x  # JAX107
        i += 1
    return x * 2

def main():
    return step(jnp.ones(3))

# --- kept for a while, twice, and then let go
class Model:
    def __init__(self):
        self.last = None

MODEL = Model()

@jax.jit
def step(x):
    MODEL.last = x
    MODEL.last = x
    MODEL.last = None
    return x * 2

def main():
    return step(jnp.ones(3))

# --- leak from scan body
def main():
    values = []

    def body(carry, x):
        values.append(carry + x)  # JAX107
        return carry + x, None

    return jax.lax.scan(body, 0.0, jnp.ones(3))

# --- kept by a closure for the next trace
def wrap(scale):
    memory = {}

    def call(x):
        out = x * memory.get("last", scale)
        memory["last"] = out  # JAX107
        return out

    return jax.jit(call)

def main():
    return wrap(2.0)(1.0)

# --- tracer in a cache
POWERS = {}

def power(x, n):
    if n not in POWERS:
        POWERS[n] = x**n  # JAX107
    return POWERS[n]

@jax.jit
def f(x):
    return power(x, 3)

def main():
    return f(2.0)

# --- pushed more often than popped
stack = []

@jax.jit
def f(params, x):
    stack.append(params)  # JAX107
    stack.append({"scale": 2.0 * x})
    y = x * stack[-2]["w"] * stack[-1]["scale"]
    stack.pop()
    return y

def main():
    return f({"w": 3.0}, 2.0)

# --- attribute of a function
def squash(x):
    squash.latest = jnp.tanh(x)  # JAX107
    return squash.latest

@jax.jit
def f(x):
    return squash(x)

def main():
    return f(1.0)

# --- key split into an attribute
class Dice:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def roll(self, total, _):
        self.key, sub = jax.random.split(self.key)  # JAX107
        return total + jax.random.normal(sub), None

    def game(self):
        return jax.lax.scan(self.roll, 0.0, None, length=6)

def main():
    return Dice(0).game()

# --- key split outside of the trace
class Dice:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def next(self):
        self.key, sub = jax.random.split(self.key)
        return sub

    def game(self):
        step = jax.jit(lambda total, key: total + jax.random.normal(key))
        return step(step(0.0, self.next()), self.next())

class Passed:
    def __init__(self, key):
        self.key = key

    def draw(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)

@jax.jit
def inside(key):
    dice = Passed(key)
    return dice.draw() + dice.draw()

def main():
    return Dice(0).game() + inside(jax.random.key(1))

# --- two bodies with one list of indices
def main():
    where = [slice(None)] * 2

    def add(i, total):
        where[0] = i
        return total.at[tuple(where)].add(1.0)

    def double(i, total):
        where[0] = i
        return total.at[tuple(where)].multiply(2.0)

    total = jax.lax.fori_loop(0, 3, add, jnp.ones((3, 2)))
    return jax.lax.fori_loop(0, 3, double, total)

# --- kept by a rule of its own
class Problem:
    def solve(self, params):
        self.full = jnp.ones(3).at[0].set(params)
        self.scale = float(params)
        return params * 2

problem = Problem()

@jax.custom_vjp
def solve(params):
    return problem.solve(params)

def forward(params):
    return solve(params), params

def backward(params, g):
    return (2 * g,)

solve.defvjp(forward, backward)

def run(params):
    value = jax.value_and_grad(lambda p: solve(p * 2) + 1)(params)
    return value, problem.full * problem.scale

def main():
    return run(1.0)

# --- made of nothing that is mapped
class Cosmology:
    def __init__(self, rate):
        self.rate = rate
        self.tables = {}

def distance(cosmology, a):
    if "distance" not in cosmology.tables:
        cosmology.tables["distance"] = jnp.cumsum(jnp.linspace(0.0, 1.0, 8)) * cosmology.rate
    return jnp.interp(a, jnp.linspace(0.0, 1.0, 8), cosmology.tables["distance"])

@jax.jit
def likelihood(rate):
    cosmology = Cosmology(rate)
    return jax.vmap(lambda a: distance(cosmology, a))(jnp.ones(3)).sum() + distance(cosmology, 0.5)

def main():
    return likelihood(2.0)

# --- variable of a module that is closed over
from flax import nnx

class Tally(nnx.Module):
    def __init__(self):
        self.seen = nnx.Variable(jnp.zeros(()))

    def __call__(self, x):
        self.seen.value = self.seen.value + x.sum()  # JAX107
        return x

tally = Tally()

@jax.jit
def watch(x):
    return tally(x)

def main():
    try:
        watch(jnp.ones(3))
    except Exception as error:
        assert "different trace level" in str(error)
        return
    raise AssertionError("flax takes it")

# --- variable of a module that is handed in
from flax import nnx

class Tally(nnx.Module):
    def __init__(self):
        self.seen = nnx.Variable(jnp.zeros(()))

    def __call__(self, x):
        self.seen.value = self.seen.value + x.sum()
        return x

def passed(tally, x):
    y = tally(x)
    return y, tally

def made(x):
    return Tally()(x)

tally = Tally()
jitted = jax.jit(passed)

class Trainer:
    def __init__(self):
        self.tally = Tally()

    def step(self, x):
        return nnx.jit(passed)(self.tally, x)

def main():
    jitted(tally, jnp.ones(3))
    jax.jit(made)(jnp.ones(3))
    nnx.jit(passed)(tally, jnp.ones(3))
    jax.vmap(passed, in_axes=(None, 0), out_axes=(0, None))
    Trainer().step(jnp.ones(3))
    return tally(jnp.ones(3))

# --- a function that closes over a tracer is kept
TABLE, HOOKS = {}, []

def scaled_by(scale):
    def scaled(v):
        return v * scale
    return scaled

@jax.jit
def made(x):
    TABLE["made"] = scaled_by(x)  # JAX107
    HOOKS.append(lambda: x)  # JAX107
    TABLE["partial"] = partial(jnp.add, x)  # JAX107
    return x

def main():
    return made(1.0)

# --- a function that closes over a shape, or is kept in the trace, or outside of any
TABLE = {}

@jax.jit
def of_shape(x):
    n = x.shape[0]
    TABLE["shape"] = lambda y: y * n
    local = {"f": lambda y: y * x}
    return local["f"](x)

class Model:
    def __init__(self):
        self.f = None

    def run(self, x):
        self.f = lambda y: y + x
        return self.f(x)

@jax.jit
def inside(x):
    return Model().run(x)

@jax.jit
def removed(x):
    TABLE["hook"] = lambda y: y + x
    try:
        return TABLE["hook"](x)
    finally:
        del TABLE["hook"]

def eager(x):
    TABLE["made"] = lambda y: y + x
    return x

def main():
    of_shape(jnp.ones(3))
    inside(1.0)
    removed(1.0)
    return eager(1.0)

# --- a list of an object that a rule replaces
class Problem:
    def __init__(self):
        self.fields = [jnp.ones(3), jnp.ones(3)]

    def set_fields(self, fields):
        self.fields = fields

def solver(problem):
    @jax.custom_vjp
    def solve(fields):
        problem.set_fields(fields)
        return fields[0].sum() + fields[1].sum()

    def forwards(fields):
        return solve(fields), fields

    def backwards(fields, slope):
        return ([slope * jnp.ones_like(field) for field in fields],)

    solve.defvjp(forwards, backwards)
    return solve

def main():
    problem = Problem()
    solve = solver(problem)

    def simulate(scale):
        fields = problem.fields
        fields[0] = scale * fields[0]
        return solve(fields)

    jax.grad(simulate)(2.0)
    return problem.fields[0] + 1

# --- a list that an object gives up, and that a variable keeps
class Problem:
    def __init__(self, fields):
        self.fields = fields

def main():
    start = [jnp.ones(3)]
    problem = Problem(start)

    def simulate(scale):
        fields = problem.fields
        fields[0] = scale * fields[0]  # JAX107
        problem.fields = []
        return fields[0].sum()

    jax.jit(simulate)(2.0)
    return start

# --- a list that an object keeps when it gives up another one
class Problem:
    def __init__(self):
        self.fields, self.others = [jnp.ones(3)], []

def main():
    problem = Problem()

    def simulate(scale):
        fields = problem.fields
        fields[0] = scale * fields[0]  # JAX107
        problem.others = []
        return fields[0].sum()

    return jax.jit(simulate)(2.0)

# --- leak to a list that a default dict makes, to a deque, and to an ordered dict
from collections import OrderedDict, defaultdict, deque

class Log:
    def __init__(self):
        self.store = defaultdict(list)
        self.recent = deque(maxlen=3)
        self.last = OrderedDict()

    def log(self, name, value):
        self.store[name].append(value)  # JAX107

LOG = Log()

@jax.jit
def f(x):
    LOG.log("x", x * 2)
    LOG.store["mean"].append(x.mean())  # JAX107
    LOG.recent.appendleft(x)  # JAX107
    LOG.last["x"] = x  # JAX107
    return x

def main():
    return f(jnp.ones(3))

# --- a default dict, a deque and an ordered dict of the trace, or filled outside of it
from collections import OrderedDict, defaultdict, deque

STORE = defaultdict(list)
RECENT = deque(maxlen=3)
TOTALS = defaultdict(float)

@jax.jit
def f(x):
    parts, waiting, named = defaultdict(list), deque([x]), OrderedDict()
    while waiting:
        part = waiting.popleft()
        parts[part.shape].append(part)
        if part.shape[0] > 1:
            waiting.extend([part[:1], part[1:]])
    for shape, found in parts.items():
        named[shape] = sum(found)
    return sum(value.sum() for value in named.values()) + len(STORE["x"])

def main():
    for step in range(3):
        y = f(jnp.ones(step + 1))
        STORE["y"].append(y)
        RECENT.append(float(y))
        TOTALS["y"] += float(y)
    if len(RECENT) == RECENT.maxlen and TOTALS["y"] > 0:
        RECENT.popleft()
    return jnp.stack(STORE["y"]), jnp.array(RECENT), jnp.array([STORE["y"][0], STORE["z"] or 0.0])

# --- a count for each name of a trace, in a default dict
from collections import defaultdict

CALLS = defaultdict(int)

@jax.jit
def f(x):
    CALLS["f"] += 1  # JAX105
    return x

def main():
    return f(1.0)

# --- the entry that `setdefault` gives is one of the dict, whoever has made it
from dataclasses import dataclass, field

@dataclass
class Board:
    extra: dict = field(default_factory=dict)

    def log(self, name, value):
        self.extra.setdefault(name, []).append(value)  # JAX107

BOARD, SEEN = Board(), {}

@jax.jit
def f(x):
    BOARD.log("dead", (x == 0).mean())
    SEEN.setdefault("shapes", set()).add(x.shape)  # JAX105
    return x

def main():
    return f(jnp.ones(3))

# --- an empty entry that a dict gets anyway, and entries of a dict of the trace
SHAPES = {}

@jax.jit
def f(x):
    SHAPES.setdefault("rows", [])
    parts = {}
    for group, value in (("a", x), ("b", 2 * x), ("a", 3 * x)):
        parts.setdefault(group, []).append(value)
    return {group: sum(values) for group, values in parts.items()}

def main():
    return f(jnp.ones(3))

# --- attribute of an nnx module that was None before
from flax import nnx

class Probe(nnx.Module):
    def __init__(self):
        self.weight = nnx.Param(jnp.ones(2))
        self.last = None

    def __call__(self, x):
        self.last = self.weight * x  # JAX114
        return self.last

@nnx.jit
def f(probe, x):
    return probe(x) + probe(x)

def main():
    return f(Probe(), jnp.ones(2))

# --- attribute of an nnx module that is set back
from flax import nnx

class Probe(nnx.Module):
    def __init__(self):
        self.weight = nnx.Param(jnp.ones(2))
        self.last = None

    def __call__(self, x):
        self.last = self.weight * x
        return self.last

@nnx.jit
def f(probe, x):
    y = probe(x) * probe.last
    probe.last = None
    return y

def main():
    probe = Probe()
    return f(probe, jnp.ones(2)), f(probe, jnp.ones(2))

# --- attribute that its class declares to be data, or that any of them is
from typing import Any

from flax import nnx

class Declared(nnx.Module):
    last: nnx.Data[Any]
    other: Any = nnx.data(None)

    def __init__(self):
        self.weight = nnx.Param(jnp.ones(2))
        self.third = nnx.data(None)

    def __call__(self, x):
        self.last = self.other = self.third = self.weight * x
        return self.last

class Whole(nnx.Module, pytree=False):
    def __init__(self):
        self.weight = nnx.Param(jnp.ones(2))
        self.last = None

    def __call__(self, x):
        self.last = self.weight * x
        return self.last

@nnx.jit
def f(model, x):
    return model(x)

def main():
    declared, whole = Declared(), Whole()
    declared.last = None
    for _ in range(2):
        f(declared, jnp.ones(2))
        f(whole, jnp.ones(2))
    return declared.last + declared.other + declared.third + whole.last

# --- kept in a queue
import queue

LATEST = queue.Queue()

class Log:
    def __init__(self):
        self.values = queue.SimpleQueue()

    def push(self, name, value):
        self.values.put((name, value))  # JAX107
        return value

LOG = Log()

@jax.jit
def step(x):
    LATEST.put_nowait(x + 1)  # JAX107
    return LOG.push("step", x)

def main():
    return step(1.0)

# --- kept in a queue of its own, or for a callback
import queue

LATEST = queue.Queue()

@jax.jit
def step(x):
    waiting = queue.LifoQueue()
    waiting.put(x)
    jax.debug.callback(LATEST.put, x)
    return waiting.get() + 1

def main():
    return step(1.0)

# --- written to objects that a loop unpacks, of classes that cannot be seen to be registered
from dataclasses import dataclass, fields

def tree_class(cls):
    made = dataclass(cls)
    register = getattr(jax.tree_util, "register_" + "dataclass")
    return register(made, data_fields=[field.name for field in fields(made)], meta_fields=[])

@tree_class
class Result:
    cost: jax.Array

    def advance(self, step):
        self.cost = self.cost + step
        return self

@tree_class
class LoopState:
    result: Result
    others: tuple

@jax.jit
def search(x):
    def body(state):
        other, = state.others
        other.cost = other.cost * 2
        return LoopState(state.result.advance(1.0), (other,))

    state = LoopState(Result(x), (Result(x),))
    return jax.lax.while_loop(lambda state: state.result.cost.sum() < 3, body, state).result.cost

def main():
    return search(jnp.zeros(2))

# --- a slope in an object that is not older than the trace, and one that nothing traces
class Fit:
    def linearise(self, params):
        value, self.push = jax.linearize(jnp.sin, params)
        _, self.pull = jax.vjp(jnp.sin, params)
        return value

    def run(self, params):
        value = self.linearise(params)
        return self.push(value), self.pull(value)

@jax.jit
def inside(params):
    return Fit().run(params)

def main():
    return inside(jnp.ones(3)), Fit().run(jnp.ones(3))
