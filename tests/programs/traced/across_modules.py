# Programs of several files.

# --- static field from elsewhere
# file: base.py
import flax.struct

def aside(**options):
    return flax.struct.field(pytree_node=False, **options)
# file: program.py
import flax.struct
import jax
from flax.core import FrozenDict

import base
from base import aside

@flax.struct.dataclass
class Agent:
    weights: jax.Array
    config: FrozenDict = aside()
    depth: int = base.aside(default=2)

@jax.jit
def act(agent, x):
    if agent.config["train"] and agent.depth > 1:
        return x * agent.weights
    return x

def main():
    return act(Agent(2.0, FrozenDict(train=True)), 1.0)

# --- helper module
# file: ops.py
def clip(x, limit):
    if x > limit:  # JAX201
        return limit
    return x
# file: program.py
import jax

from ops import clip

@jax.jit
def step(x):
    return clip(x, 1.0)

def main():
    return step(2.0)

# --- jitted elsewhere
# file: model.py
import numpy as np

def forward(w, x):
    return np.tanh(w * x)  # JAX213

def describe(w):
    return float(w)
# file: program.py
import jax

import model

forward = jax.jit(model.forward)

def main():
    return forward(1.0, 2.0), model.describe(1.0)

# --- re exported
# file: setup.py
# file: nets/__init__.py
from .layers import relu as activation
# file: nets/layers.py
def relu(x):
    return max(x, 0.0)  # JAX203
# file: program.py
import jax

import nets

def main():
    return jax.vmap(nets.activation)(jax.numpy.ones(3))

# --- base class elsewhere
# file: base.py
from functools import partial

import jax

class Base:
    @partial(jax.jit, static_argnums=0)
    def run(self, x):
        return self.forward(x)
# file: program.py
from base import Base

class Model(Base):
    def forward(self, x):
        if x > 0:  # JAX201
            return x
        return -x

def main():
    return Model().run(1.0)

# --- branch that raises elsewhere
# file: ops.py
def fail(x):
    """Says no."""
    raise ValueError("no")  # JAX112
# file: program.py
import jax

from ops import fail

@jax.jit
def step(x):
    return jax.lax.cond(x > 0, fail, lambda x: x, x)

def main():
    return step(1.0)

# --- branch left to subclasses
# file: base.py
class Evaluator:
    def reset(self, x):
        """Starts anew."""
        raise NotImplementedError

    def step(self, x):
        raise NotImplementedError
# file: program.py
import jax

from base import Evaluator

class Search(Evaluator):
    def reset(self, x):
        return x * 0

    def step(self, x):
        return x + 1

def advance(x, evaluator: Evaluator):
    return jax.lax.cond(x > 3, evaluator.reset, evaluator.step, x)

def main():
    return jax.jit(advance, static_argnums=1)(2, Search())

# --- only called eagerly
# file: ops.py
def clip(x, limit):
    if x > limit:
        return limit
    return float(x)
# file: program.py
import jax

from ops import clip

@jax.jit
def step(x):
    return x * 2

def main():
    return clip(step(2.0), 1.0)

# --- static from elsewhere
# file: config.py
DEEP = True
WIDTHS = (2, 3)
# file: program.py
import jax

import config
from config import WIDTHS

@jax.jit
def step(x):
    if config.DEEP and len(WIDTHS) > 1:
        for width in WIDTHS:
            x = x * width
    return x

def main():
    return step(2.0)

# --- what a helper in another module compiles anew for each pass of a loop
# file: pkg/steps.py
import jax

def scaled(x, rate):
    return jax.jit(lambda x: x * rate)(x)  # JAX503

def helped(x):
    return scaled(x, 0.5) + 1
# file: program.py
import jax.numpy as jnp

from pkg import steps

def advance(x):
    return steps.helped(x)

def main():
    x = jnp.ones(2)
    for _ in range(4):
        x = advance(x)
    return x

# --- what a caller has changed and asked decides what another module's function gives
# file: settings.py
class Settings:
    def __init__(self):
        self.static = True


settings = Settings()
# file: model.py
from settings import settings

def size(x):
    if settings.static:
        return 2
    return x.sum()
# file: program.py
import functools

import jax
import jax.numpy as jnp

