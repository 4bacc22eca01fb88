# What scan, cond and the other functions of `jax.lax` trace.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- argument of a scanned function
import flax.linen as nn

class Sums(nn.Module):
    @nn.compact
    def __call__(self, x, rows):
        def body(module, total, row, double, limit):
            if double:
                row = 2 * row
            if limit:  # JAX201
                row = row + 1
            return total + row, None

        return nn.scan(body, in_axes=(0, nn.broadcast, 0))(self, x, rows, True, rows)[0]

def main():
    return Sums().apply({}, jnp.ones(()), jnp.ones(3))

# --- scan carry
def body(carry, x):
    if carry > 0:  # JAX201
        carry = carry + x
    return carry, x

def main():
    return jax.lax.scan(body, 0.0, jnp.ones(3))

# --- scan element
def main():
    def body(carry, x):
        return carry + max(x, 0.0), None  # JAX203

    return jax.lax.scan(body, 0.0, jnp.ones(3))

# --- fori index
LAYERS = [1.0, 2.0, 3.0]

def main():
    return jax.lax.fori_loop(0, 3, lambda i, x: x + LAYERS[i], 0.0)  # JAX214

# --- fori range
def body(i, x):
    for j in range(i):  # JAX204
        x = x + j
    return x

def main():
    return jax.lax.fori_loop(0, 3, body, 0.0)

# --- while condition
def main():
    return jax.lax.while_loop(lambda s: s[0] < 3 and s[1] > 0, lambda s: (s[0] + 1, s[1]), (0, 1.0))  # JAX202

# --- while body
def body(x):
    if x > 2:  # JAX201
        return x + 2
    return x + 1

def main():
    return jax.lax.while_loop(lambda x: x < 3, body, 0.0)

# --- cond branch
def positive(x):
    return x if x < 10 else 10.0  # JAX201

def main():
    return jax.lax.cond(True, positive, lambda x: x, 1.0)

# --- switch branch
def first(x):
    return np.log(x)  # JAX213

def main():
    return jax.lax.switch(0, [first, lambda x: x], 1.0)

# --- lax map
def main():
    return jax.lax.map(lambda x: float(x), jnp.ones(3))  # JAX211

# --- cond of a library function with two operands
def f(flag, key, logits):
    return jax.lax.cond(flag, lambda key, logits: jnp.argmax(logits), jax.random.categorical, key, logits)

def main():
    return f(True, jax.random.key(0), jnp.zeros(3))

# --- cond instead of if
@jax.jit
def f(x, i):
    x = jax.lax.cond(x.sum() > 0, lambda v: v, lambda v: -v, x)
    x = jnp.where((x > 0) & ~(x > 3), x, 0.0)
    x = jax.lax.switch(i, [jnp.sin, jnp.cos], x)
    return jax.lax.fori_loop(0, i, lambda j, v: v + j, x)

def main():
    return f(jnp.ones(2), 1)

# --- iteration unrolls
@jax.jit
def f(xs, pair):
    total = 0.0
    for i, x in enumerate(xs):
        total = total + x * i
    a, b = xs[:2]
    return total + a + sum(xs) + abs(b) + max(len(xs), 1) + sum(v for v in pair)

def main():
    return f(jnp.ones(3), (1.0, 2.0))

# --- loop over static range
@jax.jit
def f(x):
    for i in range(x.shape[0]):
        x = x + i
    for n in np.arange(3):
        x = x * [1.0, 2.0, 3.0][n]
    return x

def main():
    return f(jnp.ones(3))

# --- match asks for a part of a tuple
@jax.jit
def inside(v, s):
    match (v, s):
        case _, 0.0:  # JAX201
            return v
    return s

@jax.jit
def taken_before(v, s):
    match (v, s):
        case (a, b):
            return a + b
        case _, 0.0:
            return v

@jax.jit
def other_length(v, s):
    match (v, s):
        case (a, 1.0, 2.0):
            return a
        case (a, *_):
            return a * 2

def main():
    inside(jnp.ones(3), 1.0)
    taken_before(jnp.ones(3), 1.0)
    return other_length(jnp.ones(3), 1.0)

# --- match asks for an attribute, and for an item
from typing import NamedTuple

class State(NamedTuple):
    w: jax.Array
    b: jax.Array

@jax.jit
def by_name(v, s):
    match State(v, s):
        case State(w=w, b=1.0 | 2.0):  # JAX201
            return w
    return s

