# What a traced argument may be: an array, a dict, a list, an object with fields.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# --- argument next to a dict
@jax.jit
def f(x, cache, rows):
    name = f"layer_{x.ndim}"
    index = name if cache else 0
    index = 0
    if rows:  # JAX201
        x = x + rows[index]
    return x + cache[name]

def main():
    return f(jnp.ones(3), {"layer_1": 1.0}, jnp.ones(3))

# --- declared dict
@jax.jit
def f(params: dict[str, jax.Array]):
    if params["b"]:  # JAX201
        return params["w"]
    return 0

def main():
    return f({"w": jnp.ones(3), "b": jnp.ones(())})

# --- declared list
@jax.jit
def f(rows: list[jax.Array]):
    for row in rows[1:]:
        if row:  # JAX201
            return row
    return 0

def main():
    return f([jnp.ones(()), jnp.ones(())])

# --- copy of a declared dict
@jax.jit
def f(params: dict[str, jax.Array]):
    copy = {**params, "c": 1.0}
    return min(copy["w"])  # JAX203

def main():
    return f({"w": jnp.ones(3), "b": jnp.ones(())})

# --- entries handed on
def scale(w, b):
    return w if b > 0 else -w  # JAX201

@jax.jit
def f(params):
    return scale(**{**params, "w": 1.0})

def main():
    return f({"w": jnp.ones(3), "b": jnp.ones(())})

# --- container leaf
@jax.jit
def f(params):
    w = params["layer"]["w"]
    if w.sum() > 0:  # JAX201
        return w
    return -w

def main():
    return f({"layer": {"w": jnp.ones(2)}})

# --- unpacked argument
@jax.jit
def f(pair):
    x, y = pair
    return x if y else -x  # JAX201

def main():
    return f((1.0, 2.0))

# --- mask that is narrowed
@jax.jit
def f(rows, limits, table):
    return table[(rows > limits).any(axis=1)]  # JAX221

def main():
    return f(jnp.ones((2, 3)), jnp.ones((2, 3)), jnp.arange(2))

# --- declared containers
@jax.jit
def f(params: dict[str, jax.Array], rows: list[jax.Array]):
    if params and rows and rows[1:] and {**params}:
        pass
    for name in params:
        if name == "b":
            continue
    for name in sorted(params):
        if name:
            continue
    longer = rows + rows * 2 + [params["b"]]
    if longer or rows == [] or "c" in dict(params, c=rows[0]):
        pass
    return [row * 2 for row in longer]

def main():
    return f({"w": jnp.ones(3), "b": jnp.ones(())}, [jnp.ones(()), jnp.ones(())])

# --- declared an array and asked for a mapping
import typing

def names(x: jax.Array):
    if isinstance(x, typing.Dict):
        return {key: x[key] for key in x}
    return x

def main():
    return jax.jit(names)(jnp.ones(3))

# --- dict indexed with made up names
@jax.jit
def f(x, cache, state, memory, table, kept):
    for i in range(2):
        name = f"layer_{i}"
        x = x + (cache[name] if cache else 0)
    if not state:
        return x
    if memory:
        x = sum((memory[part] for part in memory), x + state["layer_" + str(1)])
    for key in ("a", "b"):
        x = x + (table[key] if table else 0)
    return x if "layer_0" in kept and kept else 2 * x

def main():
    rows = {"layer_0": 1.0, "layer_1": 2.0}
    return f(jnp.ones(3), rows, rows, rows, {"a": 1.0, "b": 2.0}, rows)

# --- dict indexed with a name that is handed on
def layer_of(x, cache, name: str):
    return cache[name] if cache else x

@jax.jit
def f(x, cache):
    return layer_of(x, cache, "a")

def main():
    return f(jnp.ones(3), {"a": jnp.ones(3)}), f(jnp.ones(3), {})

# --- entry that only some dicts have
@jax.jit
def f(x):
    parts = {"loss": {"value": x, "count": x}, "rows": {"value": x, "modes": ("sum",)}}
    return {
        name: part["value"].sum() if "modes" in part and "sum" in part["modes"] else part["value"]
        for name, part in parts.items()
    }

