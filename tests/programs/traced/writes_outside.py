# Writes to globals, lists and objects from outside the trace, and to what is its own.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- global
CALLS = 0

@jax.jit
def f(x):
    global CALLS
    CALLS += 1  # JAX104
    return x

def main():
    return f(1.0)

# --- global that a generator writes
CALLS = 0

def falling(x):
    global CALLS
    CALLS += 1  # JAX104
    yield x
    yield x / 2

@jax.jit
def step(x):
    return sum(falling(x))

def main():
    return step(jnp.ones(3))

# --- global that a generator of a class writes, and one that a context manager puts back
import contextlib

CALLS = 0
DEPTH = 0

class Count:
    @staticmethod
    def falling(x):
        global CALLS
        CALLS += 1  # JAX104
        yield x
        yield x / 2

    @staticmethod
    @contextlib.contextmanager
    def deeper():
        global DEPTH
        DEPTH += 1
        yield
        DEPTH -= 1

@jax.jit
def step(x):
    with Count.deeper():
        return sum(Count.falling(x))

def main():
    return step(jnp.ones(3))

# --- list that a generator grows before each of its items
SEEN = []

def falling(x, times):
    for _ in range(times):
        SEEN.append(times)  # JAX105
        yield x

@jax.jit
def step(x):
    return sum(falling(x, 2))

def main():
    return step(jnp.ones(3))

# --- dict that a generator sets back after its yield
from contextlib import contextmanager

DEPTH = {"now": 0}

def deeper():
    DEPTH["now"] += 1
    yield
    DEPTH["now"] -= 1

@jax.jit
def step(x):
    with contextmanager(deeper)():
        return x * 2

def main():
    return step(jnp.ones(3))

# --- nonlocal
def main():
    steps = 0

    def body(carry, x):
        nonlocal steps
        steps = steps + 1  # JAX104
        return carry + x, None

    return jax.lax.scan(body, 0.0, jnp.ones(3)), steps

# --- outer list
HISTORY = []

@jax.jit
def f(x):
    HISTORY.append("called")  # JAX105
    return x

def main():
    return f(1.0)

# --- outer dict
STATS = {"n": 0}

@jax.jit
def f(x):
    STATS["n"] += 1  # JAX105
    return x

def main():
    return f(1.0)

# --- argument dict
@jax.jit
def f(batch):
    batch["x"] = batch["x"] / 255.0  # JAX106
    return batch["x"].sum()

def main():
    batch = {"x": jnp.ones(3)}
    total = f(batch)
    return total, batch["x"]

# --- flag that the loop resets
def drive(xs):
    seen = False

    @jax.jit
    def step(x):
        nonlocal seen
        seen = True  # JAX104
        return x * 2

    marks = []
    for x in xs:
        seen = False
        step(x)
        marks.append(seen)
    return marks

def main():
    marks = drive([1.0, 2.0])
    assert marks == [True, False]
    return marks

# --- number in a nonlocal that grows
def make():
    steps = 1

    def f(x):
        nonlocal steps
        steps = steps * 2  # JAX104
        return x * steps

    return jax.jit(f)

def main():
    f = make()
    return f(1.0), f(1.0)

# --- variable that is no reference
from flax import nnx

@jax.jit
def f(v):
    v["a"] = v["a"] + 1.0  # JAX106

def count(v):
    f(v)
    return v["a"]

def main():
    assert count(nnx.Variable({"a": jnp.zeros(())})) == 0.0

# --- variable that is a reference
import flax
from flax import errors, nnx

state = nnx.Variable(jnp.zeros(2), ref=True)

@jax.jit
def f(count):
    count[...] += 1.0

@jax.jit
def g(x):
    state[...] = state[...] + x
    return x

@jax.jit
def h(x):
    state.value = x

def main():
    f(state)
    g(2.0)
    assert (state[...] == 3.0).all()
    try:
        h(jnp.ones(2))
        assert (state[...] == 1.0).all()
    except errors.TraceContextError:
        assert flax.__version__ == "0.12.8"  # later ones let it be set
    return state[...]

# --- references
total = jax.new_ref(jnp.zeros(3))

@jax.jit
def f(ref, x):
    ref[0] = x

@jax.jit
def g(refs, x):
    refs["total"][2] = x

@jax.jit
def h(x):
    total[1] = x
    total[...] += x

def main():
    f(total, 1.0)
    g({"total": total}, 5.0)
    h(1.0)
    assert (total[...] == jnp.array([2.0, 2.0, 6.0])).all()
    return total[...]