@jax.jit
def by_position(v, s):
    match State(v, s):
        case State(w, 0):  # JAX201
            return w
    return s

@jax.jit
def item(v, s):
    match {"w": v, "b": s}:
        case {"w": w, "b": 0}:  # JAX201
            return w
    return s

@jax.jit
def only_bound(v, s):
    match State(v, s):
        case State(w=w, b=b):
            return w * b

def main():
    by_name(jnp.ones(3), 1.0)
    by_position(jnp.ones(3), 1.0)
    item(jnp.ones(3), 1.0)
    return only_bound(jnp.ones(3), 1.0)

# --- patterns that no tracer fits, and one that it does
@jax.jit
def kind(x):
    match x:
        case [a, 0]:
            return a
        case {"a": 1}:
            return 0
        case None | True:
            return 1
        case "mean":
            return 2
        case int(n):
            return n
        case jax.Array():
            return x
        case 1:
            return x + 1

def main():
    return kind(jnp.ones(3))

# --- the case of a known mode is the one that runs
def chosen(x, mode):
    match mode:
        case "abs":
            return abs(x)
        case "pick":
            if x > 0:
                return x
            return -x

@jax.jit
def known(x):
    return chosen(x, "abs")

def main():
    return known(1.0)

# --- chosen by whether a function can be called
@jax.jit
def step(x, y):
    chosen = x if callable(jnp.sin) else 3
    if chosen > 2:  # JAX201
        return y
    return x

def main():
    return step(1.0, 2.0)

# --- what cannot be called is not chosen
@jax.jit
def step(x, y):
    chosen = 3 if callable(step) else x
    if chosen > 2:
        return y
    return x

def main():
    return step(1.0, 2.0)

# --- list that is longer on one path
@jax.jit
def f(x, y):
    sizes = [1]
    if y.shape[0] > 2:
        sizes = [1, 2]
    sizes.append(x)
    return x if sizes[0] else -x

def main():
    return f(1.0, jnp.ones(3)), f(1.0, jnp.ones(2))

# --- list that is as long on each path
@jax.jit
def f(x, y):
    sizes = [1]
    if y.shape[0] > 2:
        sizes = [2]
    sizes.append(x)
    return sizes[0] if sizes[1] else -x  # JAX201

def main():
    return f(1.0, jnp.ones(3))

# --- a global that a loop of the module binds before a function inside reads it
data = np.zeros((4, 2))

def pick(i):
    return data[i]

for _ in range(2):
    data = jnp.array(data)
    lanes = jax.vmap(lambda i: data[i])(jnp.arange(4))
    picked = jax.vmap(pick)(jnp.arange(4))

def main():
    return lanes, picked

# --- a global that a branch of the module binds before a function inside reads it
data = jnp.zeros((4, 2))
if data.ndim == 2:
    data = np.array(data)
    lanes = jax.vmap(lambda i: data[i])(jnp.arange(4))  # JAX214

# --- a global that a loop of the module makes an array of the host
data = jnp.zeros((4, 2))
for _ in range(2):
    data = np.array(data)
    lanes = jax.vmap(lambda i: data[i])(jnp.arange(4))  # JAX214

# --- a loop of the module says which library a function uses, and compiles it for one only
def outer(x, y):
    if kind == "numpy":
        return np.outer(x, y)
    return jnp.outer(x, y)

def build(kind):
    if kind == "numpy":
        return outer(np.ones(3), np.ones(3))
    return jax.jit(lambda x, y: outer(x, y))(jnp.ones(3), jnp.ones(3))

results = []
for kind in ["numpy", "jax"]:
    results.append(build(kind))

def main():
    return results

# --- a loop of the module says which library a function uses, and compiles it for both
def outer(x, y):
    if kind == "numpy":
        return np.outer(x, y)  # JAX213
    return jnp.outer(x, y)

def build():
    return jax.jit(lambda x, y: outer(x, y))(jnp.ones(3), jnp.ones(3))

for kind in ["jax", "numpy"]:
    build()

# --- what a handler does not know of a variable around
@partial(jax.jit, static_argnames="strict")
def f(x: jax.Array, strict):
    def checked():
        try:
            if strict:
                raise ValueError("no")
        except ValueError:
            pass
        if strict:
            return float(x[0])  # JAX211
        return 0.0

    return checked()

def main():
    f(jnp.ones(3), True)

