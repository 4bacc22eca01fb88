# What a starred target gets of an array of keys: a list, each of whose parts is a key.

import jax

# --- a tree of as many leaves as there are keys
def main(key, scales=(1.0, 2.0, 3.0)):
    _, *keys = jax.random.split(key, len(scales) + 1)
    return jax.tree.map(lambda k, scale: scale * jax.random.normal(k), keys, list(scales))

# --- a tree of a known number of leaves
def main(key):
    _, *keys = jax.random.split(key, 4)
    return jax.tree.map(jax.random.normal, keys)

# --- two halves of the list
def main(key, data=(1.0, 2.0), n=2):
    _, *keys = jax.random.split(key, 2 * n + 1)
    first = jax.tree.map(lambda k, x: x * jax.random.normal(k), keys[:n], list(data))
    return first, jax.tree.map(lambda k, x: x * jax.random.normal(k), keys[n:], list(data))

# --- the key beside the list
def main(key, n=3):
    *actors, key = jax.random.split(key, n + 1)
    drawn = [jax.random.normal(actor) for actor in actors]
    evaluator, key = jax.random.split(key)
    return drawn, jax.random.normal(evaluator), key

# --- what stands between the first and the last
def main(key, n=4):
    first, *keys, last = jax.random.split(key, n)
    return jax.random.normal(first), [jax.random.normal(k) for k in keys], jax.random.normal(last)

# --- one of the list twice
def main(key, n=4):
    _, *keys = jax.random.split(key, n)
    return jax.random.normal(keys[0]), jax.random.normal(keys[0])  # JAX401

# --- all of the list twice
def main(key, n=4):
    _, *keys = jax.random.split(key, n)
    first = [jax.random.normal(k) for k in keys]
    return first, [jax.random.normal(k) for k in keys]  # JAX401

# --- the list, then the key of all of them
def main(key, n=4):
    _, *keys = jax.random.split(key, n)
    return [jax.random.normal(k) for k in keys], jax.random.normal(key)  # JAX401

# --- one of the list for all leaves
def main(key, tree=(1.0, 2.0)):
    _, *keys = jax.random.split(key, 3)
    return jax.tree.map(lambda leaf: leaf * jax.random.normal(keys[0]), tree)  # JAX403
