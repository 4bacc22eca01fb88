# Methods that nobody calls by name: Python does, for an operator, an item, a loop or a `with`.

import collections

import jax
import jax.numpy as jnp

# --- operators of either side
class Scaled:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        print(other)  # JAX101
        return Scaled(self.x + other)

    def __rmul__(self, other):
        if other.sum() > 0:  # JAX201
            return Scaled(self.x * other)
        return self

    def __sub__(self, other):
        if isinstance(other, Scaled):
            return Scaled(self.x - other.x)
        return NotImplemented

@jax.jit
def run(x):
    return (x * (Scaled(x) + x)).x

def main():
    return run(jnp.ones(3))

# --- an operator that compares gives what its method gives
class Level:
    def __init__(self, x):
        self.x = x

    def __lt__(self, other):
        return self.x.sum() < other

    def __eq__(self, other):
        return isinstance(other, Level) and other.x.shape == self.x.shape

@jax.jit
def run(x):
    if Level(x) == Level(x):
        x = x + 1
    if Level(x) < 3:  # JAX201
        x = x - 1
    return x

def main():
    return run(jnp.ones(3))

# --- items
class Table:
    def __init__(self, rows):
        self.rows = rows

    def __getitem__(self, name):
        return self.rows[name]

    def __setitem__(self, name, value):
        self.rows = {**self.rows, name: value}

    def __contains__(self, value):
        return (self.rows["a"] == value).any()

    def __len__(self):
        return len(self.rows)

@jax.jit
def run(x):
    table = Table({"a": x})
    table["b"] = x
    if len(table) > 1:
        x = x + 1
    return x if table["a"] > 0 else -x  # JAX201

def main():
    return run(jnp.ones(()))

# --- membership makes a bool of what the method says
class Bag:
    def __init__(self, x):
        self.x = x

    def __contains__(self, value):
        return (self.x == value).any()

@jax.jit
def run(x):
    return 1.0 in Bag(x)  # JAX202

def main():
    return run(jnp.ones(3))

# --- a loop
class Rows:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        for number in range(3):
            yield self.x[number]

class Counted:
    def __init__(self, x):
        self.x, self.left = x, 2

    def __iter__(self):
        return self

    def __next__(self):
        if not self.left:
            raise StopIteration
        self.left -= 1
        return self.x

@jax.jit
def run(x):
    total = 0.0
    for row in Counted(x):
        total = total + row
    for number, row in enumerate(Rows(x)):
        if row > number:  # JAX201
            total = total + row
    return total

def main():
    return run(jnp.arange(3.0))

# --- a block
class Recorded:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        return self.x

    def __exit__(self, *error):
        print(self.x)  # JAX101

@jax.jit
def run(x):
    with Recorded(x) as inside:
        return inside + 1 if inside.ndim else inside

@jax.jit
def afterwards(x):
    with Recorded(x) as inside:
        x = inside + 1
    return x

def main():
    return run(jnp.ones(3)), afterwards(jnp.ones(3))

# --- a block that is left before its end
class Open:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            return None
        print("failed")

@jax.jit
def run(x):
    with Open():
        x = x + 1
    return x

def main():
    return run(jnp.ones(3))

# --- what derives from a list or dict holds what such a one does
class History(list):
    def log(self, **row):
        self.append(row)  # JAX107

class Table(collections.OrderedDict):
    def __setitem__(self, name, value):
        super().__setitem__(name, value)  # JAX107

class Plain(dict):
    pass

history, table, plain = History(), Table(), Plain()

@jax.jit
def run(x):
    history.log(value=x)
    return x

@jax.jit
def stored(x):
    table["a"] = x
    plain["a"] = x  # JAX107
    return x

@jax.jit
def of_the_trace(x):
    inner = Plain()
    inner["a"] = x
    rows = History()
    rows.log(value=inner["a"])
    rows.append(x)
    return sum(row if row is x else x for row in rows)

