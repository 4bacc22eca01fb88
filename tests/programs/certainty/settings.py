# Settings that are made before anything runs.

# --- a setter for the users of the module
# file: views.py
import jax

RADIUS = 3
SCALE = {"gain": 1.0}


def set_radius(radius):
    global RADIUS
    RADIUS = radius


def set_gain(gain):
    SCALE["gain"] = gain


@jax.jit
def view(x):
    return x * RADIUS  # JAX108 possible


@jax.jit
def scaled(x):
    return x * SCALE["gain"]  # JAX108 possible

# --- a step that computes with the old value, and setters that keep a part of it
# file: fit.py
import jax
import jax.numpy as jnp

WEIGHTS = {"w": jnp.ones(2)}
RATE = 1.0
SCALE = {"gain": 1.0, "bias": 0.0}


def fit(x):
    global WEIGHTS
    WEIGHTS = {"w": WEIGHTS["w"] - 0.1 * x}


def cool():
    global RATE
    RATE *= 0.5


def configure(**options):
    global SCALE
    SCALE = {**SCALE, **options}


@jax.jit
def predict(x):
    return x @ WEIGHTS["w"]  # JAX108 likely


@jax.jit
def step(x):
    return x * RATE  # JAX108 likely


@jax.jit
def scaled(x):
    return x * SCALE["gain"]  # JAX108 possible

# --- a setter that another module calls between two calls
# file: fluid/__init__.py
# file: fluid/solver.py
import jax

VISCOSITY = 1e-3
DRAG = 0.1
GRAVITY = 9.8


def set_viscosity(viscosity):
    global VISCOSITY
    VISCOSITY = viscosity


def set_drag(drag):
    global DRAG
    DRAG = drag


def set_gravity(gravity):
    global GRAVITY
    GRAVITY = gravity


@jax.jit
def advance(w):
    return w / (1 + VISCOSITY)  # JAX108 likely


@jax.jit
def slow(w):
    return w * DRAG  # JAX108 possible


@jax.jit
def fall(w):
    return w - GRAVITY  # JAX108 possible

# file: fluid/sweep.py
from fluid import solver
from fluid.solver import advance, set_viscosity


def sweep(w, viscosities):
    found = []
    for viscosity in viscosities:
        set_viscosity(viscosity)
        found.append(advance(w))
    return found


def on_the_moon(w):
    solver.set_gravity(1.6)
    return solver.fall(solver.fall(w))


def the_same_each_time(w, n):
    for _ in range(n):
        solver.set_drag(0.2)
        w = solver.slow(w)
    return w

# --- a setter that the program calls, and one that runs the function
# file: anneal.py
import jax

RATE = 1.0
HEAT = 1.0


def set_rate(rate):
    global RATE
    RATE = rate


def set_heat(heat):
    global HEAT
    before = warm(1.0)
    HEAT = heat
    return before, warm(1.0)


@jax.jit
def step(x):
    return x * RATE  # JAX108 likely


@jax.jit
def warm(x):
    return x * HEAT  # JAX108 likely


def train(x, n):
    for i in range(n):
        x = step(x)
        set_rate(1.0 / (i + 1))
    return x

# --- variables of the environment that are set below what imports jax
# file: models.py
import jax.numpy as jnp

def predict(x):
    return jnp.tanh(x)

# file: train.py
import os

from models import predict

os.environ["JAX_PLATFORMS"] = "cpu"  # JAX310 likely
os.putenv("JAX_ENABLE_X64", "1")  # JAX310 likely
print(predict(1.0))

# file: early.py
import os

os.environ["JAX_PLATFORMS"] = "cpu"

from models import predict

print(predict(1.0))

# file: beside.py
import os

from jax import config as settings
import jax.numpy as jnp

def configure():
    os.environ["JAX_ENABLE_X64"] = "1"
    settings.update("jax_enable_x64", True)

# file: both.py
import os

def start():
    import jax

    os.environ["JAX_DEBUG_NANS"] = "1"
    jax.config.update("jax_debug_nans", True)

from models import predict

# file: named.py
import argparse
import os

import jax

def configure(parser, settings):
    parser.add_argument("jax_debug_nans")
    settings.update("jax_debug_nans", True)
    os.environ["JAX_DEBUG_NANS"] = "1"  # JAX310 likely

# file: launch.py
import os
import subprocess

from models import predict

os.environ["JAX_PLATFORMS"] = "cpu"  # JAX310 possible
subprocess.run(["python", "train.py"])

# --- arrays that are there when their width is set
import jax
import jax.numpy as jnp

GRID = jnp.linspace(0.0, 1.0, 11)
NAMES = {"grid": 1}

if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)  # JAX310 likely
    print(GRID)

# --- width that is set to what the command line says, or back
import sys

import jax
import jax.numpy as jnp

GRID = jnp.linspace(0.0, 1.0, 11)

