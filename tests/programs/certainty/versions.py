# What a version of jax decides: removed names, and defaults that a newer Python refuses.

# --- packages whose pins leave only a jax that has the name
# file: requirements.txt
dm-haiku==0.0.4
numpy~=1.19.2
# file: a.py
import jax


def double(tree):
    return jax.tree_map(lambda x: 2 * x, tree)  # JAX802 possible

# --- a compatible release, whose series ends before the name does
# file: requirements.txt
jax~=0.2.9
# file: a.py
import jax


def double(tree):
    return jax.tree_map(lambda x: 2 * x, tree)

# --- a compatible release whose series goes on beyond the name
# file: requirements.txt
jax~=0.4
# file: a.py
import jax


def double(tree):
    return jax.tree_map(lambda x: 2 * x, tree)  # JAX801 certain

# --- the same packages without pins
# file: requirements.txt
dm-haiku
numpy
# file: a.py
import jax


def double(tree):
    return jax.tree_map(lambda x: 2 * x, tree)  # JAX801 certain

# --- a notebook that installs what it needs
# file: requirements.txt
dm-haiku==0.0.4
numpy~=1.19.2
# file: a.ipynb
# %%
!pip install dm-haiku
# %%
import jax


def double(tree):
    return jax.tree_map(lambda x: 2 * x, tree)  # JAX801 certain

# --- a notebook that installs other things
# file: requirements.txt
dm-haiku==0.0.4
numpy~=1.19.2
# file: a.ipynb
# %%
!pip install einops
# %%
import jax


def double(tree):
    return jax.tree_map(lambda x: 2 * x, tree)  # JAX802 possible

# --- a file that imports a package which is gone
# file: pyproject.toml
# file: fem/__init__.py
# file: fem/solver.py
import numpy as np


def solve(a, b):
    return np.linalg.solve(a, b)
# file: old/demo.py
from fem.elements.linear import Bar
from fem.solver import solve

import jax


def double(tree):
    return jax.tree_map(lambda x: 2 * x, tree)  # JAX801 possible

# --- a file that imports two modules which are gone
# file: pyproject.toml
# file: fem/__init__.py
# file: fem/solver.py
import numpy as np


def solve(a, b):
    return np.linalg.solve(a, b)
# file: old/demo.py
from fem.core import Bar
import fem.mesh

import jax


def double(tree):
    return jax.tree_map(lambda x: 2 * x, tree)  # JAX801 possible

# --- a file that imports one module which may be generated
# file: pyproject.toml
# file: fem/__init__.py
# file: fem/solver.py
import numpy as np


def solve(a, b):
    return np.linalg.solve(a, b)
# file: demo.py
from fem.version import __version__
from fem.solver import solve

import jax


def double(tree):
    return jax.tree_map(lambda x: 2 * x, tree)  # JAX801 certain

# --- a file that imports what was compiled
# file: pyproject.toml
# file: fem/__init__.py
# file: fem/mesh.cpython-311-x86_64-linux-gnu.so
# file: fem/data/readme.txt
# file: demo.py
from fem.mesh import grid
from fem.data import rows

import jax


def double(tree):
    return jax.tree_map(lambda x: 2 * x, tree)  # JAX801 certain

# --- a file that gets along without what is gone
# file: pyproject.toml
# file: fem/__init__.py
# file: demo.py
try:
    import fem.gpu.core
except ImportError:
    pass

import jax


def double(tree):
    return jax.tree_map(lambda x: 2 * x, tree)  # JAX801 certain

# --- a file that imports other packages
# file: pyproject.toml
# file: demo.py
import flax.linen.gone
import elsewhere.deep.down

import jax


def double(tree):
    return jax.tree_map(lambda x: 2 * x, tree)  # JAX801 certain

# --- a jax that a Python takes which accepts arrays as defaults
# file: requirements.txt
jax<0.4
# file: a.py
import flax
import jax
import jax.numpy as jnp


@flax.struct.dataclass
class Metrics:
    loss: jax.Array = jnp.array(0.0)  # JAX116 possible

# --- a jax for newer Pythons too
# file: requirements.txt
jax>=0.3,<0.5
# file: a.py
import flax
import jax
import jax.numpy as jnp


@flax.struct.dataclass
class Metrics:
    loss: jax.Array = jnp.array(0.0)  # JAX116 certain

# --- a flax that keeps only what is in Variables
# file: requirements.txt
jax>=0.7
# file: a.py
import jax.numpy as jnp
from flax import nnx


class Mean(nnx.Module):
    def __init__(self):
        self.weight = nnx.Param(jnp.ones(2))


@nnx.jit
def reset(smoother):
    smoother.offset = jnp.zeros(2)  # JAX114 certain
    return smoother.weight.sum()

# --- a flax that keeps plain arrays as well
# file: requirements.txt
flax==0.10.6
jax==0.6.0
# file: a.py
import jax.numpy as jnp
from flax import nnx


class Mean(nnx.Module):
    def __init__(self):
        self.weight = nnx.Param(jnp.ones(2))


@nnx.jit
def reset(smoother):
    smoother.offset = jnp.zeros(2)
    return smoother.weight.sum()

# --- memory that nobody has set
# file: requirements.txt
jax>=0.10
# file: a.py
import jax.numpy as jnp


def histogram(indices, weights, n):
    return jnp.empty(n).at[indices].add(weights)  # JAX320 likely

# --- a jax whose empty arrays are zeros
# file: requirements.txt
jax>=0.4.30,<0.11
# file: a.py
import jax.numpy as jnp


def histogram(indices, weights, n):
    return jnp.empty(n).at[indices].add(weights)  # JAX320 possible

# --- an empty array that another function is given for its shape
import jax.numpy as jnp


def layer(x):
    x = x + 1.0
    return x.shape


def output_shape(n):
    return layer(jnp.empty((n, 3)))

# --- a program that ends where the version does not fit
# file: requirements.txt
jax>=0.4.20
# file: a.py
import sys

import jax

if not hasattr(jax, "tree_map"):
    print("needs an older jax")
    sys.exit(1)

print(jax.tree_map(lambda x: 2 * x, [1]))
# file: b.py
import sys

import jax

if not hasattr(jax, "tree_map"):
    print("needs an older jax")
    sys.exc_info()

print(jax.tree_map(lambda x: 2 * x, [1]))  # JAX801 certain