# --- what a function keeps of its shapes
@jax.jit
def f(x):
    f_shapes(x)
    return x * 2

def f_shapes(x):
    f_shapes.latest = x.shape

def main():
    y = f(jnp.ones(3))
    assert f_shapes.latest == (3,)
    return y

# --- pushed and popped
stack = []

def param(name):
    return stack[-1][name]

@jax.jit
def f(params, x):
    stack.append(params)
    y = x * param("w")
    stack.pop()
    return y

def main():
    y = f({"w": 3.0}, 2.0)
    assert not stack
    return y

# --- pushed and popped by functions
scopes = []

def enter(params):
    scopes.append(params)

def leave():
    return scopes.pop()

def dense(x):
    return x * scopes[-1]

@jax.jit
def f(params, x):
    enter(params)
    try:
        return dense(x)
    finally:
        leave()

@jax.jit
def g(params, x):
    enter(params["inner"])
    y = dense(x)
    leave()
    return y

def main():
    return f(3.0, 2.0), g({"inner": 1.0}, 2.0)

# --- set and set back
class Net:
    params = None
    depth = 0

    def apply(self, params, x):
        self.params = params
        self.depth += 1
        y = self.layer(x)
        self.depth -= 1
        self.params = None
        return y

    def layer(self, x):
        return x * self.params * self.depth

net = Net()

@jax.jit
def f(params, x):
    return net.apply(params, x)

def main():
    y = f(3.0, 2.0)
    assert net.params is None and net.depth == 0
    return y

# --- entry that is taken out again
table = {}
collected = []

@jax.jit
def f(x):
    table["x"] = x
    y = table["x"] * 2
    del table["x"]
    table["y"] = y
    z = table.pop("y") + 1
    for row in (y, z):
        collected.append(row)
    out = jnp.stack(collected)
    collected.clear()
    return out

def main():
    out = f(2.0)
    assert not table and not collected
    return out

# --- structure found out while tracing
def flat(f, tree):
    treedef = shape = None

    def leaves_of(tree):
        nonlocal treedef, shape
        leaves, treedef = jax.tree.flatten(f(tree))
        shape = leaves[0].shape
        return leaves

    leaves = jax.jit(leaves_of)(tree)
    assert shape == (2,)
    return jax.tree.unflatten(treedef, leaves)

def main():
    return flat(lambda tree: {"double": tree * 2}, jnp.ones(2))

# --- structures kept in a list
def flat(f, tree):
    treedefs = []

    def leaves_of(tree):
        leaves, treedef = jax.tree.flatten(f(tree))
        treedefs.append(treedef)
        return leaves

    leaves = jax.jit(leaves_of)(tree)
    return jax.tree.unflatten(treedefs[0], leaves)

def main():
    return flat(lambda tree: {"double": tree * 2}, jnp.ones(2))

# --- converted once and for all
def schedule_of(steps):
    def schedule(count):
        nonlocal steps
        steps = float(steps)
        return jnp.minimum(count, steps)

    return schedule

def main():
    rate = jax.jit(schedule_of(10))
    return rate(3.0), rate(12.0)

# --- once for what is not registered
SEEN, LINES = set(), []

def note(x):
    if x.shape not in SEEN:
        SEEN.add(x.shape)
        LINES.append({"shape": str(x.shape)})

@jax.jit
def f(x):
    note(x)
    return x * 2

def main():
    return f(jnp.ones(3))

# --- options that are read first
RATE = 1.0
SETTINGS = {"gain": 1.0}

@jax.jit
def f(x):
    return x * RATE * SETTINGS["gain"]

def train(x):
    return f(x)

def start(rate):
    global RATE
    RATE = rate
    SETTINGS["gain"] = rate
    for _ in range(2):
        y = train(1.0)
    return y

def main():
    return start(2.0)

# --- mode that is set for a while
import contextlib

depth = 0

@contextlib.contextmanager
def deeper():
    global depth
    depth += 1
    try:
        yield
    finally:
        depth -= 1

@jax.jit
def f(x):
    return x + 1 if depth else x

def main():
    with deeper():
        return f(1.0)

# --- numbers for names
taken = {}

def reset():
    global taken
    taken = {}

def unique(name):
    if name in taken:
        taken[name] += 1
        return name + str(taken[name])
    taken[name] = 0
    return name

@jax.jit
def f(x):
    return {unique("w"): x, unique("w"): x * 2}