def main():
    jax.config.update("jax_enable_x64", len(sys.argv) > 1)
    jax.config.update("jax_enable_x64", False)
    print(GRID)

# --- a variable of the module is made an array when the environment is set
import os

import jax
import jax.numpy as jnp

def read():
    return {"n": 3}

grid = read()

def setup():
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

setup()
grid = jnp.ones(3)

# --- an array of the module is made before the environment is set
import os

import jax
import jax.numpy as jnp

grid = jnp.ones(3)

def setup():
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"  # JAX310 likely

setup()

# --- a function of another module sets the environment, after an array was made and before
# file: early.py
import os

def set_early():
    os.environ["XLA_FLAGS"] = "--xla_dump_to=/tmp/dump"
# file: late.py
import os

def set_late():
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"  # JAX310 likely
# file: program.py
import jax.numpy as jnp

from early import set_early
from late import set_late

set_early()
grid = jnp.ones(3)
set_late()

# --- a helper says by an option what a variable says too late
# file: program.py
import os

import jax

def debug():
    jax.config.update("jax_debug_nans", False)

def silent():
    jax.config.update("jax_log_compiles", False)

def main():
    os.environ["JAX_DEBUG_NANS"] = "0"
    os.environ["JAX_LOG_COMPILES"] = "0"  # JAX310 likely
    debug()

# --- 64 bits from a cell on, below which nothing of before is used
# file: demo.ipynb
# %%
import jax
import jax.numpy as jnp

x = jnp.arange(3.0)
print(x.dtype)
# %%
jax.config.update("jax_enable_x64", True)
x = jnp.arange(3.0)
print(x.dtype)

# --- 64 bits from a cell on, below which an array of before is used
# file: demo.ipynb
# %%
import jax
import jax.numpy as jnp

x = jnp.arange(3.0)
y = jnp.ones(3)
# %%
jax.config.update("jax_enable_x64", True)  # JAX310 likely
# %%
print(x + jnp.arange(3.0))

# --- a docstring that names another generator
# file: keys.py
import jax


def both(key):
    """`unsafe_rbg` is not used here."""
    first, second = jax.random.split(key)
    return second, jax.random.fold_in(key, 1)  # JAX404 likely

# --- the settings of a run, whose number is the seed
# file: runs.py
import pickle

import jax

KINDS = ["post", "pre"]


def init(key, kind):
    return {"w": jax.random.normal(key, (3,)), "kind": kind}


def train(state, data):
    return state, [0.0]


def runs(n, data):
    results = []
    for run in range(n):
        key = jax.random.PRNGKey(run)
        for kind in KINDS:
            state = init(key, kind)  # JAX403 possible
            print(kind, len(state))
            state, losses = train(state, data)
            results.append({"kind": kind, "losses": losses})
            with open(kind, "wb") as file:
                pickle.dump(state, file)
    return results


def batches(n, data):
    out = []
    for epoch in range(n):
        key = jax.random.PRNGKey(epoch)
        for batch in data:
            noise = init(key, batch)  # JAX403 certain
            out.append(train(noise, batch))
    return out


def one_seed(data):
    key = jax.random.PRNGKey(0)
    for kind in KINDS:
        state = init(key, kind)  # JAX403 possible
        print(train(state, data))


def seed_of_the_same_loop(n, data):
    key = jax.random.PRNGKey(n)
    for run in range(n):
        for kind in KINDS:
            state = init(key, kind)  # JAX403 certain
            print(run, train(state, data))


def kept_side_by_side(n):
    params = {}
    for run in range(n):
        key = jax.random.PRNGKey(run)
        for kind in ("encoder", "decoder"):
            params[kind] = init(key, kind)  # JAX403 certain
    return params


def kept_in_a_list(n):
    params = []
    for run in range(n):
        key = jax.random.PRNGKey(run)
        for kind in ("encoder", "decoder"):
            layer = init(key, kind)  # JAX403 certain
            params.append(layer)
    return params


def gone_on_with(n, x):
    for run in range(n):
        key = jax.random.PRNGKey(run)
        for kind in ("encoder", "decoder"):
            layer = init(key, kind)  # JAX403 certain
            y, _ = train(layer, x)
            x = y
    return x


def added_up(n, x):
    for run in range(n):
        key = jax.random.PRNGKey(run)
        for kind in ("encoder", "decoder"):
            layer = init(key, kind)  # JAX403 certain
            x = x + layer["w"]
    return x


def drawn_right_there(n):
    for run in range(n):
        key = jax.random.PRNGKey(run)
        for kind in KINDS:
            noise = jax.random.normal(key, (len(kind),))  # JAX403 certain
            print(kind, noise)


def without_the_setting(n, data):
    for run in range(n):
        key = jax.random.PRNGKey(run)
        for kind in KINDS:
            state = init(key, "post")  # JAX403 certain
            print(kind, train(state, data))