# --- what a pass that breaks off has found out of a variable around
@partial(jax.jit, static_argnames=("start", "count"))
def f(x: jax.Array, start, count):
    def total():
        for i in range(count):
            if start is None:
                continue
            if i > 1:
                break
        if start is None:
            return x
        return x + start.sum()

    return total()

def main():
    f(jnp.ones(3), None, 3)

# --- what an early return tells of a variable around
@partial(jax.jit, static_argnames="strict")
def f(x: jax.Array, strict):
    def checked():
        if not strict:
            return x
        if not strict:
            return float(x[0])
        return -x

    return checked()

def main():
    f(jnp.ones(3), True)

# --- a list that was empty
@jax.jit
def f(x: jax.Array, rows):
    found = [row for row in rows]
    assert len(found) == 0
    found.append(x)
    if len(found) > 0:
        return float(x[0])  # JAX211
    return x

def main():
    f(jnp.ones(3), ())

# --- a list that was empty before something was appended
def one(c):
    return c

def total(items, xs):
    step = one
    if not items:
        items.append(2.0)
        if items:
            step = lambda c, x: (c + x, x)
        return jax.lax.scan(step, 0.0, xs)[0]
    return None

def main():
    total([], jnp.arange(3.0))

# --- a queue that has run empty
def one(c):
    return c

def total(queue, xs):
    step = one
    if len(queue) > 0:
        queue.pop()
        if len(queue) == 0:
            step = lambda c, x: (c + x, x)
        return jax.lax.scan(step, 0.0, xs)[0]
    return None

def main():
    total([1], jnp.arange(3.0))

# --- a table that has got an entry
def one(c):
    return c

def total(steps, name, xs):
    step = one
    if name not in steps:
        steps.setdefault(name, lambda c, x: (c + x, x))
        if name in steps:
            step = steps[name]
        return jax.lax.scan(step, 0.0, xs)[0]
    return None

def main():
    total({}, "sum", jnp.arange(3.0))

# --- a mode among the letters of a string
def one(c):
    return c

def total(mode, xs):
    step = one
    if mode in "ab":
        if mode == "a":
            step = lambda c, x: (c + x, x)
        elif mode == "b":
            step = lambda c, x: (c - x, x)
        return jax.lax.scan(step, 0.0, xs)[0]
    return None

def main():
    total("a", jnp.arange(3.0))

# --- a mode among some
def one(c):
    return c

def total(mode, xs):
    step = one
    if mode in ("a", "b"):
        if mode == "c":
            step = lambda c, x: (c + x, x)
        return jax.lax.scan(step, 0.0, xs)[0]  # JAX701
    return None

def main():
    total("a", jnp.arange(3.0))

# --- a list of which a function only asks how much it holds
def one(c):
    return c

def total(items, xs):
    step = one
    if not items:
        if items:
            step = lambda c, x: (c + x, x)
        return jax.lax.scan(step, 0.0, xs)[0]  # JAX701
    return None

def main():
    total([], jnp.arange(3.0))

# --- function that a descriptor binds
class Model:
    pass

def add(self, total, x):
    return total + x, x

def main():
    return jax.lax.scan(add.__get__(Model()), 0.0, jnp.arange(3.0))[0]

# --- what a flag leaves out where the function is compiled
def make(config):
    def train(x):
        if config["SAVE"]:
            print(x.item())
        return 2 * x
    return train

def run(config, x):
    if config["SAVE"]:
        return make(config)(x)
    return jax.jit(make(config))(x)

def main():
    return run({"SAVE": True}, jnp.ones(())) + run({"SAVE": False}, jnp.ones(()))

# --- what a flag leaves out where a name has the compiled function
from argparse import Namespace

def make(config):
    config["STEPS"] = config["SIZE"] // 2

    def train(x):
        if config["SAVE"]:
            print(x.item())
        return 2 * x
    return train

def run(options, x):
    config = {name.upper(): value for name, value in options.__dict__.items()}
    if config["SAVE"]:
        return make(config)(x)
    train = jax.jit(make(config))
    return train(x)

def main():
    return run(Namespace(save=True, size=2), jnp.ones(())) + run(Namespace(save=False, size=2), jnp.ones(()))

# --- what a flag lets in where the function is compiled
def make(config):
    def train(x):
        if config["SAVE"]:
            print(x.item())  # JAX211
        return 2 * x
    return train

def run(config, x):
    if not config["SAVE"]:
        return jax.jit(make(config))(x)
    return jax.jit(make(config))(x)

def main():
    return run({"SAVE": True}, jnp.ones(()))

