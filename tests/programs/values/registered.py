# How classes are registered as pytrees.

import dataclasses
from functools import partial
from typing import NamedTuple, Protocol

import jax
import jax.numpy as jnp

# --- a decorator below brings what takes objects apart
def with_children(cls):
    cls.tree_flatten = lambda self: ((self.x,), None)
    cls.tree_unflatten = classmethod(lambda cls, aux, children: cls(*children))
    return cls

@jax.tree_util.register_pytree_node_class
@with_children
class Point:
    def __init__(self, x):
        self.x = x

def main():
    return jax.tree.leaves(Point(1.0))

# --- a metaclass brings what takes objects apart
class Meta(type):
    def __new__(mcs, name, bases, names):
        names["tree_flatten"] = lambda self: ((self.x,), None)
        names["tree_unflatten"] = classmethod(lambda cls, aux, children: cls(*children))
        return super().__new__(mcs, name, bases, names)

@jax.tree_util.register_pytree_node_class
class Point(metaclass=Meta):
    def __init__(self, x):
        self.x = x

def main():
    return jax.tree.leaves(Point(1.0))

# --- a base gives what takes objects apart to what derives from it
class Base:
    def __init_subclass__(cls):
        cls.tree_flatten = lambda self: ((self.x,), None)
        cls.tree_unflatten = classmethod(lambda cls, aux, children: cls(*children))

@jax.tree_util.register_pytree_node_class
class Point(Base):
    def __init__(self, x):
        self.x = x

def main():
    return jax.tree.leaves(Point(1.0))

# --- what takes objects apart is put into the class after it was registered
@jax.tree_util.register_pytree_node_class
class Point:
    def __init__(self, x):
        self.x = x

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)

def flatten(self):
    return (self.x,), None

Point.tree_flatten = flatten

def main():
    return jax.tree.leaves(Point(1.0))

# --- members with computed names
def flatten(self):
    return (self.x,), None

@jax.tree_util.register_pytree_node_class
class Point:
    def __init__(self, x):
        self.x = x

    for name in ("tree_flatten",):
        locals()[name] = flatten

    tree_unflatten = classmethod(lambda cls, aux, children: cls(*children))

def main():
    return jax.tree.leaves(Point(1.0))

# --- an abstract class has no more than its text says
import abc

def register():
    @jax.tree_util.register_pytree_node_class
    class Point(metaclass=abc.ABCMeta):  # JAX711
        def __init__(self, x):
            self.x = x

        def tree_flatten(self):
            return (self.x,), None

    return Point

def main():
    return 0

# --- a parameter of the constructor that is no field
from dataclasses import InitVar as Given

@partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=[])
@dataclasses.dataclass
class Layer:
    w: jax.Array
    scale: Given[float] = 1.0

    def __post_init__(self, scale):
        pass

def main():
    return jax.tree.leaves(Layer(jnp.ones(2)))

# --- a field under a condition
@partial(jax.tree_util.register_dataclass, data_fields=["w", "b"], meta_fields=[])
@dataclasses.dataclass
class Layer:
    w: float
    if True:
        b: float = 0.0

def main():
    return jax.tree.leaves(Layer(1.0))

# --- a field that a function makes
def made(**options):
    return dataclasses.field(init=False, **options)

@partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=[])
@dataclasses.dataclass
class Layer:
    w: float
    b: float = made(default=0.0)

def main():
    return jax.tree.leaves(Layer(1.0))

# --- fields beside methods, and with defaults of any kind
def register():
    @partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=[])  # JAX711
    @dataclasses.dataclass
    class Layer:
        """A layer."""

        kind = "dense"
        w: float
        scale: float = dataclasses.field(default=1.0, init=True)
        cache: dict = dataclasses.field(default_factory=dict, init=False)

        def total(self):
            return self.w * self.scale

    return Layer

def main():
    return 0