def main():
    return run(jnp.ones(3)), stored(jnp.ones(3)), of_the_trace(jnp.ones(3))

# --- what derives from other containers
class Counts(collections.Counter):
    pass

class Grouped(collections.defaultdict):
    pass

class Recent(collections.deque):
    pass

class Seen(set):
    pass

counts, grouped, recent, seen = Counts(), Grouped(list), Recent(maxlen=3), Seen()

@jax.jit
def run(x):
    counts["a"] = x  # JAX107
    grouped["a"] = x  # JAX107
    recent.appendleft(x)  # JAX107
    return x

@jax.jit
def static(x):
    seen.add(x.dtype)
    Seen().add(x.dtype)
    Recent().append(x)
    return x

def main():
    return run(jnp.ones(3)), static(jnp.ones(3))

# --- an operator in place, for which a class has a method of its own
class Meter:
    def __init__(self):
        self.total = 0.0

    def __iadd__(self, value):
        self.total = self.total + value  # JAX107
        return self

class Plain:
    def __init__(self, total):
        self.total = total

    def __add__(self, value):
        return Plain(self.total + value)

meter = Meter()

@jax.jit
def run(x):
    mine = meter
    mine += x.sum()
    plain = Plain(x)
    plain += 1
    return plain.total

def main():
    return run(jnp.ones(3))

# --- the truth of an object
class Flag:
    def __init__(self, x):
        self.x = x

    def __bool__(self):
        return bool(self.x > 0)  # JAX211

class Rows:
    def __init__(self, x):
        self.x = x

    def __len__(self):
        return len(self.x)

@jax.jit
def run(x):
    if not Rows(x):
        return x
    return x if Flag(x[0]) else -x

def main():
    return run(jnp.ones(3))

# --- numbers and texts of an object
class Level:
    def __init__(self, x):
        self.x = x

    def __float__(self):
        return float(self.x)  # JAX211

    def __abs__(self):
        return Level(abs(self.x))

    def __str__(self):
        return f"of {self.x.shape}"

    def __format__(self, how):
        return f"{self.x:.2f}"  # JAX215

@jax.jit
def run(x):
    level = abs(Level(x))
    text = str(level) + f"{level!s}"
    return x * float(level) if text else x

@jax.jit
def described(x):
    return f"{Level(x)}" and x

def main():
    return run(jnp.ones(())), described(jnp.ones(()))

# --- the hash of an object, of a key and of a static argument
class Settings:
    def __init__(self, weights):
        self.weights = weights

    def __hash__(self):
        return hash((self.weights, 1))  # JAX216

    def __eq__(self, other):
        return self is other

class Named:
    def __init__(self, weights, name):
        self.weights, self.name = weights, name

    def __hash__(self):
        return hash((id(self.weights), self.name))

    def __eq__(self, other):
        return self is other

def scale(settings, x):
    return settings.weights * x

jitted = jax.jit(scale, static_argnums=0)

def main():
    named = Named(jnp.ones(3), "a")
    seen = {named: 1}
    jitted(named, jnp.ones(3))
    settings = Settings(jnp.ones(3))
    seen[settings] = 2
    return jitted(settings, jnp.ones(3))

# --- what is done last is done where the function has returned, too
@jax.jit
def run(x):
    rows = []
    try:
        if x.shape[0] > 2:
            return x + 1
        rows.append(x)
    finally:
        print(x)  # JAX101
    return rows[0]

def main():
    return run(jnp.ones(3))

# --- a NamedTuple that is called
from typing import NamedTuple

class Scaled(NamedTuple):
    by: jax.Array

    def __call__(self, x):
        return self.by * x

class Clipped(NamedTuple):
    at: float

    def __call__(self, x):
        return x if x < self.at else self.at  # JAX201

@jax.jit
def slope(scaled, x):
    return jax.value_and_grad(scaled)(x)

def main():
    slope(Scaled(jnp.ones(())), 2.0)
    return jax.jit(lambda x: Clipped(1.0)(x))(2.0)