def main():
    return f(jnp.ones(3))

# --- container structure
@jax.jit
def f(params, xs):
    total = 0.0
    for name, value in params.items():
        if name.startswith("w") and len(xs) > 1:
            total = total + value
    return total if params else xs[0]

def main():
    return f({"w": 1.0, "b": 2.0}, [1.0, 2.0])

# --- none and isinstance
@jax.jit
def f(x, mask, rest):
    if mask is not None:
        x = x * mask
    if isinstance(x, jax.Array) and isinstance(rest, dict) and "w" in rest:
        x = x * rest["w"]
    return x if rest else -x

def main():
    return f(jnp.ones(2), None, {"w": 2.0}), f(jnp.ones(2), jnp.ones(2), {})

# --- fields made by helpers
from flax import struct
from flax.core import FrozenDict

def aside(**options):
    return struct.field(pytree_node=False, **options)

def counted(default):
    return aside(default=default)

def marked(**options):
    options["pytree_node"] = False
    return struct.field(**options)

fixed = partial(struct.field, pytree_node=False)
quiet = lambda **options: struct.field(pytree_node=False, **options)

class Agent(struct.PyTreeNode):
    weights: jax.Array
    config: FrozenDict = aside()
    mode: FrozenDict = marked()
    names: FrozenDict = quiet()
    depth: int = counted(2)
    width: int = fixed(default=2)

    @jax.jit
    def act(self, x):
        for _ in range(self.config["steps"]):
            x = x + self.weights
        if self.depth > 1 and self.width > 1 and self.mode["train"] and self.names["x"] == "loss":
            return x
        return -x

def main():
    config, mode, names = FrozenDict(steps=3), FrozenDict(train=True), FrozenDict(x="loss")
    return Agent(jnp.ones(2), config, mode, names).act(1.0)

# --- field made by a helper
from flax import struct

def noted(**options):
    return struct.field(metadata={"unit": "m"}, **options)

class Agent(struct.PyTreeNode):
    weights: jax.Array
    config: dict = noted()

    @jax.jit
    def act(self, x):
        for _ in range(self.config["steps"]):  # JAX204
            x = x + self.weights
        return x

def main():
    return Agent(jnp.ones(2), {"steps": 3}).act(1.0)

# --- pytree dataclass static field
from dataclasses import dataclass

@partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=["deep"])
@dataclass
class Layer:
    w: jax.Array
    deep: bool

@jax.jit
def f(layer, x):
    if layer.deep:
        x = x * 2
    return layer.w * x

def main():
    return f(Layer(jnp.ones(2), True), 1.0)

# --- isinstance float
@jax.jit
def f(x):
    if isinstance(x, float):  # JAX206
        return x * 2
    return x

def main():
    return f(1.0)

# --- isinstance either
@jax.jit
def f(x):
    if isinstance(x, (int, float, jax.Array)):
        return x * 2
    return x[0]

def main():
    return f(1.0)

# --- tracer guard
def f(x):
    if not isinstance(x, jax.core.Tracer):
        assert x > 0
        return float(x)
    return x

def main():
    return jax.jit(f)(1.0), f(1.0)

# --- cached in a tree of the trace
import dataclasses
import functools

@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Batch:
    lens: jax.Array

    @functools.cached_property
    def is_pad(self):
        return self.lens == 0

class Window:
    def __init__(self, n):
        self.n = n

    @functools.cached_property
    def mask(self):
        return jnp.tril(jnp.ones((self.n, self.n)))

@jax.jit
def f(batch: Batch):
    return Window(3).mask @ (batch.is_pad + 1.0)

def main():
    batch = Batch(jnp.ones(3))
    return f(batch), f(batch), batch.is_pad

# --- half of a pair that a scan goes through
def pick(a, flags):
    def body(total, both):
        x, wet = both
        if wet:  # JAX201
            total = total + x
        return total, None

    return jax.lax.scan(body, 0.0, (a, flags))

def main():
    return pick(jnp.ones(3), jnp.ones(3) > 0)

# --- part of a pair that is there or not
@jax.jit
def f(both):
    x, rows = both
    if rows:
        x = x + rows[0]
    if rows is not None and len(rows):
        x = x + sum(row for row in rows)
    return x