# --- a structure that is taken apart where it is not None
@jax.tree_util.register_pytree_node_class
class Point:
    def __init__(self, x, name="a"):
        self.x = x
        self.name = name

    def tree_flatten(self):
        return (self.x,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        if aux is not None:
            return cls(children[0], aux[0])
        return cls(*children)

def main():
    return jax.tree.map(lambda leaf: leaf + 1, Point(jnp.ones(2)))

# --- a structure of None that is taken apart
@jax.tree_util.register_pytree_node_class
class Point:
    def __init__(self, x):
        self.x = x

    def tree_flatten(self):
        return (self.x,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        x, = aux  # JAX711
        return cls(x)

def main():
    return jax.tree.leaves(Point(jnp.ones(2)))

# --- a structure of None that is taken apart below a docstring and a pass
@jax.tree_util.register_pytree_node_class
class Point:
    def __init__(self, x):
        self.x = x

    def tree_flatten(self):
        return (self.x,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        """Puts it together."""
        pass
        x, = aux  # JAX711
        return cls(x)

def main():
    return jax.tree.leaves(Point(jnp.ones(2)))

# --- a class beside one that the module registers
@jax.tree_util.register_pytree_node_class
class Point:
    def __init__(self, x):
        self.x = x

    def tree_flatten(self):
        return (self.x,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)

@dataclasses.dataclass
class Scaled:
    scale: float

class Shifted:
    def __init__(self, by):
        self.by = by

jax.tree_util.register_pytree_node(Shifted, lambda one: ((one.by,), None), lambda aux, parts: Shifted(*parts))

@jax.jit
def f(point, other, shifted):
    return point.x * other.scale + shifted.by

def main():
    return f(Point(jnp.ones(2)), Scaled(2.0), Shifted(1.0))  # JAX511

# --- classes that are registered in a loop
@dataclasses.dataclass
class Scaled:
    scale: float

@dataclasses.dataclass
class Shifted:
    by: float

for cls in (Scaled, Shifted):
    names = [field.name for field in dataclasses.fields(cls)]
    jax.tree_util.register_dataclass(cls, data_fields=names, meta_fields=[])

@jax.jit
def f(scaled, shifted):
    return scaled.scale + shifted.by

def main():
    return f(Scaled(2.0), Shifted(1.0))

# --- classes that a helper registers
def tree(cls):
    jax.tree_util.register_pytree_node(cls, lambda one: ((one.by,), None), lambda aux, parts: cls(*parts))

class Shifted:
    def __init__(self, by):
        self.by = by

tree(Shifted)

@jax.jit
def f(shifted):
    return shifted.by + 1.0

def main():
    return f(Shifted(1.0))

# --- a frozen dataclass is no pytree either
@dataclasses.dataclass(frozen=True)
class Config:
    width: int = 3
    names: tuple[str, ...] = ()

@jax.jit
def f(x, config):
    return x * config.width

@partial(jax.jit, static_argnums=1)
def g(x, config):
    if config.width > 2:
        return x[: config.width]
    return x

def main():
    config = Config(width=2)
    return g(jnp.ones(3), config), f(jnp.ones(3), config)  # JAX511

# --- a class that is registered by a function looked up by its name
class Shifted:
    def __init__(self, by):
        self.by = by

register = getattr(jax.tree_util, "register_pytree_node")
register(Shifted, lambda one: ((one.by,), None), lambda aux, parts: Shifted(*parts))

@jax.jit
def f(shifted):
    return shifted.by + 1.0

def main():
    return f(Shifted(1.0))

# --- what fits a protocol may be of any class
class Counted(Protocol):
    count: jax.Array

class Counter(NamedTuple):
    count: jax.Array

@jax.jit
def more(state):
    return state.count + 1

def step(state: Counted):
    return more(state)

def main():
    return globals()["step"](Counter(jnp.zeros(2)))

# --- an object of a class that is no protocol
class Counter:
    def __init__(self, count):
        self.count = count

@jax.jit
def more(state):
    return state.count + 1

def step(state):
    return more(state)  # JAX511

def main():
    return step(Counter(jnp.zeros(2)))

# --- an annotation is not the object: what comes may be one that does as well, and is a pytree
class Encoder:
    def __init__(self, w):
        self.w = w

@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Model:
    w: jax.Array

@jax.jit
def act(encoder, x):
    return encoder.w * x

def step(encoder: Encoder, x):
    return act(encoder, x)

def main():
    return globals()["step"](Model(jnp.ones(2)), jnp.ones(2))

# --- a named tuple is one of its class on whichever path it was made
class Empty(NamedTuple):
    """Nothing."""

class Scaled(NamedTuple):
    factor: jax.Array

def update(step, state):
    if jax.device_count() > 100:
        return step * 2, state
    return step, state

def size(state):
    if isinstance(state, Scaled):
        return jnp.sqrt(state.factor)
    return jnp.sqrt(state)

@jax.jit
def conditionally(step, state):
    return jax.lax.cond(step > 0, lambda: update(step, state), lambda: (step, state))

def main():
    return conditionally(1.0, Empty()), size(Scaled(jnp.ones(2)))

# --- what a test has told apart from a named tuple can be changed
from types import SimpleNamespace

class Start(NamedTuple):
    y: jax.Array

def begin(*given):
    if isinstance(given[0], Start):
        return given[0]._replace(y=jnp.zeros(3))
    return reset(given[0])

def reset(state):
    state.y = jnp.zeros(3)
    return state

def main():
    return begin(Start(1.0)), begin(SimpleNamespace(y=1.0))

# --- a loop carries trees of arrays alone
@dataclasses.dataclass
class Phase:
    q: jax.Array

def step(phase, dt):
    return Phase(phase.q + dt)

def simulate(q, dt):
    return jax.lax.scan(lambda phase, _: (step(phase, dt), None), Phase(q), None, length=3)  # JAX511

def main():
    return simulate(jnp.ones(2), 0.1)

# --- a branch hands on, and a map and a gradient take apart, trees of arrays alone
class Box:
    def __init__(self, x):
        self.x = x

def branch(box):
    return jax.lax.cond(box.x.sum() > 0, lambda box: box.x, lambda box: -box.x, box)  # JAX511

def main():
    box = Box(jnp.ones(2))
    jax.vmap(lambda x, box: x + box.x.sum(), in_axes=(0, None))(jnp.ones(2), box)
    jax.grad(lambda x, box: (x * box.x).sum())(jnp.ones(2), box)
    return branch(box)

# --- JAX registers one class, and none that derives from it
@jax.tree_util.register_pytree_node_class
class Linear:
    def __init__(self, w):
        self.w = w

    def tree_flatten(self):
        return (self.w,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)

class Scaled(Linear):
    pass

@jax.jit
def apply(model, x):
    return model.w * x

def main():
    x = jnp.ones(2)
    return apply(Linear(x), x), apply(Scaled(x), x)  # JAX511

# --- a class that registers each one that derives from it
class Module:
    def __init_subclass__(cls):
        jax.tree_util.register_pytree_node(cls, lambda one: ((one.w,), None), lambda _, parts: cls(*parts))

    def __init__(self, w):
        self.w = w

class Layer(Module):
    pass

@jax.jit
def apply(model, x):
    return model.w * x

def main():
    x = jnp.ones(2)
    return jax.lax.fori_loop(0, 2, lambda _, layer: Layer(layer.w + 1), Layer(x)).w + apply(Layer(x), x)

# --- an object that a choice gives to both branches as the second operand
@jax.tree_util.register_pytree_node_class
class State:
    def __init__(self, x):
        self.x = x

    def tree_flatten(self):
        return (self.x,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)

    def __call__(self, x):
        return self.x * x

def step(flag, x):
    return jax.lax.cond(flag, lambda x, state: state, lambda _, state: state, x, State(x))

def main():
    return step(True, 1.0).x

# --- a function that a choice is to give to both branches
def step(flag, x):
    return jax.lax.cond(flag, lambda x, f: x, lambda x, f: -x, x, jnp.sin)  # JAX511

def main():
    return step(True, 1.0)

# --- an array that is one of the children if there is one
@jax.tree_util.register_pytree_node_class
class Params:
    def __init__(self, q, u=None):
        self.q = q
        self.u = u

    def tree_flatten(self):
        children = [self.q]
        has_u = self.u is not None
        if has_u:
            children.append(self.u)
        return tuple(children), has_u

    @classmethod
    def tree_unflatten(cls, has_u, children):
        return cls(children[0], children[1] if has_u else None)

@jax.jit
def step(params):
    return params.q + params.u

def main():
    return [step(Params(jnp.ones(2), jnp.full(2, float(i)))) for i in range(3)]

# --- an array that is put into the structure if there is one
@jax.tree_util.register_pytree_node_class
class Params:
    def __init__(self, q, u=None):
        self.q = q
        self.u = u

    def tree_flatten(self):
        children = [self.q]
        return tuple(children), self.u

    @classmethod
    def tree_unflatten(cls, u, children):
        return cls(*children, u)

@jax.jit
def step(params):
    return params.q + params.u

def main():
    return step(Params(jnp.ones(2), jnp.ones(2)))  # JAX711

# --- the structure where the constructor takes a child
@jax.tree_util.register_pytree_node_class
class Field:
    def __init__(self, data, grid):
        self.data = data
        self.grid = grid

    def tree_flatten(self):
        return (self.data,), self.grid

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(aux, *children)  # JAX711

def main():
    return jax.tree.map(lambda x: x * 2, Field(jnp.ones(3), "grid"))

# --- the structure where the constructor takes a child, of a class that a call registers
class Field:
    def __init__(self, data, grid):
        self.data = data
        self.grid = grid

    def tree_flatten(self):
        return (self.data,), self.grid

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(aux, *children)  # JAX711

jax.tree_util.register_pytree_node_class(Field)

def main():
    return jax.tree.map(lambda x: x * 2, Field(jnp.ones(3), "grid"))

# --- children in another order than the fields
@jax.tree_util.register_pytree_node_class
@dataclasses.dataclass
class Point:
    x: float
    y: float

    def tree_flatten(self):
        return (self.y, self.x), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)  # JAX711

def main():
    return jax.tree.map(lambda x: x * 2, Point(1.0, 2.0))

# --- children in another order than the fields, by name
@jax.tree_util.register_pytree_node_class
@dataclasses.dataclass
class Point:
    x: float
    y: float
    unit: str

    def tree_flatten(self):
        return (self.y, self.x), {"unit": self.unit}

    @classmethod
    def tree_unflatten(cls, aux, children):
        y, x = children
        return cls(x, y, aux["unit"])

def main():
    return jax.tree.map(lambda x: x * 2, Point(1.0, 2.0, "m"))

# --- attributes that properties give under another name
@jax.tree_util.register_pytree_node_class
class Field:
    def __init__(self, data, grid):
        self._data = data
        self._grid = grid

    @property
    def data(self):
        return self._data

    def tree_flatten(self):
        return (self.data,), self._grid

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(children[0], aux)

def main():
    return jax.tree.map(lambda x: x * 2, Field(jnp.ones(3), "grid"))

# --- functions that take apart, and put together in another order
class Field:
    def __init__(self, data, grid):
        self.data = data
        self.grid = grid

jax.tree_util.register_pytree_node(Field, lambda f: ((f.data,), f.grid), lambda aux, children: Field(aux, children[0]))  # JAX711

def main():
    return jax.tree.map(lambda x: x * 2, Field(jnp.ones(3), "grid"))

# --- an optimiser that is passed to a compiled function
import optax

@jax.jit
def step(tx, params, state):
    updates, state = tx.update(params, state, params)
    return optax.apply_updates(params, updates), state

def main():
    tx, params = optax.chain(optax.clip(1.0), optax.sgd(0.1)), {"w": jnp.ones(3)}
    return step(tx, params, tx.init(params))  # JAX511

# --- an optimiser that is static, or closed over, and its state
import functools
import optax

@functools.partial(jax.jit, static_argnums=0)
def step(tx, params, state):
    updates, state = tx.update(params, state, params)
    return optax.apply_updates(params, updates), state

def main():
    tx, params = optax.sgd(0.1), {"w": jnp.ones(3)}
    return step(tx, params, tx.init(params)), jax.jit(lambda p, s: tx.update(p, s))(params, tx.init(params))

# --- a dict of pairs
@jax.jit
def predict(p, x):
    return x @ p["layer"]["weight"] + p["layer"]["bias"]

def main():
    w, b = jnp.ones((3, 2)), jnp.zeros(2)
    p = {"layer": dict([("weight", w), ("bias", b)])}
    return predict(p, jnp.ones(3)), predict({"layer": dict((("weight", w), ("bias", b)))}, jnp.ones(3))

# --- a dict of pairs with a text in it
@jax.jit
def predict(p, x):
    return x @ p["weight"]

def main():
    return predict(dict([("weight", jnp.ones((3, 2))), ("name", "layer")]), jnp.ones(3))  # JAX511

# --- an object of a class that derives from dict, whatever it holds
class Params(dict):
    def count(self):
        return sum(value.size for value in self.values())

@jax.jit
def predict(params, x):
    return x @ params["w"]

def main():
    return predict(Params(w=jnp.ones((2, 2))), jnp.ones(2))  # JAX511

# --- a class that derives from dict and is registered, and dicts of Python's own
import collections

class Params(dict):
    pass

jax.tree_util.register_pytree_node(
    Params, lambda params: (tuple(params.values()), tuple(params)), lambda names, parts: Params(zip(names, parts))
)

@jax.jit
def predict(params, x):
    return x @ params["w"]

def main():
    w, x = jnp.ones((2, 2)), jnp.ones(2)
    kept = collections.defaultdict(list, w=w)
    return predict(Params(w=w), x), predict(collections.OrderedDict([("w", w), (0, x)]), x), predict(kept, x)

# --- a deque that a loop carries
import collections

def main():
    recent = collections.deque([jnp.zeros(())] * 2)
    return jax.lax.scan(lambda recent, x: (recent, x), recent, jnp.ones(3))  # JAX511

# --- a namespace that is differentiated for
from types import SimpleNamespace

def main():
    params = SimpleNamespace(w=jnp.ones(2))
    return jax.grad(lambda p: jnp.sum(p.w))(params)  # JAX511

# --- a namespace around what is compiled, and its parts
from types import SimpleNamespace

def main():
    params = SimpleNamespace(w=jnp.ones(2))
    return jax.jit(lambda x: jnp.sum(params.w * x))(2.0), jax.grad(lambda p: jnp.sum(p["w"]))(vars(params))

# --- a member of an enumeration that is traced
import enum

class Mode(enum.Enum):
    TRAIN = 0
    EVAL = 1

@jax.jit
def forward(x, mode):
    return 2.0 * x if mode is Mode.TRAIN else x

def main():
    return forward(jnp.ones(2), mode=Mode.EVAL)  # JAX511

# --- members of enumerations that are static, or numbers
import enum
from functools import partial

class Mode(enum.Enum):
    TRAIN = 0
    EVAL = 1

class Level(enum.IntEnum):
    LOW = 1

@partial(jax.jit, static_argnames="mode")
def forward(x, mode, scale):
    return scale * x if mode is Mode.TRAIN else x

def main():
    return forward(jnp.ones(2), Mode.EVAL, Level.LOW), forward(jnp.ones(2), Mode.EVAL, Mode.EVAL.value)

# --- an enumeration that is registered
import enum

@jax.tree_util.register_static
class Mode(enum.Enum):
    TRAIN = 0
    EVAL = 1

@jax.jit
def forward(x, mode):
    return 2.0 * x if mode is Mode.TRAIN else x

def main():
    return forward(jnp.ones(2), Mode.EVAL)

# --- a record that is registered as static, with another object in it
class Rules:
    axis = 0

@jax.tree_util.register_static
@dataclasses.dataclass(frozen=True)
class Config:
    gain: float = 2.0
    rules: Rules = dataclasses.field(default_factory=Rules)

@jax.jit
def forward(x, config):
    return config.gain * x.sum(config.rules.axis)

def main():
    return forward(jnp.ones(2), Config())

# --- a dict that is returned with keys that have no order
def main():
    return jax.jit(lambda x: {"loss": x.sum(), 0: x.mean()})(jnp.ones(2))  # JAX515

# --- a dict that is given with keys that have no order
def main():
    return jax.jit(lambda parts, x: x)({None: 1.0, "w": 2.0}, 3.0)  # JAX511

# --- dicts with keys of one kind, or of numbers, and dicts that are not handed on
@jax.jit
def metrics(x):
    named = {"loss": x.sum(), 0: x.mean()}
    return {1: named["loss"], 2.5: named[0], True: x}, {(0, "a"): x}, {None: x}

def main():
    return metrics(jnp.ones(2))

# --- children in another order than a constructor stores them in, side by side
@jax.tree_util.register_pytree_node_class
class Codebook:
    def __init__(self, centers, counts):
        self.centers, self.counts = centers, counts

    def tree_flatten(self):
        return (self.counts, self.centers), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)  # JAX711

def main():
    made = jax.tree.map(lambda x: x * 2, Codebook(1.0, 2.0))
    assert made.centers == 4.0

# --- children in the order that a constructor stores them in, which exchanges them, or unpacks what it is given
@jax.tree_util.register_pytree_node_class
class Codebook:
    def __init__(self, counts, centers):
        self.counts, self.centers = centers, counts

    def tree_flatten(self):
        return (self.centers, self.counts), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)

