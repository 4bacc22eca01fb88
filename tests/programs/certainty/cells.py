# In cells of a script or a notebook, each of which shows something of its own.

# --- a function that cannot be looked into is tried out
# file: demo.py
# %%
import jax
from elsewhere import reset, step

key = jax.random.key(0)
state = reset(key)
for _ in range(3):
    key, sub = jax.random.split(key)  # JAX402 possible
    state = step(state, sub)


# %%
def rollout(key):
    state = reset(key)
    sub = jax.random.split(key)[1]  # JAX402 possible
    return step(state, sub)

# --- each cell shows something of its own
# file: demo.py
# %%
import jax

key = jax.random.key(0)

# %%
first = jax.random.normal(key, (3,))
print(first.mean())
print(jax.random.uniform(key))  # JAX401 certain

# %%
second = jax.random.normal(key, (5,))  # JAX401 possible
print(second.std())

# --- the same in a notebook
# file: demo.ipynb
# %%
import jax

key = jax.random.key(0)

# %%
first = jax.random.normal(key, (3,))
print(first.mean())
print(jax.random.uniform(key))  # JAX401 certain

# %%
second = jax.random.normal(key, (5,))  # JAX401 possible
print(second.std())

# --- the same without cells
# file: demo.py
#
import jax

key = jax.random.key(0)

#
first = jax.random.normal(key, (3,))
print(first.mean())
print(jax.random.uniform(key))  # JAX401 certain

#
second = jax.random.normal(key, (5,))
print(second.std())

# --- a cell after the key was split
# file: demo.py
import jax

# %%
key = jax.random.key(0)
left, right = jax.random.split(key)
print(jax.random.normal(left), jax.random.normal(right))
# %%
noise = jax.random.normal(key)  # JAX401 possible

# --- the key that was made for the cell is used nowhere
# file: demo.py
import jax

# %%
key = jax.random.key(0)
data_key, noise_key = jax.random.split(key)
x = jax.random.normal(data_key)
# %%
y = x + jax.random.normal(key)  # JAX401 certain

# --- the new key drawn from in place of its sibling
# file: demo.py
import jax

# %%
key = jax.random.key(0)
key, sub = jax.random.split(key)
x = jax.random.normal(key)
# %%
key, sub = jax.random.split(key)  # JAX401 certain
y = jax.random.normal(sub)

# --- one module in several cells, and a key that goes on
# file: demo.ipynb
# %%
import jax


def init(key):
    first, second = jax.random.split(key)
    return jax.random.normal(first), jax.random.normal(second)


def train(params, key):
    return params[0] + jax.random.normal(key), params[1]


# %%
key = jax.random.key(0)
key, init_key = jax.random.split(key)
probe = init(init_key)
print(len(probe))
# %%
key, train_key = jax.random.split(key)
print(train(init(init_key), train_key))  # JAX401 possible
# %%
key, train_key = jax.random.split(key)
noise = jax.random.normal(train_key)
print(noise + jax.random.normal(train_key))  # JAX401 certain
# %%
key, unused_key = jax.random.split(key)
print(jax.random.normal(unused_key))
# %%
other_key, unused_key = jax.random.split(key)
print(jax.random.normal(key))  # JAX401 certain

# --- functions of a notebook are functions
# file: demo.py
import jax

# %%
def pair(key):
    first = jax.random.normal(key)
    # %%
    return first, jax.random.uniform(key)  # JAX401 certain

# --- one cell, several settings
# file: demo.py
import jax

# %%
def walk(key, size):
    return jax.random.normal(key, (100,)).cumsum() * size

# %%
key = jax.random.key(0)
small = walk(key, 0.1)
large = walk(key, 10.0)  # JAX401 possible
# %%
once = walk(key, 0.1)  # JAX401 possible
again = walk(key, 0.1)  # JAX401 certain

# --- a cell jits a function and calls the plain one
# file: demo.ipynb
# %%
import jax

def powers(x, n):
    total = x
    for k in range(n):
        total = total + x**k
    return total

# %%
on_cpu = jax.jit(powers)
powers(2.0, 3)

# --- a cell jits a function and a later one calls that
# file: demo.ipynb
# %%
import jax

def powers(x, n):
    total = x
    for k in range(n):  # JAX204 certain
        total = total + x**k
    return total

# %%
on_cpu = jax.jit(powers)
# %%
on_cpu(2.0, 3)

# --- a notebook's own function is called by its cells and by nobody else: what they never pass does not count
# file: demo.ipynb
# %%
import jax


def train(key, noise=None):
    first = jax.random.normal(key, (3,))
    if noise is not None:
        first = first + jax.random.uniform(key, (3,))
    return first


def noisy(key, noise=None):
    first = jax.random.normal(key, (3,))
    if noise is not None:
        first = first + jax.random.uniform(key, (3,))  # JAX401 certain
    return first


def helper(key, noise=None):
    first = jax.random.normal(key, (3,))
    return first if noise is None else first + jax.random.uniform(key, (3,))


def left_over(key, noise=None):
    first = helper(key)
    if noise is not None:
        first = first + jax.random.uniform(key, (3,))  # JAX401 certain
    return first


def switched_off(key, noise=None):
    first = jax.random.normal(key, (3,))
    if noise is not None:
        first = first + jax.random.uniform(key, (3,))  # JAX401 certain
    return first


TRAIN = False

# %%
train(jax.random.key(0))
noisy(jax.random.key(1), 0.1)
helper(jax.random.key(2))
if TRAIN:
    switched_off(jax.random.key(3))

# --- nor does a module keep callers from it that cannot be seen
# file: demo.py
#
import jax


def train(key, noise=None):
    first = jax.random.normal(key, (3,))
    if noise is not None:
        first = first + jax.random.uniform(key, (3,))  # JAX401 certain
    return first


train(jax.random.key(0))