def main():
    return f((jnp.ones(3), [])) + f((jnp.ones(3), [jnp.ones(3)]))

# --- item of a field of a named tuple
from typing import NamedTuple

class Grid(NamedTuple):
    cells: jax.Array

@jax.vmap
def move(grid: Grid, i):
    cells = grid.cells
    cells[i] = 1  # JAX301
    return Grid(cells)

def main():
    return move(Grid(jnp.ones((2, 3))), jnp.arange(2))

# --- numbers and methods of a named tuple, and what may not be there
from typing import NamedTuple, Optional

class Grid(NamedTuple):
    cells: jax.Array
    size: int
    mask: Optional[jax.Array] = None

    def shown(self):
        if self.mask is not None:
            return self.cells * self.mask
        return self.cells

@jax.jit
def move(grid: "Grid"):
    if grid.mask is None:
        grid = grid._replace(size=grid.size + 1)
    if grid.cells.ndim > 1:
        return grid.shown()
    if grid.size > 2:  # JAX201
        return grid.cells
    return grid.shown()

def main():
    return move(Grid(jnp.ones(3), 3))

# --- named tuple that a scan carries
from typing import NamedTuple

class State(NamedTuple):
    x: jax.Array
    steps: int

def walk(start):
    def body(state: State, _):
        if state.steps > 3:  # JAX201
            return state, None
        return State(state.x, state.steps + 1), None

    return jax.lax.scan(body, start, None, 3)

def main():
    return walk(State(jnp.ones(3), 0))

# --- optional argument that is asked for
from flax import struct

class State(struct.PyTreeNode):
    total: jax.Array

def start(key):
    return State(jax.random.normal(key))

@jax.jit
def train(key=None, state=None):
    if key is None and state is None:
        raise ValueError("either is needed")
    current = state or start(key)
    if not state:
        current = current.replace(total=jnp.zeros(()))
    return step(current)

def step(state):
    return jax.lax.fori_loop(0, 3, lambda _, state: state.replace(total=state.total + 1), state)

def main():
    return train(jax.random.key(0)), train(state=State(jnp.zeros(())))

# --- optional array that is asked for
@jax.jit
def total(x, weights=None):
    if weights:  # JAX201
        x = x * weights
    return x.sum()

@jax.jit
def weighted(x, weights=None):
    weights = weights or jnp.ones(3)  # JAX202
    return jnp.dot(x, weights)

@jax.jit
def scaled(x, scale: "jax.Array | None" = None):
    return x if not scale else x  # JAX202

def main():
    return weighted(jnp.ones(3), jnp.ones(3)), total(jnp.ones(3)), scaled(jnp.ones(3))

# --- the truth of what a declared container holds
from typing import Dict, List, Mapping

def given(x):
    return 1.0 if x else 2.0

@jax.jit
def f(batch: Dict[str, Dict[str, jax.Array]]):
    if batch["inner"] or batch.get("outer", {}):
        return given(batch["inner"])
    return 0.0

@jax.jit
def g(batch: Dict[str, Dict[str, jax.Array]]):
    if batch["inner"]["x"]:  # JAX201
        return 1.0
    return 0.0

@jax.jit
def h(rows: List[Mapping[str, jax.Array]]):
    for row in rows:
        if row:
            return given(row)
    return 0.0

@jax.jit
def k(batch: Dict[str, List[jax.Array]]):
    for name, rows in batch.items():
        if rows:
            return given(rows)
    return 0.0

def main():
    batch = {"inner": {"x": jnp.ones(())}}
    return f(batch), h([batch["inner"]]), k({"x": [jnp.ones(())]}), g(batch)

# --- the truth of a lane of a declared container
from typing import Dict

def given(x):
    return 1.0 if x else 2.0

@jax.jit
def f(batch: Dict[str, Dict[str, jax.Array]]):
    return jax.vmap(given)(batch["inner"])

@jax.jit
def g(batch: Dict[str, Dict[str, jax.Array]]):
    def one(inner, query):
        if inner:
            return query["x"]
        return -query["x"]
    return jax.vmap(lambda a, b: one(a, b))(batch.get("inner", {}), batch["query"])