# --- a flag that is set before the function is compiled
def make(config):
    def train(x):
        if config["SAVE"]:
            print(x.item())  # JAX211
        return 2 * x
    return train

def run(config, x):
    if config["SAVE"]:
        return make(config)(x)
    config["SAVE"] = len(config)
    return jax.jit(make(config))(x)

def main():
    return run({"SAVE": False}, jnp.ones(()))

# --- what is no flag, since it is filled
def make(config):
    def train(x):
        if config["SAVED"]:
            print(x.item())  # JAX211
        return 2 * x
    return train

def run(config, x):
    if config["SAVED"]:
        return make(config)(x)
    config["SAVED"].append(x)
    return jax.jit(make(config))(x)

def main():
    return run({"SAVED": []}, jnp.ones(()))

# --- branches that a loop, a comprehension of a dict, or a helper makes read the variable of the last pass
def schedules(names):
    return {name: lambda s: 0.99**s if name == "exp" else 1 / (1 + s) for name in names}  # JAX705

def listed(names):
    return [lambda s: 0.99**s if name == "exp" else 1 / (1 + s) for name in names]  # JAX705

def looped(names):
    made = []
    for name in names:
        made.append(lambda s: 0.99**s if name == "exp" else 1 / (1 + s))  # JAX705
    return made

def main(i=0):
    names = ("exp", "inv")
    first = jax.lax.switch(i, list(schedules(names).values()), 1.0)
    return first, jax.lax.switch(i, listed(names), 1.0), jax.lax.switch(i, looped(names), 1.0)

# --- branches that keep what the pass had, or read what a loop around all of them has
def schedules(names):
    return {name: lambda s, name=name: 0.99**s if name == "exp" else 1 / (1 + s) for name in names}

def of(name):
    return lambda s: 0.99**s if name == "exp" else 1 / (1 + s)

def looped(names):
    made = []
    for name in names:
        made.append(of(name))
    return made

def main(i=0):
    names, s = ("exp", "inv"), 1.0
    for scale in (1.0, 2.0):
        s = jax.lax.switch(i, list(schedules(names).values()), s)
        s = jax.lax.switch(i, looped(names), s)
        s = jax.lax.switch(i, [lambda s, name=name: s * scale if name == "exp" else s for name in names], s)
    return s

# --- a number that is read before the loop that carries it, and read again in a branch in the loop
from dataclasses import dataclass

@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class State:
    total: jax.Array
    end: int

@partial(jax.jit, static_argnames="size")
def f(x, size):
    state = State(x, min(size, x.shape[0]))
    end = state.end
    def body(j, state):
        def add(state):
            return State(state.total + jnp.arange(end).sum(), state.end)
        return jax.lax.cond(j > 2, lambda state: state, add, state)
    return jax.lax.fori_loop(0, end, body, state).total

def main():
    return f(jnp.ones(8), 4)

# --- a number that is read in the loop that carries it
from dataclasses import dataclass

@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class State:
    total: jax.Array
    end: int

@partial(jax.jit, static_argnames="size")
def f(x, size):
    state = State(x, min(size, x.shape[0]))
    end = state.end
    def body(j, state):
        def add(state):
            return State(state.total + jnp.arange(end).sum() + jnp.arange(state.end).sum(), state.end)  # JAX223
        return jax.lax.cond(j > 2, lambda state: state, add, state)
    return jax.lax.fori_loop(0, end, body, state).total

def main():
    return f(jnp.ones(8), 4)

# --- a call that is left to the reader
def main():
    try:
        return jax.lax.scan(...)
    except TypeError:
        return None

# --- a branch is chosen by the number that is made of a comparison
def choose(flag, x):
    index = jnp.int32(flag > 0.5) + (flag > 0.9) * 1
    return jax.lax.switch(index, [jnp.sin, jnp.cos, jnp.tanh], x)

def main():
    return choose(jnp.array(0.7), 1.0)

# --- what a loop begins with is left out, under a name that it does not have
def moved(x):
    def body(index, carry):
        position, speed = carry
        return position + speed, speed * 0.9

    return jax.lax.fori_loop(0, 3, body, init_carry=(x, x))

def grown(x):
    return jax.lax.while_loop(lambda carry: carry, lambda carry: ~carry, init=x > 0)

def main():
    for call in (moved, grown):
        try:
            call(1.0)
        except TypeError:
            pass
        else:
            raise AssertionError

# --- branches of a switch stand in no list
def pick(i, x):
    return jax.lax.switch(i, jnp.sin, jnp.cos, x)  # JAX705

