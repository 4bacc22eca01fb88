# What JAX finds compiled code by: static arguments that have no hash, or are others at each call.

import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx, struct

@functools.partial(jax.jit, static_argnames="layers")
def mlp(x, layers):
    for width in layers:
        x = jnp.tanh(x) * width
    return x

# --- a wrapper that hands on what it gets, with the names of what it wraps
def announced(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper

@functools.partial(jax.jit, static_argnames=("train",))
@announced
def forward(params, batch, *, train):
    return params * batch if train else batch

@jax.jit
def step(params, batch):
    def loss(params):
        return forward({"w": params}["w"], batch, train=True).sum()

    return params - jax.grad(loss)(params)

def main():
    return step(jnp.ones(2), jnp.ones(2))

# --- a record with an array in it
@struct.dataclass
class State:
    scale: jax.Array

@functools.partial(jax.jit, static_argnums=1)
def scaled(x, state):
    return state.scale * x

def main():
    return scaled(jnp.ones(2), State(jnp.ones(2)))  # JAX504

# --- a record with numbers in it
@struct.dataclass
class State:
    scale: float

@functools.partial(jax.jit, static_argnums=1)
def scaled(x, state):
    return state.scale * x

def main():
    return scaled(jnp.ones(2), State(2.0))

# --- a method of a dataclass that is not frozen
@dataclasses.dataclass
class Model:
    scale: float = 2.0

    @functools.partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return self.scale * x

def main():
    return Model()(jnp.ones(2))  # JAX504

# --- a dataclass that inherits a hash
class Hashed:
    def __hash__(self):
        return 1

@dataclasses.dataclass(eq=False)
class Model(Hashed):
    scale: float = 2.0

    @functools.partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return self.scale * x

def main():
    return Model()(jnp.ones(2))

# --- a class whose base compares by contents
class Compared:
    def __eq__(self, other):
        return True

class Model(Compared):
    @functools.partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return 2 * x

def main():
    return Model()(jnp.ones(2))  # JAX504

# --- a list on one of two paths
def main(layers=None):
    widths = [2, 3] if layers is None else tuple(layers)
    return mlp(jnp.ones(2), tuple(widths))

# --- a list on both paths
def main(deep=False):
    widths = [2, 3] if deep else [2]
    return mlp(jnp.ones(2), widths)  # JAX504

# --- options that the call unpacks
def main():
    options = {"layers": [2, 3]}
    return mlp(jnp.ones(2), **options)  # JAX504

# --- a list for nnx.jit and for pmap
def apply(x, layers):
    return x * layers[0]

def main():
    try:
        jax.pmap(apply, static_broadcasted_argnums=1)(jnp.ones((1, 2)), [2])
    except ValueError:
        return nnx.jit(apply, static_argnums=1)(jnp.ones(2), [2])  # JAX504

# --- nobody sees the list
def main(layers=[2, 3]):
    return mlp(jnp.ones(2), tuple(layers))

# --- a static number in a helper of the loop that does not change there
@functools.partial(jax.jit, static_argnames="rate")
def decayed(x, rate):
    return x - rate * x

def advance(x, rate):
    return decayed(x, rate)

def main():
    x = jnp.ones(2)
    for i in range(8):
        x = advance(x, 0.5)
    return x

# --- a number that a helper of the compiled function has to know
def padded(x, n):
    return jnp.pad(x, (0, n))

@functools.partial(jax.jit, static_argnames="n")
def longer(x, n):
    return padded(x, n + 1)

def main():
    return [longer(jnp.ones(2), n) for n in range(8)]

# --- a number that enumerate counts
@functools.partial(jax.jit, static_argnames="i")
def added(x, i):
    return x + i

def main():
    x = jnp.ones(2)
    for i, y in enumerate(jnp.ones(8)):
        x = added(x, i) + y  # JAX507
    return x

# --- an object that is made for each call of a helper
class Settings:
    scale = 2.0

@functools.partial(jax.jit, static_argnums=1)
def scaled(x, settings):
    return settings.scale * x

def helper(x):
    return scaled(x, Settings())  # JAX507

def main():
    x = jnp.ones(2)
    for _ in range(8):
        x = helper(x)
    return x

# --- a method whose object is frozen and compares by its fields
@dataclasses.dataclass(frozen=True)
class Settings:
    scale: float = 2.0

    @functools.partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return self.scale * x

def main():
    x = jnp.ones(2)
    for _ in range(8):
        x = Settings().apply(x)
    return x

# --- an object of a plain class, as the annotation says
class Settings:
    scale = 2.0

@jax.jit
def scaled(x, settings):
    return settings.scale * x

def run(x, settings: Settings):
    return scaled(x, settings)  # JAX511

def main():
    return run(jnp.ones(2), Settings())

# --- an object of a class that a call registers, as the annotation says
class Settings:
    scale = 2.0

def register(cls):
    jax.tree_util.register_pytree_node(cls, lambda one: ((), None), lambda _, parts: cls())

register(Settings)

@jax.jit
def scaled(x, settings):
    return settings.scale * x

def run(x, settings: Settings):
    return scaled(x, settings)

def main():
    return run(jnp.ones(2), Settings())

# --- a function of Python
@jax.jit
def reduced(x, function=sum):
    return x

def main():
    reduced(jnp.ones(2))
    return reduced(jnp.ones(2), max)  # JAX511

# --- a number that changes and is traced, of a method whose object is static
class Solver:
    scale = 2.0

    @functools.partial(jax.jit, static_argnums=0)
    def step(self, x, rate):
        return x - rate * self.scale * x

    @functools.partial(jax.jit, static_argnums=(0, 2))
    def shrink(self, x, rate):
        return x - rate * self.scale * x

    def solve(self, x, n):
        rate, i = 0.1, 0
        while i < n:
            x = self.step(rate, x)
            x = self.shrink(x, rate)  # JAX507
            rate *= 0.5
            i += 1
        return x

def main():
    return Solver().solve(jnp.ones(2), 8)

# --- what methods of a number, of bytes and of a string give
@jax.jit
def twice(x):
    return x * 2

def main():
    found = twice((3).bit_length()), twice(jnp.frombuffer(b"ab".upper(), jnp.uint8)), twice("aba".count("a"))
    twice("a".upper())  # JAX511
    return found

# --- a keyword that the function does not have is no matter of tracing
@functools.partial(jax.jit, static_argnames="mode")
def paint(x, mode="linear"):
    return x if mode == "linear" else -x

def misspelt():
    return paint(jnp.ones(2), mdoe="cubic")

def main():
    return paint(jnp.ones(2), mode="cubic")

# --- a lambda of a few numbers, or the same one for each of a few things
@functools.partial(jax.jit, static_argnames="forcing")
def simulate(x, forcing):
    return x + forcing(x)

def main():
    x = jnp.ones(2)
    for scale in (0.1, -0.2):
        x = simulate(x, forcing=lambda t: scale * jnp.sin(t))  # JAX507
    for other in [x, 2 * x]:
        x = other + simulate(x, forcing=lambda t: jnp.sin(t))  # JAX507
    return x

# --- a lambda of each of a few functions, or one that is made before the loop
@functools.partial(jax.jit, static_argnames="forcing")
def simulate(x, forcing):
    return x + forcing(x)

def main():
    x = jnp.ones(2)
    for function in (jnp.sin, jnp.cos):
        x = simulate(x, forcing=lambda t: function(2 * t))
    doubled = lambda t: 2 * t
    for scale in (0.1, 0.2):
        x = simulate(scale * x, forcing=doubled)
    return x

# --- a function that a call defines, in each pass
def policy(w):
    return lambda obs: jnp.argmax(obs @ w)

def same(function):
    return function

@functools.cache
def kept(scale):
    return lambda obs: jnp.argmax(obs * scale)

@functools.partial(jax.jit, static_argnums=0)
def rollout(policy, obs):
    return policy(obs)

def greedy(obs):
    return jnp.argmax(obs)

def main(n=3):
    best = 0
    for i in range(n):
        w = jax.random.normal(jax.random.key(i), (4, 2))
        best += rollout(policy(w), jnp.ones(4))  # JAX507
        best += rollout(same(greedy), jnp.ones(4))
        best += rollout(kept(2.0), jnp.ones(4))
    return best

# --- a number that a loop computes of a fraction and its counter
@functools.partial(jax.jit, static_argnums=1)
def decayed(x, rate):
    return x * jnp.exp(-rate)

def main(n=3):
    x = jnp.ones(2)
    for i in range(n):
        x = decayed(x, 0.01 * i)  # JAX507
        x = decayed(x, i // 2 * 0.5)
    return x

# --- a number of Python's is static for equinox, which traces arrays
import math

import equinox as eqx

@eqx.filter_jit
def moved(w, x, lr):
    return w - lr * jnp.sum(w * x) * x

@eqx.filter_jit
def longer(w, n):
    return jnp.concatenate([w, jnp.zeros(n)])

class Net(eqx.Module):
    w: jax.Array

    @eqx.filter_jit
    def at(self, x, t):
        return self.w * x + t

def cosine(step, total):
    return 0.1 * (1 + math.cos(math.pi * step / total))

def staircase(step, total):
    return 0.1 if step < total // 2 else 0.01

def main(steps=5):
    w = x = jnp.ones(3)
    for i in range(steps):
        lr = cosine(i, steps)
        w = moved(w, x, lr)  # JAX507
        w = moved(w, x, lr=0.1 * i)  # JAX507
        w = moved(w, x, jnp.asarray(0.1 * i))
        rate = staircase(i, steps)
        w = moved(w, x, rate)
        w = moved(w, x, i % 2)
        longer(w, i)
    net = Net(w)
    for i, (_, x) in zip(range(steps), [(0, w), (1, w)]):
        net.at(x, i / 10)  # JAX507
        net.at(x, 0.1)
    for i in range(3):
        net.at(x, i)
    return w

# --- numbers that lie apart on a grid
@functools.partial(jax.jit, static_argnums=1)
def scaled(x, rate):
    return x * rate

def main():
    x = jnp.ones(2)
    found = [scaled(x, float(rate)) for rate in np.linspace(0.0, 1.0, 8)]  # JAX507
    for rate in np.logspace(-3, 0, 8):
        x = scaled(x, rate)  # JAX507
    return found, x

# --- a few numbers on a grid, one of them each time, and numbers that have to be known
@functools.partial(jax.jit, static_argnums=1)
def scaled(x, rate):
    return x * rate

@functools.partial(jax.jit, static_argnums=1)
def repeated(x, count):
    return jnp.tile(x, int(count))

def main():
    x, grid = jnp.ones(2), np.linspace(0.0, 1.0, 8)
    few = [scaled(x, float(rate)) for rate in np.linspace(0.0, 1.0, 3)]
    rounded = [scaled(x, round(float(rate))) for rate in np.linspace(0.0, 1.0, 8)]
    for count in np.arange(1, 8):
        x = repeated(x[:2], count)
    return few, rounded, [scaled(x, float(grid[0])) for _ in np.linspace(0.0, 1.0, 8)]

# --- an attribute of which the constructor of the base makes a tuple
class Base:
    def __init__(self):
        self.sizes = tuple(self.sizes)

class Written(Base):
    sizes = [2, 3]

    def __init__(self):
        super().__init__()

    def run(self, x):
        return mlp(x, self.sizes)

class Set(Base):
    def __init__(self):
        self.sizes = [2, 3]
        super().__init__()

    def run(self, x):
        return mlp(x, self.sizes)

def main():
    return Written().run(jnp.ones(2)), Set().run(jnp.ones(2))

# --- an attribute of which the constructor of the base makes a list
class Base:
    def __init__(self, sizes):
        self.sizes = list(sizes)

class Model(Base):
    def __init__(self):
        self.sizes = (2, 3)
        super().__init__(self.sizes)

    def run(self, x):
        return mlp(x, self.sizes)  # JAX504

def main():
    return Model().run(jnp.ones(2))

# --- a list of which the class makes a tuple, wherever it is set
class Hook:
    def __setattr__(self, name, value):
        object.__setattr__(self, name, tuple(value) if isinstance(value, list) else value)

class Hooked(Hook):
    def __init__(self):
        self.sizes = [2, 3]

class Asked:
    def __init__(self):
        self.sizes = [2, 3]

    def __getattribute__(self, name):
        found = object.__getattribute__(self, name)
        return tuple(found) if isinstance(found, list) else found

class WithSetter:
    def __init__(self):
        self.sizes = [2, 3]

    @property
    def sizes(self):
        return self._sizes

    @sizes.setter
    def sizes(self, value):
        self._sizes = tuple(value)

class Frozen:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, owner, cls=None):
        return getattr(owner, self.name)

    def __set__(self, owner, value):
        setattr(owner, self.name, tuple(value))

class WithDescriptor:
    sizes = Frozen()

    def __init__(self):
        self.sizes = [2, 3]

def main():
    x = jnp.ones(2)
    return [mlp(x, one.sizes) for one in (Hooked(), Asked(), WithSetter(), WithDescriptor())] + [
        mlp(x, Hooked().sizes), mlp(x, Asked().sizes), mlp(x, WithSetter().sizes), mlp(x, WithDescriptor().sizes)
    ]

# --- a list of a class of which something else makes a tuple
class Base:
    def __init_subclass__(cls):
        cls.sizes = tuple(cls.sizes)

class Derived(Base):
    sizes = [2, 3]

class Meta(type):
    def __new__(mcs, name, bases, members):
        return super().__new__(mcs, name, bases, {k: tuple(v) if isinstance(v, list) else v for k, v in members.items()})

class Made(metaclass=Meta):
    sizes = [2, 3]

def frozen(cls):
    cls.sizes = tuple(cls.sizes)
    return cls

@frozen
class Decorated:
    sizes = [2, 3]

class Config:
    sizes = [2, 3]
    names = [2, 3]

    def build(self):
        self.names = tuple(self.names)
        return self

Config.sizes = tuple(Config.sizes)

def main():
    x = jnp.ones(2)
    mlp(x, Derived().sizes), mlp(x, Derived.sizes), mlp(x, Made.sizes), mlp(x, Decorated.sizes)
    return mlp(x, Config.sizes), mlp(x, Config().sizes), mlp(x, Config().build().names)

# --- a list in a class of which there are no objects but those of derived ones, or that others replace
class Placeholder:
    sizes = []

    def run(self, x):
        return mlp(x, self.sizes)

class Filled(Placeholder):
    sizes = (2, 3)

class Asking:
    def run(self, x):
        return mlp(x, self.get_sizes())

    def get_sizes(self):
        return [2, 3]

class Answering(Asking):
    def get_sizes(self):
        return (2, 3)

class Model:
    def __init__(self):
        self.sizes = [2, 3]

    def run(self, x):
        return mlp(x, self.sizes)

def main():
    model, x = Model(), jnp.ones(2)
    model.sizes = (2, 3)
    return Filled().run(x), Answering().run(x), model.run(x)

# --- a hash that the body of the class does not show
def hashed(cls):
    cls.__hash__ = lambda self: 1
    return cls

@hashed
@dataclasses.dataclass
class Decorated:
    scale: float = 2.0

class Later:
    def __eq__(self, other):
        return True

Later.__hash__ = lambda self: 1

class Hashed:
    def __init_subclass__(cls):
        cls.__hash__ = lambda self: 1

class Derived(Hashed):
    def __eq__(self, other):
        return True

class Compared:
    def __eq__(self, other):
        return True

    def run(self, x):
        return scaled(x, self)

class WithHash(Compared):
    def __hash__(self):
        return 1

@functools.partial(jax.jit, static_argnums=1)
def scaled(x, settings):
    return 2 * x

def main():
    x = jnp.ones(2)
    return scaled(x, Decorated()), scaled(x, Later()), scaled(x, Derived()), WithHash().run(x)

# --- what of an object goes into no hash
import typing

@dataclasses.dataclass(frozen=True)
class Config:
    names: typing.ClassVar[list] = ["a"]
    width: int = 2
    log: list = dataclasses.field(default_factory=list, compare=False)
    notes: dict = dataclasses.field(default_factory=dict, hash=False)

    def __post_init__(self):
        object.__setattr__(self, "cache", {})

    @functools.cached_property
    def table(self):
        return [1, 2]

class Pair(typing.NamedTuple):
    widths: list

    def __hash__(self):
        return len(self.widths)

@functools.partial(jax.jit, static_argnums=1)
def scaled(x, config):
    return 2 * x

def main():
    config = Config()
    return config.table, scaled(jnp.ones(2), config), scaled(jnp.ones(2), Pair([2]))

# --- a list among the fields of a frozen dataclass, or of a named tuple
@dataclasses.dataclass(frozen=True)
class Config:
    widths: list = dataclasses.field(default_factory=list)

@functools.partial(jax.jit, static_argnums=1)
def scaled(x, config):
    return 2 * x

def main():
    return scaled(jnp.ones(2), Config([2]))  # JAX504

# --- members of an enumeration, whatever they stand for
import enum

class Kind(enum.Enum):
    FIRST = [2, 3]
    SECOND = {"a": 1}

class Count(enum.IntEnum):
    ONE = 1

@jax.jit
def counted(x, count=Count.ONE):
    return x * count

def main():
    x = jnp.ones(2)
    for kind in (Kind.FIRST, Kind.SECOND):
        scaled(x, kind)
    return scaled(x, Kind["FIRST"]), scaled(x, Kind.FIRST), counted(x, Count["ONE"]), counted(x), counted(x, Count.ONE)

@functools.partial(jax.jit, static_argnums=1)
def scaled(x, kind):
    return 2 * x

# --- a pytree without arrays goes through a compiled function
@functools.partial(jax.jit, static_argnames="mode")
def scaled(x, mode=None):
    return x if mode is None else helper(x, mode)

def helper(x, mode):
    return mode(x)

@functools.partial(jax.jit, static_argnames="model")
def applied(x, model):
    return model.apply(x)

@jax.tree_util.register_static
class Model:
    def apply(self, x):
        return 2 * x

@jax.jit
def with_mode(x, mode):
    return scaled(x, mode)

@jax.jit
def with_part(x, modes):
    return scaled(x, modes["mode"])

@jax.jit
def with_model(x, model):
    return applied(x, model)

def main():
    x, step = jnp.ones(2), jax.tree_util.Partial(jnp.sin)
    return with_mode(x, None), with_mode(x, step), with_part(x, {"mode": step}), with_model(x, Model())

# --- a number or a flag that is traced goes through a compiled function
@functools.partial(jax.jit, static_argnames="train")
def forward(x, train):
    return x if train else -x

@jax.jit
def step(x, train):
    return forward(x, train=train)  # JAX504

def main():
    return step(jnp.ones(2), True)

# --- what is asked for its type, or its hash, before
def by_type(x, layers):
    if isinstance(layers, list):
        return by_type(x, tuple(layers))
    return mlp(x, layers)

def by_very_type(x, layers):
    if type(layers) is list:
        return mlp(x, tuple(layers))
    return mlp(x, layers)

def by_tuple(x, layers):
    if isinstance(layers, tuple):
        return mlp(x, layers)
    return mlp(x, tuple(layers))

def by_method(x, layers):
    return mlp(x, tuple(layers)) if hasattr(layers, "append") else mlp(x, layers)

def has_hash(value):
    try:
        hash(value)
    except TypeError:
        return False
    return True

def by_hash(x, layers):
    return mlp(x, layers) if has_hash(layers) else mlp(x, tuple(layers))

@functools.singledispatch
def as_static(value):
    return value

@as_static.register
def _(value: list):
    return tuple(value)

def main():
    x = jnp.ones(2)
    by_type(x, [2]), by_very_type(x, [2]), by_tuple(x, [2]), by_method(x, [2]), by_hash(x, [2])
    return mlp(x, as_static([2]))

# --- numbers of NumPy, frozen sets, ranges and generators
@functools.partial(jax.jit, static_argnums=1)
def scaled(x, value):
    return 2 * x

def main():
    x = jnp.ones(2)
    scaled(x, -np.array(3)), scaled(x, np.array(3) + 1), scaled(x, np.arange(3)[1])
    return scaled(x, frozenset([1, 2])), scaled(x, range(3)), scaled(x, (i for i in range(3)))

# --- the buffer of an array, seen by NumPy
@functools.partial(jax.jit, static_argnums=1)
def scaled(x, value):
    return 2 * x

def main():
    return scaled(jnp.ones(2), np.asarray(jnp.ones(2)))  # JAX504

# --- a list that is made of what nobody knows
def main(names=(2, 3)):
    return mlp(jnp.ones(2), list(names))  # JAX504

# --- options by position, as older versions took them
def compiled(function, shardings, static, args):
    function = jax.jit(function, static_argnums=static)
    function = jax.jit(function, shardings, shardings, static, None)
    return function(*args)

def earlier():
    return compiled(lambda x, n: x * n, None, (1,), (jnp.ones(2), 3))

def main():
    return jax.jit(lambda x, n: x * n, static_argnums=1)(jnp.ones(2), 3)

# --- an optimiser that each pass makes
import optax

@functools.partial(jax.jit, static_argnames="optimiser")
def step(optimiser, params, state):
    updates, state = optimiser.update(params, state)
    return optax.apply_updates(params, updates), state

def main():
    params = jnp.ones(2)
    kept = optax.adam(0.1)
    state = kept.init(params)
    for _ in range(3):
        params, state = step(kept, params, state)
        params, state = step(optax.adam(0.1), params, state)  # JAX507
    assert step._cache_size() == 4

# --- functions that filter_jit is given: a new one in each pass
import equinox as eqx

traces = 0

@eqx.filter_jit
def step(x, update):
    global traces
    traces += 1
    return update(x)

def double(x):
    return 2 * x

def new_ones(x):
    for _ in range(3):
        update = lambda x: 3 * x
        x = step(x, update)  # JAX507
    return x

def one(x):
    update = lambda x: 3 * x
    for _ in range(3):
        x = step(step(x, update), double)
    return x

def main():
    new_ones(jnp.ones(3))
    assert traces == 3
    one(jnp.ones(3))
    assert traces == 5