def scanned(batch: Dict[str, Dict[str, jax.Array]]):
    def body(carry, row):
        if row:
            return carry + 1.0, None
        return carry, None
    return jax.lax.scan(body, 0.0, batch["query"])

def main():
    batch = {"inner": {"x": jnp.ones(3)}, "query": {"x": jnp.ones(3)}}
    return f(batch), g(batch), scanned(batch)

# --- a declared container that a caller passes on
from typing import Dict

def step(params, batch: Dict[str, Dict[str, jax.Array]]):
    if not batch["inner"]:
        return params + 1.0
    if batch["query"]["x"]:  # JAX201
        return params
    return -params

@jax.jit
def f(params, batch):
    return step(params, batch)

def main():
    return f(1.0, {"inner": {"x": jnp.ones(())}, "query": {"x": jnp.ones(())}})

# --- what is looked up is what its default is
@jax.jit
def f(batch):
    extra = batch.get("extra", {})
    if extra:
        return extra["x"]
    steps = batch.pop("steps", [])
    while steps:
        steps = steps[1:]
    mask = batch.get("mask", None)
    if mask:  # JAX201
        return batch["x"]
    return batch["x"] + 1.0

@jax.jit
def g(x, extra):
    return x + extra["x"] if extra else x

def of(batch):
    return g(batch["x"], batch.get("extra", {}))

def main():
    return of({"x": jnp.ones(3)}), f({"x": jnp.ones(3), "mask": jnp.ones(())})

# --- a declared container of which a caller knows one form of several
def sharded(batch, n):
    if isinstance(batch, dict):
        return {name: sharded(part, n) for name, part in batch.items()}
    return batch.reshape((n, -1) + batch.shape[1:])

def made():
    @jax.jit
    def step(state, batch: dict[str, dict[str, jax.Array]]):
        def adapted(state, inner, query):
            if inner:
                state = state + inner["x"].sum()
            if query["x"].sum():  # JAX201
                return state
            return -state
        return jax.vmap(adapted, in_axes=(None, 0, 0))(state, batch.get("inner", {}), batch["query"])
    return step

def main(batches=({"query": {"x": jnp.ones((4, 3))}},)):
    step, state = made(), 0.0
    for batch in batches:
        state = step(state, sharded(batch, 2)).sum()
    return state

# --- what a tracer is the index of is an array, in whatever field
from typing import NamedTuple

class Table(NamedTuple):
    places: jax.Array
    leaves: jax.Array

def looked_up(table, x):
    bits = (x[table.places] > 0).astype(jnp.int32)
    return table.leaves[jnp.sum(bits)]

@jax.jit
def f(table, x):
    score = looked_up(table, x)
    if score > 0:  # JAX201
        return score
    return -score

def main():
    return f(Table(jnp.arange(2), jnp.ones(3)), jnp.ones(3))

# --- compiled functions that a class only holds together
class Linear:
    def __init__(self, size):
        self.weight = jnp.ones((size, size))

    @jax.jit
    def apply(weight, x):
        return weight @ x

    @jax.jit
    def loss(weight, xs):
        return jnp.sum(jax.vmap(Linear.apply, in_axes=(None, 0))(weight, xs))

    def step(weight, xs):
        return weight - jax.grad(Linear.loss)(weight, xs)

def main():
    made = Linear(2)
    Linear.step(made.weight, jnp.ones((3, 2)))

# --- a compiled function of a class that is given an object of it
class Linear:
    def __init__(self, size):
        self.weight = jnp.ones((size, size))

    @jax.jit
    def apply(weight, x):
        return weight @ x

    def step(made, x):
        return Linear.apply(made, x) + made.weight  # JAX511

def main():
    made = Linear(2)
    Linear.step(made, jnp.ones(2))

# --- an item that an update of itself is put into
@jax.jit
def add(i, x, maps):
    for s in (0, 2):
        maps[s] = maps[s].at[i].add(x)
    return maps

@jax.jit
def outer(i, x, maps):
    return add(i, x, maps)