def main():
    reset()
    return f(1.0)

# --- local containers
@jax.jit
def f(x):
    parts, named = [], {}
    for i in range(3):
        parts.append(x * i)
        named[f"part{i}"] = parts[-1]
    named.pop("part0")
    return parts, named

def main():
    return f(1.0)

# --- copied argument
@jax.jit
def f(batch):
    batch = dict(batch)
    batch["x"] = batch["x"] / 255.0
    return batch["x"].sum()

def main():
    return f({"x": jnp.ones(3)})

# --- argument returned
@jax.jit
def f(params):
    params["w"] = params["w"] * 2
    return params

def main():
    return f({"w": jnp.ones(3)})

# --- object made inside
class Box:
    def __init__(self):
        self.value = None

@jax.jit
def f(x):
    box = Box()
    box.value = x * 2
    return box.value

def main():
    return f(1.0)

# --- attribute set eagerly
class Actor:
    def __init__(self):
        self.state = jnp.zeros(())
        self.history = []
        self._step = jax.jit(lambda s, x: s + x)

    def act(self, x):
        self.state = self._step(self.state, x)
        self.history.append(self.state)
        return self.state

def main():
    actor = Actor()
    return actor.act(1.0) + actor.act(2.0)

# --- callback writes
SEEN = []

def keep(x):
    SEEN.append(float(x))
    print("kept", len(SEEN))

@jax.jit
def f(x):
    jax.debug.callback(keep, x)
    return x

def main():
    return f(1.0)

# --- linen setup
import flax.linen as nn

class Net(nn.Module):
    width: int = 4

    def setup(self):
        self.dense = nn.Dense(self.width)

    def __call__(self, x, train=False):
        if train:
            x = x * 2
        return self.dense(x)

def main():
    net = Net()
    params = net.init(jax.random.key(0), jnp.ones((1, 2)))
    return jax.jit(net.apply)(params, jnp.ones((1, 2)))

# --- nnx state
from flax import nnx

class Counter(nnx.Module):
    def __init__(self):
        self.count = nnx.Variable(jnp.zeros(()))

    def __call__(self, x):
        self.count[...] = self.count[...] + 1
        return x

@nnx.jit
def f(counter, x):
    return counter(x)

def main():
    return f(Counter(), 1.0)

# --- global set for the next example
RATE = 1.0

@jax.jit
def f(x):
    return x * RATE

first = f(1.0)
RATE = 2.0

@jax.jit
def g(x):
    return x * RATE

second = g(1.0)

def main():
    return first, second

# --- global set for the next function of that name
RATE = 1.0

def scaled(x):
    return x * RATE

first = jax.jit(scaled)(1.0)
RATE = 2.0

def scaled(x):
    return x * RATE

second = jax.jit(lambda x: scaled(x))(1.0)

def main():
    return first, second

# --- global set to what it was
RATE = 1.0

@jax.jit
def f(x):
    return x * RATE

first = f(1.0)
RATE = 1.0
second = f(1.0)

def main():
    return first, second

# --- list from outside or one of its own
CACHE = []

@jax.jit
def f(x):
    kept = CACHE if x.ndim > 1 else []
    kept.append(x)  # JAX107
    return x

def main():
    return f(jnp.ones((2, 2)))

# --- list of its own or one from outside
CACHE = []

@jax.jit
def f(x):
    kept = [] if x.ndim < 2 else CACHE
    kept.append(x)  # JAX107
    return x

def main():
    return f(jnp.ones((2, 2)))

# --- object from outside or one of its own
class Log:
    def __init__(self):
        self.last = None

LOG = Log()

@jax.jit
def f(x):
    if x.ndim < 2:
        log = Log()
    else:
        log = LOG
    log.last = x  # JAX107
    return x

def main():
    return f(jnp.ones((2, 2)))

# --- two lists of its own
@jax.jit
def f(x):
    kept = [x] if x.ndim > 1 else []
    kept.append(x)
    return sum(kept)

def main():
    return f(jnp.ones((2, 2)))

# --- changed where it is a copy
WEIGHTS = {"w": 1.0}

@partial(jax.jit, static_argnums=1)
def f(x, frozen):
    weights = WEIGHTS if frozen else dict(WEIGHTS)
    if not frozen:
        weights["w"] = weights["w"] * x
    return weights["w"] * x

def main():
    return f(2.0, True), f(2.0, False)

# --- changed by a helper where it is a copy
WEIGHTS = {"w": 1.0}