from model import size
from settings import settings

@functools.partial(jax.jit, static_argnums=1)
def shaped(x, static):
    settings.static = static
    if settings.static:
        return x.reshape((size(x), -1))
    return jnp.ones(size(x))  # JAX223

@jax.jit
def plain(x):
    return jnp.ones(size(x))

def main():
    plain(jnp.ones(4))
    shaped(jnp.ones(4), True)
    shaped(jnp.ones(4), False)

# --- objects that are read in a row, of which one caller has changed the last
# file: settings.py
class Settings:
    def __init__(self, on):
        self.on = on


scaling = Settings(True)
limits = {"steps": 2}
checks = Settings(False)
# file: model.py
import jax.numpy as jnp

from settings import checks, limits, scaling

def positive(x):
    x = x * 2 if scaling.on else x
    for _ in range(limits["steps"]):
        x = jnp.sin(x)
    if checks.on:
        return bool(x > 0)  # JAX211
    return True
# file: program.py
import jax

from model import positive
from settings import checks

@jax.jit
def plain(x):
    return x * positive(x)

@jax.jit
def checked(x):
    checks.on = True
    return x * positive(x)

def main():
    plain(1.0)
    checked(1.0)

# --- an option that a package offers, and that a call passes
# file: setup.py
# The package belongs to the program.

# file: spectra/__init__.py
import jax

@jax.jit
def forward(x, train: bool = True):
    return x if train else -x  # JAX201

# file: program.py
from spectra import forward

def main():
    return forward(1.0, train=False)

# --- an option that a package offers, and a helper asks for
# file: spectra/__init__.py
import jax

def scaled(x, normalize):
    if normalize:  # JAX521
        return x / x.sum()
    return x

@jax.jit
def forward(x, *, normalize=False, name: str = "x"):  # JAX521
    return scaled(x, normalize)

# file: program.py
import numpy as np
from spectra import forward

def main():
    return forward(np.ones(3))

# --- a class that a function of another module registers, and one that it is not given
# file: register.py
import jax

def register(cls):
    jax.tree_util.register_pytree_node(cls, lambda one: ((), None), lambda _, parts: cls())
# file: program.py
import jax
import jax.numpy as jnp

from register import register

class Settings:
    scale = 2.0

register(Settings)

@jax.jit
def scaled(x, settings):
    return settings.scale * x

def run(x, settings: Settings):
    return scaled(x, settings)

def main():
    return run(jnp.ones(2), Settings())

# --- a class of a module that imports a function which registers nothing
# file: register.py
import jax

class Other:
    pass

jax.tree_util.register_pytree_node(Other, lambda one: ((), None), lambda _, parts: Other())

def log(cls):
    print(cls)
# file: program.py
import jax
import jax.numpy as jnp

from register import log

class Settings:
    scale = 2.0

log(Settings)

@jax.jit
def scaled(x, settings):
    return settings.scale * x

def run(x, settings: Settings):
    return scaled(x, settings)  # JAX511

def main():
    return run(jnp.ones(2), Settings())

# --- a reference that a module hands to a function of another one
# file: stores.py
import jax

@jax.jit
def store(ref, x):
    ref[0] = x
# file: program.py
import jax
import jax.numpy as jnp

from stores import store

total = jax.new_ref(jnp.zeros(3))

def main():
    store(total, 1.0)
    return total[...]

# --- an array that a module without references hands to a function of another one
# file: stores.py
import jax

@jax.jit
def store(x, value):
    x[0] = value  # JAX301
# file: other.py
import jax
import jax.numpy as jnp

total = jax.new_ref(jnp.zeros(3))
# file: program.py
import jax.numpy as jnp

import other
from stores import store

def main():
    store(jnp.zeros(3), 1.0)
    return other.total[...]

# --- a table that modules fill when a package imports them
# file: worlds/__init__.py
from worlds import walls
# file: worlds/table.py
STEPS = {}
# file: worlds/walls.py
from worlds.table import STEPS

def step(x):
    if x > 0:  # JAX201
        return x
    return -x

STEPS["walls"] = step
# file: program.py
import jax

import worlds
from worlds.table import STEPS

step = jax.jit(STEPS["walls"])

def main():
    return step(1.0)