def main():
    return outer(1, 1.0, {0: jnp.zeros(3), 2: jnp.ones(3)})

# --- an item that is read with the name of a number
@jax.jit
def f(maps):
    s = 0
    maps[s] = 2 * maps[s]
    return maps

def main():
    return f([jnp.ones(3)])

# --- an item of an array that is only written with the name of a number
@jax.jit
def f(x, value):
    i = 0
    x[i] = value  # JAX301
    return x

def main():
    return f(jnp.ones(3), 1.0)

# --- a dict that a loop carries through partials
@partial(jax.jit, static_argnums=0)
def add_to_one(spins, i, maps, sums):
    if 0 in spins:
        s = 0
        sums[s] += maps[s][i]
    return sums

@partial(jax.jit, static_argnums=0)
def add(spins, maps, i, sums):
    return add_to_one(spins, i, maps, sums)

@partial(jax.jit, static_argnums=0)
def total(spins, maps):
    sums = {s: jnp.zeros(()) for s in maps.keys()}
    return jax.lax.fori_loop(0, 4, jax.tree_util.Partial(add, spins, maps), sums)

def main():
    return total((0,), {0: jnp.arange(4.0)})

# --- an array that a loop carries through partials
@jax.jit
def add_to_one(i, x, sums):
    s = 0
    sums[s] += x[i]  # JAX301
    return sums

@jax.jit
def add(x, i, sums):
    return add_to_one(i, x, sums)

@jax.jit
def total(x):
    return jax.lax.fori_loop(0, 4, jax.tree_util.Partial(add, x), jnp.zeros(3))

def main():
    return total(jnp.arange(4.0))

# --- a dict or an array
@jax.jit
def add(x, sums):
    sums[0] += x  # JAX301
    return sums

def main():
    add(1.0, {0: jnp.ones(2)})
    return add(1.0, jnp.ones(2))

# --- names of a dict in a declared record, compared with one that nobody knows
from flax import struct

class Names(struct.PyTreeNode):
    first: str = struct.field(pytree_node=False, default="a")

class State(struct.PyTreeNode):
    parts: dict[str, jax.Array]

    def total(self):
        return sum(self.parts.values())

@jax.jit
def f(state: State):
    total = state.total()
    for name in state.parts:
        if name == Names.first:
            total += state.parts[name]
    return total

def main():
    assert f(State({"a": jnp.ones(()), "b": jnp.ones(())})) == 3.0

# --- a mask that NumPy has made
@jax.jit
def kept(x, mask):
    return x[mask]  # JAX221

def main():
    mask = np.zeros(4, dtype=bool)
    mask[:2] = True
    return kept(jnp.ones(4), mask)

# --- a mask that NumPy was told to make a truth of
@jax.jit
def kept(x, mask):
    return x[~mask]  # JAX221

def main():
    return kept(jnp.ones(4), np.array([0, 1, 1, 0]).astype(bool))

# --- numbers that NumPy has made of a mask, and a mask that stays on the host
@jax.jit
def kept(x, index):
    return x[index]

def main():
    mask = np.ones(4, dtype="bool")
    return kept(jnp.ones(4), mask.astype(int)), kept(jnp.ones(4), np.asarray(mask, int)), jnp.ones(4)[mask]

# --- objects of a class that a map makes, of arrays
import equinox as eqx

class State(eqx.Module):
    x: jax.Array

    def moved(self, by):
        return State(self.x + by)

def main():
    rows = jnp.ones((4, 3))
    states = jax.jit(jax.vmap(State))(rows)
    return jax.vmap(lambda state, by: state.moved(by))(states, rows).x

# --- the class that is mapped
import equinox as eqx

class State(eqx.Module):
    x: jax.Array

def main():
    states = jax.vmap(State)
    return jax.vmap(lambda made, x: made(x).x)(states, jnp.ones((4, 3)))  # JAX511

# --- what a decorator that nobody knows makes of a function
@getattr(jax.tree_util, "Partial")
def double(x):
    return x * 2

def move(carry, k):
    x, f = carry
    return (f(x), f), x

def chain(f):
    return jax.lax.scan(move, (1.0, f), jnp.arange(3))[1]