@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, both):
        self.first, self.second = both

    def tree_flatten(self):
        return (self.first, self.second), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        first, second = children
        return cls((first, second))

def main():
    made, pair = jax.tree.map(lambda x: x * 2, (Codebook(1.0, 2.0), Pair((1.0, 2.0))))
    assert (made.centers, made.counts, pair.first, pair.second) == (2.0, 4.0, 2.0, 4.0)

# --- fields that jax.tree.static keeps in the structure
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Scale:
    x: jax.Array
    name: str = jax.tree.static(default="add")
    functions: tuple = jax.tree.static(default=())
    size: int = jax.tree.static(default=3)
    weight: float = 1.0

    def __call__(self):
        if self.name == "add":
            return jnp.zeros(self.size) + self.x.sum()
        if self.weight > 0:  # JAX201
            return self.functions[0](self.x)
        return self.x

@jax.jit
def run(scale: Scale):
    return scale()

@jax.jit
def doubled(scale):
    return Scale(scale.x * 2, scale.name, scale.functions)

def main():
    run(Scale(jnp.ones(3)))
    doubled(Scale(jnp.ones(3), "mul", (jnp.sin,)))
    run(Scale(jnp.ones(3), "mul", (jnp.sin,)))

# --- the constructor that a decorator makes stands before that of a base
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from flax import struct

class Engine:
    def __init__(self):
        self.compiled = None

@struct.dataclass
class Genetic(Engine):
    rate: float = 0.1

@dataclass(frozen=True)
class Annealed(Engine):
    rate: float = 0.1

class Buffer:
    def __init__(self, size):
        self.rows = jnp.zeros(size)

@dataclass
class Made(Buffer):
    size: float

class Sized:
    def __init__(self, size):
        self.rows = jnp.zeros(size)  # JAX314

@dataclass(init=False)
class Inherited(Sized):
    size: float

def main():
    jax.jit(lambda engine: engine.rate * 2)(Genetic(rate=0.5))
    jnp.ones(3) * Annealed(0.5).rate
    Made(1.5)
    Inherited(1.5)