# --- an entry that is replaced when the table is full
# file: worlds/__init__.py
from worlds import walls
# file: worlds/table.py
STEPS = {}
# file: worlds/walls.py
from worlds.table import STEPS

def step(x):
    if x > 0:
        return x
    return -x

STEPS["walls"] = step
# file: program.py
import jax

import worlds
from worlds.table import STEPS

STEPS["walls"] = abs
step = jax.jit(STEPS["walls"])

def main():
    return step(1.0)

# --- a table that a module fills when it is imported from its package
# file: worlds/__init__.py
# file: worlds/table.py
STEPS = {}
# file: worlds/walls.py
from worlds.table import STEPS

def step(x):
    if x > 0:  # JAX201
        return x
    return -x

STEPS["walls"] = step
# file: program.py
import jax

from worlds import table, walls

step = jax.jit(table.STEPS["walls"])

def main():
    return step(1.0)

# --- everything that is imported takes the place of what was imported before
# file: descent.py
import jax
import jax.numpy as np

def descended(f, x):
    return x - 0.1 * jax.grad(f)(x)
# file: program.py
import numpy as np
from descent import *

def loss(x):
    return np.sin(x)

def main():
    return descended(loss, 1.0)

# --- a name that is imported after everything, and one that is not offered
# file: descent.py
import jax
import jax.numpy as np
import jax.numpy as onp

__all__ = ["descended", "np"]

def descended(f, x):
    return x - 0.1 * jax.grad(f)(x)
# file: program.py
import numpy as onp
from descent import *

def loss(x):
    return np.sin(x) + onp.sin(x)  # JAX213

def main():
    return descended(loss, 1.0)

# --- a dict that another module passes
# file: sums.py
import jax

@jax.jit
def add(x, sums):
    sums[0] += x
    return sums

# file: program.py
import jax
import jax.numpy as jnp
from sums import add

def main():
    return jax.jit(lambda x: add(x, {0: x}))(1.0)

# --- rules that a script gives to a function of another module
# file: layers.py
from functools import partial

import jax


@partial(jax.custom_vjp, nondiff_argnums=(1,))
def power(x, n):
    return x**n


def forward(x, n):
    return power(x, n), x


def backward(n, x, g):
    if g > 0:  # JAX201
        g = -g
    return (g * n * x,)


@jax.jit
def slope(x):
    return jax.grad(lambda x: power(x, 2))(x)

# file: program.py
from layers import backward, forward, power, slope

power.defvjp(forward, backward)


def main():
    return slope(3.0)

# --- settings of one module that a loop of another one changes
# file: losses.py
WEIGHTS = {"entropy": 0.2, "value": 0.5}

def total(x):
    return WEIGHTS["entropy"] * x  # JAX108
# file: penalty.py
import losses

def penalty(x):
    return losses.WEIGHTS["value"] * x  # JAX108
# file: program.py
import jax

import losses as own
from losses import WEIGHTS, total
from penalty import penalty

step = jax.jit(lambda x: total(x) + penalty(x))

def train(x):
    for number in range(3):
        WEIGHTS["entropy"] = 0.2 * 0.5**number
        own.WEIGHTS["value"] *= 0.9
        x = step(x)
    return x

def main():
    return train(1.0)

# --- settings that are made before anything runs, are always the same, are of another module, or are read by new traces
# file: losses.py
WEIGHTS = {"entropy": 0.2, "value": 0.5, "norm": 1.0, "scale": 2.0}

def total(x):
    return WEIGHTS["entropy"] * x + WEIGHTS["value"] + WEIGHTS["norm"]

def scaled(x):
    return WEIGHTS["scale"] * x
# file: others.py
WEIGHTS = {"norm": 3.0}
# file: program.py
import jax

import others
from losses import WEIGHTS, scaled, total

step = jax.jit(total)

def train(x, entropy):
    WEIGHTS["entropy"] = entropy
    for number in range(3):
        WEIGHTS["value"] = 0.5
        others.WEIGHTS["norm"] = number * 2.0
        WEIGHTS["scale"] = number / 2
        x = step(x) + jax.jit(lambda x: scaled(x))(x)  # JAX502
    return x

def main():
    return train(1.0, 0.1)