def main():
    return chain(double)

# --- and a plain function
def double(x):
    return x * 2

def move(carry, k):
    x, f = carry
    return (f(x), f), x

def main():
    return jax.lax.scan(move, (1.0, double), jnp.arange(3))[1]  # JAX511

# --- what the fields of a record are declared to be: flags, numbers and arrays
import flax.struct

@flax.struct.dataclass
class State:
    mean: jax.Array
    done: jax.Array
    over: bool
    count: int

@jax.jit
def stopped(state: State):
    return state.mean if state.done else 2 * state.mean  # JAX201

def main():
    return stopped(State(jnp.ones(2), jnp.array(True), False, 3))

# --- a flag of a record that is traced as a whole
import chex

@chex.dataclass
class Env:
    over: bool
    t: int

@jax.jit
def step(env: Env):
    if not env.over:  # JAX202
        return env.t
    return 0

def main():
    return step(Env(over=True, t=0))

# --- what the fields of a record are declared to be, if they are static, may be None, or are numbers of lanes
from typing import Optional

import flax.struct

@flax.struct.dataclass
class State:
    mean: jax.Array
    count: int
    noise: Optional[jax.Array] = None
    over: bool = flax.struct.field(pytree_node=False, default=False)

@jax.jit
def step(state: State):
    if state.over:
        return state.mean
    if state.noise is not None:
        return state.mean + state.noise
    return jax.vmap(lambda m, n: m / n, in_axes=(0, 0))(state.mean, state.count + 1)

def main():
    return step(State(jnp.ones(2), jnp.arange(2)))

# --- a flag of an equinox module, which is static where only arrays are traced
import equinox as eqx

class Flow(eqx.Module):
    weight: jax.Array
    flip: bool

    def __call__(self, x):
        return x[::-1] * self.weight if self.flip else x * self.weight

@eqx.filter_jit
def forward(model: Flow, x):
    return model(x) if model.flip else 2 * model(x)

def main():
    return forward(Flow(jnp.ones(()), True), jnp.ones(2))

# --- an argument that has the attributes of one record of the program
from dataclasses import dataclass, field
from typing import NamedTuple

class Buffer(NamedTuple):
    reward: jax.Array
    filled: jax.Array

@jax.tree_util.register_dataclass
@dataclass
class Graph:
    nodes: jax.Array
    real: jax.Array
    name: str = field(default="", metadata={"static": True})

def recent(buffer, count):
    stop = int(buffer.filled)  # JAX211
    return buffer.reward[stop - count : stop]

def unpad(graph):
    if graph.name == "empty":
        return graph.nodes
    return graph.nodes[: graph.real]  # JAX224

newest = jax.jit(lambda buffer: recent(buffer, 2).sum())
trimmed = jax.jit(lambda graph: unpad(graph).sum())

def main():
    buffer, graph = Buffer(jnp.ones(3), jnp.int32(2)), Graph(jnp.ones(3), jnp.int32(2))
    return newest(buffer) + trimmed(graph)

# --- an argument with the attributes of several records, and one that arrays have as well
from dataclasses import dataclass, field
from typing import NamedTuple

class Walk(NamedTuple):
    steps: int
    size: jax.Array

@jax.tree_util.register_dataclass
@dataclass
class Plan:
    steps: int = field(metadata={"static": True})
    at: jax.Array

def repeated(plan):
    return [plan for _ in range(plan.steps)]

def counted(x):
    return jnp.arange(x.size)

def main():
    return jax.jit(lambda plan: repeated(plan))(Plan(2, jnp.ones(2))), jax.jit(lambda x: counted(x))(jnp.ones(3))

# --- what a list is given, and an array is not
@jax.jit
def f(layers, x):
    w, b = layers[-1]
    layers[-1] = (w - x, b)
    return layers

@jax.jit
def g(x, y):
    x[-1] = y  # JAX301
    return x

def main():
    f([(1.0, 2.0)], 1.0)
    return g(jnp.ones(3), 1.0)

# --- whether a tree is empty is asked: JAX takes it apart, or a function that knows dicts does
def decay(node, rate):
    if isinstance(node, dict):
        return {name: decay(part, rate) for name, part in node.items()}
    return node * (1.0 - rate)