def main():
    pick(1, 0.5)

# --- branches of a switch stand in a list of any kind
WAYS = (jnp.sin, jnp.cos)

def pick(i, x):
    return jax.lax.switch(i, WAYS, x) + jax.lax.switch(i, [*WAYS, jnp.tan], x)

def main():
    pick(1, 0.5)

# --- body of a fori loop takes its parameters the wrong way round
def move(position, velocity, n):
    def body(state, i):
        p, v = state  # JAX706
        return p + 0.1 * v, v

    return jax.lax.fori_loop(0, n, body, (position, velocity))

def main():
    move(0.0, 1.0, 3)

# --- body of a fori loop takes apart what is carried, or counts with the index
def move(position, velocity, n):
    def body(i, state):
        p, v = state
        first, second = jnp.full(2, i)
        return p + first * v, v

    return jax.lax.fori_loop(0, n, body, (position, velocity))

def main():
    move(0.0, 1.0, 3)

# --- branches give a float and a whole number, whatever they are given
def branch(at, x):
    return jax.lax.cond(at > 4, lambda u: u * 2.0, lambda u: jnp.int32(0), x)  # JAX704

def main():
    branch(1, 3)

# --- branches give whole numbers, or what the argument is
def branch(at, x):
    return jax.lax.cond(at > 4, lambda u: u * 2, lambda u: jnp.int32(0), x)

def halved(at, x):
    return jax.lax.cond(at > 4, lambda u: u * 0.5, lambda u: u + 0.0, x)

def main():
    return branch(1, jnp.int32(3)), halved(1, 3)

# --- branches are what they should compute
def maybe(flag, x):
    return jax.lax.cond(flag, x + 1, x - 1)  # JAX704

def main():
    maybe(True, jnp.ones(3))

# --- branches are functions that nobody knows, or operands of them
def maybe(flag, x, up, table):
    one = jax.lax.cond(flag, up, table["down"], x + 1)
    return jax.lax.cond(flag, lambda: one + 1, lambda: x - 1)

def main():
    maybe(True, 1.0, jnp.sin, {"down": jnp.cos})

# --- a branch, a body and a function to scan with are left out
def when(x):
    return jax.lax.cond(x > 0, lambda: x + 1)  # JAX704

def main():
    when(1.0)

# --- the body of a loop is left out
def main():
    jax.lax.while_loop(lambda x: x < 3, init_val=0)  # JAX706

# --- branches are passed by name, by a dict, or later
def named(x):
    return jax.lax.cond(x > 0, true_fun=lambda: x + 1, false_fun=lambda: x)

def listed(x, **branches):
    return jax.lax.cond(x > 0, **branches)

def starred(x, *branches):
    return jax.lax.cond(x > 0, *branches)

def later(x):
    return partial(jax.lax.cond, x > 0, lambda: x + 1)(lambda: x)

def main():
    branches = {"true_fun": lambda: 1.0, "false_fun": lambda: 2.0}
    return named(1.0), listed(1.0, **branches), starred(1.0, *branches.values()), later(1.0)

# --- functions of a solver, and of a platform, that may be left out
@jax.jit
def solve(x):
    def chosen(y):
        return y * 2 if y.sum() > 0 else y  # JAX201

    return jax.lax.platform_dependent(x, cpu=jnp.sin, default=chosen)

def times(matrix, b):
    return jax.lax.custom_linear_solve(lambda v: matrix @ v, b, lambda matvec, y: jnp.linalg.solve(matrix, y))

def main():
    jax.lax.platform_dependent(1.0, cpu=jnp.sin), times(jnp.eye(2), jnp.ones(2))
    solve(jnp.ones(2))

# --- a class that a loop makes has variables of its own
@jax.jit
def f(x, keys):
    def inner(v):
        for key in keys:

            class Layer:
                def loss(self, v):
                    v = v

        if v > 0:  # JAX201
            return v

    return inner(x)

def main():
    return f(1.0, jax.random.split(jax.random.key(0), 2))

# --- a dict in which a loop keeps its counter still holds what was in it
@partial(jax.jit, static_argnums=0)
def f(n, x, infos):
    told = {"first": x}
    for i in range(n):
        told.update({f"{name}_{i}": value for name, value in infos.items()}, last=i)
    if told["first"] > 0:  # JAX201
        return told["last"]
    return x

def main():
    return f(2, 1.0, {"loss": 0.5})
