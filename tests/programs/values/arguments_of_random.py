# What seeds, folds and samplers are given.

import jax
import jax.numpy as jnp

# --- numbers below zero are folded in
def from_the_end(key, names):
    count = len(names)
    return jax.random.fold_in(key, -count)  # JAX411

def main():
    from_the_end(jax.random.key(0), "ab")

# --- passes are folded in from the last
def back(key, n):
    return [jax.random.fold_in(key, -i - 1) for i in range(n)]  # JAX411

def main():
    back(jax.random.key(0), 3)

# --- numbers of 32 bits are made of what is below zero
def back(key, n):
    return [jax.random.fold_in(key, -i % 2**32) for i in range(n)]

def ahead(key, n):
    return [jax.random.fold_in(key, n - i) for i in range(n)]

def of_array(key, rows):
    return jax.random.fold_in(key, jnp.int32(-len(rows)))

def main():
    key = jax.random.key(0)
    back(key, 3), ahead(key, 3), of_array(key, "ab")

# --- run is shifted out of the seed
def of_run(run, seed):
    return jax.random.PRNGKey((run << 32) | seed)  # JAX410

def main():
    of_run(1, 7)

# --- run is shifted up and stays in the seed
BITS = 16

def of_run(run, seed):
    return jax.random.PRNGKey((run << BITS) + seed)

def scaled(run, seed):
    return jax.random.key(run * 1000 + seed)

def main():
    of_run(1, 7), scaled(1, 7)

# --- sampler is given sizes in place of a probability
@jax.jit
def masked(key, x):
    keep = jax.random.bernoulli(key, x.shape)  # JAX408
    return jnp.where(keep, x, 0.0)

def main():
    masked(jax.random.key(0), jnp.ones(3))

# --- sizes of which some are known in place of a probability
def masked(key, n):
    return jax.random.bernoulli(key, (n, 3))  # JAX408

def main():
    masked(jax.random.key(0), 2)

# --- parameter of a distribution is kept as its shape
class Gamma:
    def __init__(self, shape):
        self.shape = shape

def drawn(key, gamma):
    return jax.random.gamma(key, gamma.shape)

def main():
    drawn(jax.random.key(0), Gamma(2.0))

# --- samplers are asked for a size as those of NumPy
def noise():
    return jax.random.normal(jax.random.key(0), size=(2, 3))  # JAX317

def main():
    noise()

# --- samplers are asked for numbers from low to high
def numbers(key):
    return jax.random.uniform(key, (3,), low=0, high=10)  # JAX317

def main():
    numbers(jax.random.key(0))

# --- samplers are asked for a shape, those of NumPy for a size
import numpy as np

def noise(key):
    host = np.random.default_rng(0).normal(size=3)
    one, other = jax.random.split(key)
    return host, jax.random.normal(one, shape=(2, 3)), jax.random.randint(other, (3,), minval=0, maxval=10)

def main():
    noise(jax.random.key(0))[0]
