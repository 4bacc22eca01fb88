# Folds of numbers, and keys, that stand in lists of which nobody knows how long they are.

import jax

# --- the numbers backwards
def main(key):
    drawn = []
    for step in list(range(len(jax.devices()) + 1))[::-1]:
        drawn.append(jax.random.normal(jax.random.fold_in(key, step)))
    return [tuple(drawn[:2])]

# --- each number twice
def main(key):
    pairs = []
    for step in list(range(len(jax.devices()) + 1))[::-1]:
        first = jax.random.normal(jax.random.fold_in(key, step))
        pairs.append((first, jax.random.normal(jax.random.fold_in(key, step))))  # JAX401
    return pairs

# --- the length of the list in each pass
def main(key):
    drawn, count = [], len(jax.devices()) + 1
    for step in list(range(count)):
        drawn.append(jax.random.normal(jax.random.fold_in(key, count)))  # JAX403
    return [tuple(drawn[:2])]

# --- what stands beside names
def main(key):
    drawn = []
    for name, number in [(str(number), number) for number in range(len(jax.devices()) + 1)]:
        drawn.append(len(name) * jax.random.normal(jax.random.fold_in(key, number)))
    return [tuple(drawn[:2])]

# --- two places of one list
def main(key):
    order = list(range(len(jax.devices()) + 1))
    first = jax.random.normal(jax.random.fold_in(key, order[0]))
    return [(first, jax.random.normal(jax.random.fold_in(key, order[1])))]

# --- one place of one list
def main(key):
    order = list(range(len(jax.devices()) + 1))
    first = jax.random.normal(jax.random.fold_in(key, order[0]))
    return [(first, jax.random.normal(jax.random.fold_in(key, order[0])))]  # JAX401

# --- keys by the numbers
def main(key):
    keys, drawn = jax.random.split(key, len(jax.devices()) + 1), []
    for number in list(range(len(keys)))[::-1]:
        drawn.append(jax.random.normal(keys[number]))
    return [tuple(drawn[:2])]