@jax.jit
def halved(params):
    if params:
        params = jax.tree.map(lambda leaf: leaf / 2, params)
    return params

@jax.jit
def decayed(params):
    if params:
        params = decay(params, 0.1)
    return params

def main():
    return halved({"w": jnp.ones(2)}), decayed({})

# --- what is handed on otherwise is an array
def scaled(x):
    return x * 2

@jax.jit
def step(x):
    if x:  # JAX201
        x = scaled(x)
    return x

def main():
    return step(1.0)

# --- what an annotation calls an array is added to a tuple: it is one
from dataclasses import dataclass

import jax
import jax.numpy as jnp

@dataclass
class Grid:
    cells: jax.Array
    shape: jax.Array

def rendered(grid: Grid, x):
    @jax.jit
    def render(x):
        return x.reshape(grid.shape + (1,)) * grid.cells.reshape((1, *grid.shape))[0].reshape([1] + [*grid.shape])[0, ..., None]

    return render(x)

@jax.jit
def grown(x, shape: jax.Array):
    return x.reshape(shape + 1)  # JAX223

def main():
    cells = jnp.ones((2, 3))
    rendered(Grid(cells, cells.shape), jnp.ones(6))
    grown(jnp.ones(6), jnp.array([1, 2]))

# --- what is declared to be a float may be a whole number, but no quotient of it
from dataclasses import dataclass

import jax
import jax.numpy as jnp

@dataclass
class Windows:
    ratio: float = 1.0

    def of(self, x):
        if self.ratio > 1:
            return x.reshape(self.ratio * 2, -1)
        return x

def rows(x: jax.Array, ratio: float):
    return x.reshape(2 * ratio, -1)

def many(ratio: float, other: float):
    return jnp.ones(2 * ratio), jnp.ones(ratio * other)

def halves(x, ratio: float):
    return x.reshape(ratio / 2, -1)  # JAX314

def main():
    x = jnp.ones(8)
    Windows(2).of(x)
    rows(x, 2)
    halves(x, 4)

# --- a function and settings behind a starred argument
def folded(total, xs, function, settings):
    def body(total, x):
        return total + settings["scale"] * function(x), total
    return jax.lax.scan(body, total, xs)

def with_sine(*given):
    return folded(*given, jnp.sin, {"scale": 2})

def main():
    return with_sine(0.0, jnp.ones(3))

# --- an argument behind a starred one of unknown length
def scaled(x, y, flag):
    if flag:  # JAX201
        return x
    return y

@jax.jit
def step(values, flag):
    return scaled(*values, flag)

def main():
    return step([1.0, 2.0], True)

# --- a layer of equinox with a function among its leaves
import equinox as eqx

def loss(model, x):
    return jnp.sum(jax.vmap(model)(x))

def main():
    x, linear = jnp.ones((2, 3)), eqx.nn.Linear(3, 1, key=jax.random.key(0))
    model = eqx.nn.Sequential([linear, eqx.nn.Lambda(jax.nn.gelu)])
    eqx.filter_value_and_grad(loss)(model, x)
    jax.grad(loss)(eqx.nn.Sequential([linear, eqx.nn.Lambda(eqx.nn.PReLU())]), x)
    jax.value_and_grad(loss)(model, x)  # JAX511

# --- the size of a shape, which is asked of what refuses it
@jax.jit
def policy(x):
    return jnp.argmax(x, axis=jnp.max(x.shape))  # JAX308

def main():
    return policy(jnp.ones(2))

# --- an object that a mapped function asks for a method of its own is no array, whoever passes it
from typing import NamedTuple

class Walk(NamedTuple):
    place: jax.Array

    def moved(self, by):
        return Walk(self.place + by)

@jax.jit
def walked(walk, by):
    return jax.vmap(lambda one: one.moved(by))(walk) if walk else walk

@jax.jit
def added(walk, by):
    return jax.vmap(lambda one: one + by)(walk) if walk else walk  # JAX201

def main():
    walked(Walk(jnp.zeros(3)), 1.0)
    added(jnp.zeros(3), 1.0)
