# Draws on conditions that a function, a property or a flag tells of.

import jax
import jax.numpy as jnp

# --- draws on what a property and a method tell of one attribute
class Policy:
    def __init__(self, kind):
        self.kind = kind

    @property
    def samples(self):
        return self.kind == "thompson"

    def is_soft(self):
        return self.kind in ("softmax", "boltzmann")

def choose(policy: Policy, key):
    score = jnp.zeros(3)
    if policy.samples:
        score = jax.random.normal(key, (3,))
    if policy.is_soft():
        return jax.random.categorical(key, score)
    return score.argmax()

def main(key):
    first, second = jax.random.split(key)
    return choose(Policy("thompson"), first), choose(Policy("softmax"), second)

# --- draws on what two properties tell of two attributes
class Policy:
    def __init__(self, kind, noisy):
        self.kind = kind
        self.noisy = noisy

    @property
    def samples(self):
        return self.kind == "thompson"

    def is_noisy(self):
        return self.noisy == "yes"

def choose(policy: Policy, key):
    score = jnp.zeros(3)
    if policy.samples:
        score = jax.random.normal(key, (3,))
    if policy.is_noisy():
        return jax.random.categorical(key, score)  # JAX401
    return score.argmax()

def main(key):
    return choose(Policy("thompson", "yes"), key)

# --- draws on what a function tells of its argument
def draws_here(mode):
    return mode in ("here", "both")

def draws_there(mode):
    return not draws_here(mode)

def main(key, mode="there"):
    total = jnp.zeros(())
    if draws_here(mode):
        total += jax.random.normal(key)
    if draws_there(mode):
        total += jax.random.uniform(key)
    return total

# --- draws where a flag says that there was none
def main(key, xs=(1.0, 2.0), limit=2):
    drawn = False
    total = jnp.zeros(())
    if len(xs) > limit:
        total += jax.random.normal(key)
        drawn = True
    if not drawn:
        total += jax.random.uniform(key)
    return total

# --- draws where a flag says that there was one
def main(key, xs=(1.0, 2.0, 3.0), limit=2):
    drawn = False
    total = jnp.zeros(())
    if len(xs) > limit:
        total += jax.random.normal(key)
        drawn = True
    if drawn:
        total += jax.random.uniform(key)  # JAX401
    return total

# --- draws where what is given back says that there was none
def tried(key, limit):
    if limit > 2:
        return jax.random.normal(key), True
    return jnp.zeros(()), False

def main(key, limit=1):
    value, drawn = tried(key, limit)
    if not drawn:
        value = jax.random.uniform(key)
    return value

# --- draws where what is given back says that there was one
def tried(key, limit):
    if limit > 2:
        return jax.random.normal(key), True
    return jnp.zeros(()), False

def main(key, limit=3):
    value, drawn = tried(key, limit)
    if drawn:
        value = jax.random.uniform(key)  # JAX401
    return value
