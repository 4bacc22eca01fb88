# Elements and slices of arrays of keys whose number is not known.

import jax
import jax.numpy as jnp

# --- others than those of a slice
def main(key, n=4):
    keys = jax.random.split(key, n)
    rest = keys[1:]
    first, second = jax.random.normal(keys[0]), jax.random.normal(rest[1])
    return [(first, jax.random.normal(keys[3])), (second, jax.random.normal(keys[1]))]

# --- the same one as one of a slice
def main(key, n=4):
    keys = jax.random.split(key, n)
    rest = keys[1:]
    second = jax.random.normal(rest[1])
    return [(second, jax.random.normal(keys[2]))]  # JAX401

# --- in lanes, then in a loop
def main(key, n=4):
    keys = jax.random.split(key, n)
    drawn, pairs = jax.vmap(jax.random.normal)(keys), []
    for i, one in enumerate(keys):
        pairs.append((drawn[i], jax.random.normal(one)))  # JAX401
    return pairs

# --- folded apart within a pass
def main(key, n=2, m=2):
    keys, drawn = jax.random.split(key, n), []
    for i in range(n):
        for j in range(m):
            drawn.append(jax.random.normal(jax.random.fold_in(keys[i], j)))
    return [(drawn[0], drawn[1]), (drawn[1], drawn[2])]

# --- the number of rows folded in twice
def main(key, xs=jnp.ones(4)):
    noise = jax.random.normal(jax.random.fold_in(key, xs.shape[0]), xs.shape)
    return [(noise, jax.random.normal(jax.random.fold_in(key, xs.shape[0]), xs.shape))]  # JAX401

# --- the number of rows of what changes folded in
def main(key, xs=jnp.ones(4)):
    drawn = []
    while xs.shape[0] > 1:
        drawn.append(jax.random.normal(jax.random.fold_in(key, xs.shape[0])))
        xs = xs[::2]
    return [(drawn[0], drawn[1])]

# --- side by side with fewer things than there are keys, and then the last
def main(heads=(1.0, 2.0)):
    keys = jax.random.split(jax.random.key(0), 1 + len(heads))
    drawn = [jax.random.normal(k) for head, k in zip(heads, keys)]
    return [(drawn[-1], jax.random.normal(keys[-1]))]

# --- side by side with as many things as there are keys, and then the last
def weighted(key, heads):
    keys = jax.random.split(key, len(heads))
    drawn = [jax.random.normal(k) for head, k in zip(heads, keys)]
    return [(drawn[-1], jax.random.normal(keys[-1]))]  # JAX401

def main():
    return weighted(jax.random.key(0), jax.numpy.ones(3))

# --- side by side with something else, and then the first
def main(heads=(1.0, 2.0)):
    keys = jax.random.split(jax.random.key(0), 1 + len(heads))
    drawn = [jax.random.normal(k) for head, k in zip(heads, keys)]
    return [(drawn[0], jax.random.normal(keys[0]))]  # JAX401

# --- two loops side by side with something else
def main(heads=(1.0, 2.0)):
    keys = jax.random.split(jax.random.key(0), 1 + len(heads))
    drawn = [jax.random.normal(k) for head, k in zip(heads, keys)]
    return [*zip(drawn, [jax.random.normal(k) for head, k in zip(heads, keys)])]  # JAX401

# --- a list of keys side by side with something else, and then the last
def main(heads=(1.0, 2.0)):
    keys = list(jax.random.split(jax.random.key(0), 1 + len(heads)))
    drawn = [jax.random.normal(k) for head, k in zip(heads, keys)]
    return [(drawn[-1], jax.random.normal(keys[-1]))]

# --- mapped side by side with something else, and then the last
def main(heads=(1.0, 2.0)):
    keys = jax.random.split(jax.random.key(0), 1 + len(heads))
    drawn = [*map(lambda head, k: head * jax.random.normal(k), heads, keys)]
    return [(drawn[-1], jax.random.normal(keys[-1]))]

# --- a loop that is left early, and then the last
def main(n=4):
    keys, drawn = jax.random.split(jax.random.key(0), n), []
    for k in keys:
        drawn.append(jax.random.normal(k))
        if drawn[-1] < 10:
            break
    return [(drawn[-1], jax.random.normal(keys[-1]))]

# --- a loop that is left early, and then the first
def main(n=4):
    keys, drawn = jax.random.split(jax.random.key(0), n), []
    for k in keys:
        drawn.append(jax.random.normal(k))
        if drawn[-1] < 10:
            break
    return [(drawn[0], jax.random.normal(keys[0]))]  # JAX401

# --- a loop in which another one is left early, and then the last
def main(n=4):
    keys, drawn = jax.random.split(jax.random.key(0), n), []
    for k in keys:
        drawn.append(jax.random.normal(k))
        for step in range(n):
            if step > 1:
                break
    return [(drawn[-1], jax.random.normal(keys[-1]))]  # JAX401

# --- those of the passes by their number, and then the first
def main(key, n=3):
    sizes = [2] * n
    keys = jax.random.split(key, len(sizes))
    drawn = [jax.random.normal(keys[i], (a, b)) for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:]))]
    return [(drawn[0], jax.random.normal(keys[0], (2, 2)))]  # JAX401

# --- those of the passes by their number, of more keys than there are passes, and then the first
def main(key, n=3):
    keys, drawn = jax.random.split(key, n + 1), []
    for i in range(n):
        drawn.append(jax.random.normal(keys[i]))
    return [(drawn[0], jax.random.normal(keys[0]))]  # JAX401

# --- those of the passes by their number, of more keys than there are passes, and then the last
def main(key, n=3):
    keys, drawn = jax.random.split(key, n + 1), []
    for i in range(n):
        drawn.append(jax.random.normal(keys[i]))
    return [(drawn[0], jax.random.normal(keys[-1]))]

# --- the first, and those of the passes from the second on
def main(key, n=3):
    keys = jax.random.split(key, n + 1)
    drawn = [jax.random.normal(keys[i + 1]) for i, size in enumerate([2] * n)]
    return [(jax.random.normal(keys[0]), drawn[0])]

# --- the first, and those of passes that are counted from 1
def main(key, n=3):
    keys = jax.random.split(key, n + 1)
    drawn = [jax.random.normal(keys[i], (size,)) for i, size in enumerate([2] * n, 1)]
    return [(jax.random.normal(keys[0], (2,)), drawn[0])]

# --- the first, and of the passes all but the first
def main(key, n=3):
    keys, drawn = jax.random.split(key, n + 1), []
    for i in range(n):
        if i > 0:
            drawn.append(jax.random.normal(keys[i]))
    return [(drawn[0], jax.random.normal(keys[0]))]