def scaled(weights, x):
    weights["w"] = weights["w"] * x

@partial(jax.jit, static_argnums=1)
def f(x, frozen):
    weights = WEIGHTS if frozen else dict(WEIGHTS)
    if not frozen:
        scaled(weights, x)
    return weights["w"] * x

def main():
    return f(2.0, True), f(2.0, False)

# --- changed by a helper where it is none
WEIGHTS = {"w": 1.0}

def scaled(weights, x):
    weights["w"] = weights["w"] * x  # JAX107

@partial(jax.jit, static_argnums=1)
def f(x, frozen):
    weights = dict(WEIGHTS) if frozen else WEIGHTS
    if not frozen:
        scaled(weights, x)
    return x

def main():
    return f(2.0, True), f(2.0, False)

# --- a dict that an inner trace has put into what it gives
import flax

@flax.struct.dataclass
class State:
    reward: jax.Array
    info: dict

def step(state, _):
    state.info.update(steps=state.reward)
    return state.replace(info={"steps": state.reward}), None

@jax.jit
def run(state):
    state = jax.jit(step)(state, None)[0]
    return jax.lax.scan(jax.jit(step), state, (), length=3)[0]

def main():
    return run(State(jnp.ones(()), {"steps": jnp.ones(())}))

# --- a list that an outer trace has made, in a trace inside
@jax.jit
def run(rows):
    seen = []

    def step(total, row):
        seen.append(row)  # JAX107
        return total + row, None

    return jax.lax.scan(step, 0.0, rows)[0]

def main():
    return run(jnp.ones(3))

# --- a function that a module makes by another one changes what is in a dict of the module
STATS = {"f": {"calls": 0}}

def make():
    @jax.jit
    def f(x):
        STATS["f"]["calls"] += 1  # JAX105
        return x

    return f

f = make()

def main():
    pass

# --- a callback that is never called, of a function that a module makes by another one
SEEN = []

def make():
    @jax.jit
    def f(x):
        jax.pure_callback(lambda x: (SEEN.append(x), np.asarray(x))[1], x, x)  # JAX713
        return x

    return f

f = make()

def main():
    pass

# --- a function that a module makes by another one pushes and pops
STACK = []

def make():
    @jax.jit
    def f(params, x):
        STACK.append(params)
        y = x * STACK[-1]["w"]
        STACK.pop()
        return y

    return f

f = make()

def main():
    return f({"w": 3.0}, 2.0)

# --- a list of what was traced that is asserted
def main():
    traces = []

    @jax.jit
    def doubled(x):
        traces.append(x.shape)
        return x * 2

    doubled(jnp.ones(3))
    doubled(jnp.ones(3))
    assert traces == [(3,)]

# --- a list of tracers that is asserted
def main():
    seen = []

    @jax.jit
    def doubled(x):
        seen.append(x * 2)  # JAX107
        return x

    doubled(jnp.ones(3))
    assert len(seen) == 1

# --- one of two functions writes, and a static argument tells which is called
TABLE = {"a": 1}

def clears(x):
    del TABLE["a"]  # JAX105
    return x

@partial(jax.jit, static_argnums=1)
def run(x, number: int):
    chosen = [jax.checkpoint(jnp.sin), partial(clears)][number - 1]
    return jax.lax.cond(True, chosen, chosen, x)

def main():
    return run(jnp.ones(3), 1)

# --- one of two functions writes, and it is the one that is called
TABLE = {"a": 1}

def clears(x):
    del TABLE["a"]  # JAX105
    return x

@partial(jax.jit, static_argnums=1)
def run(x, number: int):
    chosen = [jax.checkpoint(jnp.sin), partial(clears)][1]
    return jax.lax.cond(True, chosen, chosen, x)

def main():
    return run(jnp.ones(3), 1)

# --- either of two functions is called, each on its condition, and one of them writes
TABLE = {"a": 1}

def clears(x):
    del TABLE["a"]  # JAX105
    return x

@partial(jax.jit, static_argnums=1)
def run(x, number: int):
    if number:
        return jax.lax.cond(True, clears, jnp.sin, x)
    return jax.lax.cond(True, jnp.cos, jnp.sin, x)

def main():
    return run(jnp.ones(3), 1)

# --- counted by helpers inside one another
class Ids:
    def __init__(self):
        self.count = 0

    def next(self):
        self.count += 1  # JAX105
        return self.count

def h1(ids, x):
    ids.next()
    return h2(ids, x)

def h2(ids, x):
    return h3(ids, x)

