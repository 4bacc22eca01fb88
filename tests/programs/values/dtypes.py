# Dtypes that arrays are asked for, through whatever brings them there.

import jax
import jax.numpy as jnp
import numpy as np

# --- a dtype of 64 bits as the default of a helper that is called without one
def grid(n, dtype=np.float64):
    return jnp.arange(n, dtype=dtype)  # JAX309

def main():
    return grid(4)

# --- a dtype of 64 bits as a default that the caller replaces
def grid(n, dtype=np.float64):
    return jnp.arange(n, dtype=dtype)

def main():
    return grid(4, np.float32)

# --- a dtype of 64 bits that an object keeps
class Grid:
    def __init__(self, dtype):
        self.dtype = dtype

    def points(self):
        return jnp.ones(3, self.dtype)  # JAX309

def main():
    return Grid(jnp.complex128).points()

# --- a dtype of 64 bits in a partial
import functools

zeros = functools.partial(jnp.zeros, dtype="f8")

def main():
    return zeros(3)  # JAX309

# --- leaves of a tree that are converted to 64 bits
def main():
    return jax.tree.map(lambda leaf: leaf.astype(jnp.float64), {"w": jnp.ones(3)})  # JAX309

# --- a dtype of 64 bits where a name of the dtype has been asked for
def convert(x, name):
    if name == "float64":
        return jnp.asarray(x, jnp.float64)
    return jnp.asarray(x, jnp.float32)

def main():
    return convert(1.0, "float32")

# --- a NumPy array of 64 bits that only NumPy sees
def main():
    x = np.ones(3).astype(np.float64) * np.asarray(jnp.ones(3), dtype=np.float64)
    return x.astype("int64")

# --- the setting by a variable of its name
FLAGS = {"jax_enable_x64": False}
for name, value in FLAGS.items():
    jax.config.update(name, value)

def main():
    return jnp.zeros(3, jnp.float64)

# --- the setting switched off
jax.config.update("jax_enable_x64", False)

def main():
    return jnp.zeros(3, jnp.float64)  # JAX309

# --- layers of a library
import flax.linen as nn

class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2, param_dtype=jnp.float64)(x)  # JAX309

def main():
    return Model().init(jax.random.key(0), jnp.ones(3))

# --- arrays that are joined or summed into one of the dtype that is asked for
def main():
    image = jnp.zeros((3, 2), jnp.uint8)
    parts = [jnp.zeros(2), jnp.ones(2), jnp.ones(2)]
    image = image.at[:].set(jnp.stack(parts, dtype=jnp.uint8))
    image = image.at[0].set(jnp.sum(jnp.ones((3, 2)), axis=0, dtype=jnp.uint8))
    return image.at[:].set(jnp.cumsum(jnp.ones((3, 2)), axis=0, dtype=jnp.uint8))

# --- a carry of half the width that is combined with floats of full width, whatever the steps are
def cell(weights, state, x):
    hidden, memory = state
    memory = jnp.tanh(x + hidden @ weights) * memory
    return (jnp.tanh(memory), memory), hidden

def start(size, dtype=jnp.float32):
    return jnp.zeros(size, dtype), jnp.zeros(size, dtype)

def run(weights, xs):
    return jax.lax.scan(lambda state, x: cell(weights, state, x), start(3, jnp.float16), xs)  # JAX702

def main():
    return run(jnp.ones((3, 3)), jnp.ones((2, 3)))

# --- a carry of full width, of half with numbers of Python, and one that is brought back
def run(xs):
    weights = jnp.ones((3, 3))
    total, _ = jax.lax.scan(lambda total, x: (total + x @ weights, None), jnp.zeros(3), xs)
    half, _ = jax.lax.scan(lambda half, x: (half * 0.5 + 1, None), jnp.zeros(3, jnp.bfloat16), xs)
    back, _ = jax.lax.scan(lambda back, x: ((back + x).astype(back.dtype), None), jnp.zeros(3, jnp.float16), xs)
    return total, half, back

def main():
    return run(jnp.ones((2, 3)))

# --- a number of NumPy comes as a default, in an object, or from a helper
def rate():
    return np.float32(0.1)

def stepped(p, g, lr=np.float32(0.1)):
    return p - lr * g  # JAX319

class Optimizer:
    def __init__(self, lr):
        self.lr = np.sqrt(lr)

    def step(self, p, g):
        return p - self.lr * g  # JAX319

def scaled(p):
    return p * rate()  # JAX319

def main(n=3):
    p = jnp.ones(n, jnp.bfloat16)
    made = stepped(p, p), Optimizer(0.1).step(p, p), scaled(p)
    assert {str(one.dtype) for one in made} == {"float32"}

# --- a number of Python comes as a default, in an object, or from a helper
def rate():
    return float(np.float32(0.1))

def stepped(p, g, lr=0.1):
    return p - lr * g

class Optimizer:
    def __init__(self, lr):
        self.lr = float(np.sqrt(lr))

    def step(self, p, g):
        return p - self.lr * g

def scaled(p):
    return p * rate()

def main(n=3):
    p = jnp.ones(n, jnp.bfloat16)
    made = stepped(p, p), Optimizer(0.1).step(p, p), scaled(p)
    assert {str(one.dtype) for one in made} == {"bfloat16"}

# --- a carry of half the width meets floats that say theirs, and whole numbers meet wider ones
def run(xs):
    full = jnp.ones(3, jnp.float32)
    return jax.lax.scan(lambda total, x: (total + full, None), jnp.zeros(3, jnp.float16), xs)  # JAX702

def count(xs):
    return jax.lax.scan(lambda n, x: (n + jnp.int32(1), None), jnp.zeros((), jnp.int8), xs)  # JAX702

def main():
    return run(jnp.ones(4)), count(jnp.ones(4))

# --- a carry of full width meets floats of half, and whole numbers meet narrower ones
def run(xs):
    def body(total, x):
        return total + jnp.ones(3, jnp.float16), None

    return jax.lax.scan(body, jnp.zeros(3, jnp.float32), xs)

def count(xs):
    return jax.lax.scan(lambda n, x: (n + jnp.int8(1), None), jnp.zeros((), jnp.int32), xs)

def main():
    return run(jnp.ones(4)), count(jnp.ones(4))

# --- distances of unsigned arrays, whose differences wrap
def main():
    a, b = jnp.asarray([1], jnp.uint8), jnp.asarray([2], jnp.uint8)
    distance = jnp.abs(a - b)  # JAX315
    squared = (a - 128) ** 2  # JAX315
    assert int(distance[0]) == 255 and int(squared[0]) == 1

# --- distances of arrays that were widened, or of differences that are only taken
def main():
    a, b = jnp.asarray([1], jnp.uint8), jnp.asarray([2], jnp.uint8)
    wide, other = a.astype(jnp.int32), b.astype(jnp.int32)
    assert jnp.abs(wide - other)[0] == 1 and ((wide - 128) ** 2)[0] == 127**2
    assert jnp.abs(a.astype(float) - b)[0] == 1 and jnp.abs(b)[0] == 2
    return b - a