def the_last_is_used(n, data):
    for run in range(n):
        key = jax.random.PRNGKey(run)
        for kind in KINDS:
            state = init(key, kind)  # JAX403 certain
            print(train(state, data))
        print(state)

# --- parameters of a static object, of which nobody knows that others are in their place
from functools import partial

import jax

class Agent:
    def __init__(self, net, params, update):
        self.net = net
        self.params = params
        self.update = update

    @partial(jax.jit, static_argnums=0)
    def act(self, x):
        return self.net.apply(self.params, x)  # JAX108 possible

    def train(self, xs):
        for x in xs:
            y = self.act(x)
            self.params = self.update(self.params, y)

# --- parameters of a static object that stay, or that the compiled function is given
from functools import partial

import jax

class Agent:
    def __init__(self, net, params, update):
        self.net = net
        self.params = params
        self.target = params
        self.update = update

    @partial(jax.jit, static_argnums=0)
    def act(self, params, x):
        return self.net.apply(params, x) - self.net.apply(self.target, x)

    def train(self, xs):
        for x in xs:
            y = self.act(self.params, x)
            self.params = self.update(self.params, y)

class Follower(Agent):
    def train(self, xs):
        super().train(xs)
        self.target = self.params

    @partial(jax.jit, static_argnums=0)
    def follow(self, x):
        return self.net.apply(self.target, x)  # JAX108 possible

# --- 64 bits in a script that has nothing to do with another one
# file: frames.py
import jax.numpy as jnp

WEIGHTS = jnp.array([1.0, 2.0], dtype=jnp.float64)  # JAX309 likely


def far(frame):
    return frame.astype(jnp.uint8) + jnp.array(2**40)  # JAX315 certain
# file: exact.py
import jax

jax.config.update("jax_enable_x64", True)

# --- 64 bits in a notebook, and in the module of settings of another script
# file: shown.py
import jax.numpy as jnp

WEIGHTS = jnp.array([1.0, 2.0], dtype=jnp.float64)  # JAX309 likely
# file: settings.py
import jax

jax.config.update("jax_enable_x64", True)
# file: exact.py
import settings

print(settings)
# file: tried.ipynb
# %%
import jax

jax.config.update("jax_enable_x64", True)

# --- 64 bits in a script that imports the module, by another one
# file: exact.py
import jax

from model import loss

jax.config.update("jax_enable_x64", True)
print(loss)
# file: model.py
from layers import WEIGHTS


def loss(x):
    return x @ WEIGHTS
# file: layers.py
import jax.numpy as jnp

WEIGHTS = jnp.array([1.0, 2.0], dtype=jnp.float64)

# --- 64 bits in a module beside the one that a script imports, too
# file: settings.py
import jax

jax.config.update("jax_enable_x64", True)
# file: layers.py
import jax.numpy as jnp

WEIGHTS = jnp.array([1.0, 2.0], dtype=jnp.float64)
# file: main.py
import settings
from layers import WEIGHTS

print(settings, WEIGHTS)

# --- 64 bits in a package, which its users import as they like, and for all tests
# file: pkg/__init__.py
# file: pkg/exact.py
import jax

jax.config.update("jax_enable_x64", True)
# file: pkg/layers.py
import jax.numpy as jnp

WEIGHTS = jnp.array([1.0, 2.0], dtype=jnp.float64)

# --- 64 bits in one test, which runs with the others
# file: test_exact.py
import jax

jax.config.update("jax_enable_x64", True)
# file: layers.py
import jax.numpy as jnp

WEIGHTS = jnp.array([1.0, 2.0], dtype=jnp.float64)

# --- 64 bits in a script that starts others, by their names
# file: main.py
import importlib
import sys

import jax

jax.config.update("jax_enable_x64", True)
importlib.import_module(sys.argv[1])
# file: layers.py
import jax.numpy as jnp

WEIGHTS = jnp.array([1.0, 2.0], dtype=jnp.float64)

# --- 64 bits in definitions that nobody imports yet
# file: exact.py
import jax


def enable():
    jax.config.update("jax_enable_x64", True)
# file: layers.py
import jax.numpy as jnp

WEIGHTS = jnp.array([1.0, 2.0], dtype=jnp.float64)

# --- 64 bits in a file that only hands on what others define
# file: enabling.py
import jax


def enable():
    jax.config.update("jax_enable_x64", True)
# file: exact.py
import jax
from enabling import enable
# file: layers.py
import jax.numpy as jnp

WEIGHTS = jnp.array([1.0, 2.0], dtype=jnp.float64)

# --- distances of unsigned arrays wrap with 64 bits, too
# file: frames.py
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


@jax.jit
def change(a, b):
    return jnp.abs(a.astype(jnp.uint8) - b.astype(jnp.uint8)).max()  # JAX315 likely