def h3(ids, x):
    return h4(ids, x)

def h4(ids, x):
    return h5(ids, x)

def h5(ids, x):
    return h6(ids, x)

def h6(ids, x):
    return h7(ids, x)

def h7(ids, x):
    return h8(ids, x)

def h8(ids, x):
    return h9(ids, x)

def h9(ids, x):
    return h10(ids, x)

def h10(ids, x):
    ids.next()
    return x if x > 0 else -x  # JAX201

IDS = Ids()

@jax.jit
def f(x):
    return h1(IDS, x)

def main():
    return f(1.0)

# --- what a helper writes and another one takes back
class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def pop(self):
        return self.items.pop()

def enter(stack, x):
    stack.push(x)

def leave(stack):
    return stack.pop()

STACK = Stack()

@jax.jit
def f(x):
    enter(STACK, x)
    y = jnp.sin(x)
    return leave(STACK) + y

def main():
    return f(1.0)

# --- what a helper writes and another one leaves
class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)  # JAX107

def enter(stack, x):
    stack.push(x)

STACK = Stack()

@jax.jit
def f(x):
    enter(STACK, x)
    return jnp.sin(x)

def main():
    return f(1.0)

# --- a namespace that is older than the trace
from types import SimpleNamespace

def made():
    stats = SimpleNamespace(calls=0, last=None)

    @jax.jit
    def f(x):
        stats.calls += 1  # JAX105
        stats.last = x  # JAX107
        local = SimpleNamespace(total=0.0)
        local.total = local.total + x
        return local.total
    return f, stats

def main():
    f, stats = made()
    return f(1.0), f(2.0), stats.calls

# --- key of a constant that an object takes further under a trace
class Model:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def next(self):
        self.key, out = jax.random.split(self.key)  # JAX107
        return out

@partial(jax.jit, static_argnums=0)
def noisy(model, x):
    return x + jax.random.normal(model.next())

def main():
    return noisy(Model(0), 1.0)

# --- key that was made before the trace and is put into another place
class Keys:
    def __init__(self):
        self.first = jax.random.key(0)
        self.now = None

keys = Keys()

@jax.jit
def kept(x):
    keys.now = keys.first
    return x

def main():
    return kept(1.0)

# --- what a field's factory has made for an object of before
import dataclasses

@dataclasses.dataclass
class Board:
    rows: list = dataclasses.field(default_factory=list)
    named: dict = dataclasses.field(default_factory=lambda: {})
    size: int = dataclasses.field(default=3)

    def log(self, value):
        self.rows.append(value)  # JAX107

BOARD = Board()

@jax.jit
def step(x):
    BOARD.log(x)
    BOARD.named["x"] = x  # JAX107
    return x * BOARD.size

@jax.jit
def inside(x):
    board = Board()
    board.named["x"] = x
    return board.named["x"]

def main():
    return step(jnp.ones(3)), inside(jnp.ones(3))

# --- an attribute that is computed from itself, and one that is kept where it is something
class Counting:
    def __init__(self):
        self.calls = 0
        self.table = None

    def scaled(self, x):
        self.calls = self.calls + 1  # JAX105
        self.table = self.table or {"scale": 2.0}
        return x * self.table["scale"]

counting = Counting()

@jax.jit
def f(x):
    return counting.scaled(x)

def main():
    f(jnp.ones(3))
    f(jnp.ones(3))
    assert counting.calls == 1

# --- an attribute that is set by its name
class Kept:
    def __init__(self, **options):
        for name, value in options.items():
            setattr(self, name, value)
        setattr(self, "last", None)

    def seen(self, x):
        setattr(self, "last", x)  # JAX107
        return x

kept = Kept(scale=2.0)

@jax.jit
def f(x):
    own = Kept()
    setattr(own, "last", x)
    return kept.seen(x) * kept.scale + own.last

def main():
    f(jnp.ones(3))

# --- a counter of collections
from collections import Counter

calls = Counter()

@jax.jit
def f(x):
    own = Counter()
    own["here"] += 1
    calls["f"] += 1  # JAX105
    return x * own["here"]

def main():
    f(jnp.ones(3))
    f(jnp.ones(3))
    return calls["f"]

# --- the environment and a file are given the text of a tracer
import os
from pathlib import Path

@jax.jit
def f(x, folder=None):
    os.environ["LAST_LOSS"] = str(x)  # JAX104
    if folder is not None:
        Path(folder, "shape.txt").write_text(str(x.shape))
        Path(folder, "loss.txt").write_text(str(x))  # JAX102
    os.environ["SHAPE"] = str(x.shape)  # JAX104 possible
    return x

