# Objects that a loop goes through, with a key of their own.

import jax
import jax.numpy as jnp

# --- a loader that shuffles alike in each epoch
class Loader:
    def __init__(self, key):
        self.key = key

    def __iter__(self):
        yield from jax.random.permutation(self.key, 4)

def main():
    epochs = []
    loader = Loader(jax.random.key(0))
    for epoch in range(2):
        epochs.append(jnp.stack([row for row in loader]))  # JAX403
    return [tuple(epochs)]

# --- a loader that takes another key for each epoch
class Loader:
    def __init__(self, key):
        self.key = key

    def __iter__(self):
        self.key, key = jax.random.split(self.key)
        yield from jax.random.permutation(key, 4)

def main():
    epochs = []
    loader = Loader(jax.random.key(0))
    for epoch in range(2):
        epochs.append(jnp.stack([row for row in loader]))
    return [tuple(epochs)]

# --- noise without end
class Noise:
    def __init__(self, key, advances):
        self.key, self.advances = key, advances

    def __iter__(self):
        return self

    def __next__(self):
        key = self.key
        if self.advances:
            self.key, key = jax.random.split(key)
        return jax.random.normal(key)

def main():
    noise = Noise(jax.random.key(0), True)
    return [(next(noise), next(noise))]

# --- a generator that has drawn from each key that it gives
def stream(key):
    while True:
        key, sub = jax.random.split(key)
        yield sub, jax.random.normal(sub)

def main():
    pairs = []
    for key, x in stream(jax.random.key(0)):
        pairs.append((x, jax.random.normal(key)))  # JAX401
        if len(pairs) > 2:
            break
    return pairs

# --- a generator that leaves the keys that it gives alone
def stream(key):
    while True:
        key, sub, noise = jax.random.split(key, 3)
        yield sub, jax.random.normal(noise)

def main():
    pairs = []
    for key, x in stream(jax.random.key(0)):
        pairs.append((x, jax.random.normal(key)))
        if len(pairs) > 2:
            break
    return pairs