def main():
    f(jnp.ones(3))

# --- a scope that is pushed by a helper and taken off through the object that it gives
class Scope:
    def __init__(self, stack):
        self.stack = stack

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stack.remove(self)

class Scopes:
    def __init__(self):
        self.open = []

    def new(self):
        scope = Scope(self.open)
        self.open.append(scope)
        return scope

    def left_open(self):
        scope = Scope(self.open)
        self.open.append(scope)  # JAX105
        return scope

scopes = Scopes()
others = Scopes()

@jax.jit
def f(x):
    with scopes.new() as scope:
        return x * len(scope.stack)

@jax.jit
def g(x):
    others.left_open()
    return x

def main():
    f(jnp.ones(3))
    f(jnp.ones(4))
    g(jnp.ones(3))
    return scopes.open, others.open

# --- a list of the module that a function gives is that list
KEPT = []

def kept():
    return KEPT

@jax.jit
def f(x):
    KEPT.append(x.shape)
    kept().pop()
    return x

def main():
    f(jnp.ones(3))
    return KEPT

# --- copies of objects, on which a map sets what it has computed
import copy

class Walker:
    def __init__(self, place):
        self.place = place
        self.history = [place]

    def step(self, move):
        self.place = self.place + move
        return self.place

    def log(self, move):
        self.history.append(self.place + move)
        return self.place

class Runner(Walker):
    def step(self, move):
        return 2 * super().step(move)

def tried(walker, moves):
    def value(move):
        trial = copy.copy(walker)
        return trial.step(move)

    return jax.vmap(value)(moves)

def remembered(walker, moves):
    return jax.vmap(lambda move: copy.deepcopy(walker).log(move))(moves)

def main():
    for cls in (Walker, Runner):
        walker = cls(jnp.zeros(()))
        tried(walker, jnp.arange(3.0)), remembered(walker, jnp.arange(3.0))
    return walker.place + 1

# --- a copy that shares its list with the object
import copy

class Walker:
    def __init__(self, place):
        self.place = place
        self.history = [place]

    def log(self, move):
        self.history.append(self.place + move)  # JAX107
        return self.place

def tried(walker, moves):
    return jax.vmap(lambda move: copy.copy(walker).log(move))(moves)

def main():
    walker = Walker(jnp.zeros(()))
    tried(walker, jnp.arange(3.0))
    return walker

# --- parameters that an optimiser has updated
import optax

class Trainer:
    def __init__(self, params):
        self.params = params
        self.optimiser = optax.sgd(0.1)
        self.state = self.optimiser.init(params)
        self.step = jax.jit(self.update)

    def update(self, state, grads):
        updates, state = self.optimiser.update(grads, state)
        self.params = optax.apply_updates(self.params, updates)  # JAX107
        return state

def main():
    trainer = Trainer({"w": jnp.ones(2)})
    trainer.state = trainer.step(trainer.state, {"w": jnp.ones(2)})
    return trainer.params

# --- parameters that are updated outside of the trace
import optax

class Trainer:
    def __init__(self, params):
        self.params = params
        self.optimiser = optax.sgd(0.1)
        self.state = self.optimiser.init(params)
        self.step = jax.jit(self.update)

    def update(self, params, state, grads):
        updates, state = self.optimiser.update(grads, state)
        return optax.apply_updates(params, updates), state

    def train(self, grads):
        self.params, self.state = self.step(self.params, self.state, grads)
        self.params = optax.apply_updates(self.params, grads)

def main():
    trainer = Trainer({"w": jnp.ones(2)})
    trainer.train({"w": jnp.ones(2)})
    return trainer.params

# --- an attribute of an object whose class is registered by a call
class Table:
    def __init__(self, rows):
        self.rows = rows

    def flattened(self):
        return (self.rows,), None

    @classmethod
    def put_together(cls, _, children):
        return cls(*children)

    @jax.jit
    def put(self, row):
        self.rows = self.rows.at[0].set(row)  # JAX106

    @jax.jit
    def with_row(self, row):
        return Table(self.rows.at[0].set(row))

jax.tree_util.register_pytree_node(Table, Table.flattened, Table.put_together)

def main():
    table = Table(jnp.zeros(2))
    table.put(1.0)
    assert table.rows[0] == 0.0
    assert table.with_row(1.0).rows[0] == 1.0
