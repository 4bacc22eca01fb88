# Rows that are kept together.

# --- one order for several arrays
# file: data.py
import jax
import jax.numpy as jnp
from jax import random


def both(key, x, y):
    x = random.permutation(key, x)
    y = random.permutation(key, y)  # JAX401 possible
    return x, y


def leaves(key, batch):
    return jax.tree.map(lambda x: random.permutation(key, x), batch)  # JAX403 possible


def leaves_by_name(key, x, y):
    def one(z):
        return random.permutation(key, z)  # JAX403 possible

    return jax.tree.map(one, (x, y))


def listed(key, x, y):
    return [random.permutation(key, z) for z in (x, y)]  # JAX403 possible


def by_indices(key, x, y, n):
    x = x[random.permutation(key, n)]
    y = y[random.permutation(key, n)]  # JAX401 possible
    return x, y


def twice(key, x):
    return random.permutation(key, x), random.permutation(key, x)  # JAX401 certain


def orders(key, n):
    return random.permutation(key, n // 2), random.permutation(key, 2 * n)  # JAX401 certain


def epochs(key, x):
    for _ in range(3):
        x = random.permutation(key, x)  # JAX403 certain
    return x


def batches(key, xs):
    return jax.lax.map(lambda x: random.permutation(key, x), xs)  # JAX403 certain

# --- the same rows of several arrays
# file: data.py
import jax
import jax.numpy as jnp
from jax import random


def rows(key, data, n):
    picked = random.choice(key, len(data), shape=(n,))
    return data[picked]


def batch(key, x, y):
    return rows(key, x, 8), rows(key, y, 8)  # JAX401 possible


def leaves(key, tree):
    return jax.tree.map(lambda x: rows(key, x, 8), tree)  # JAX403 possible


def by_names(key, x, y, n):
    i = random.randint(key, (n,), 0, len(x))
    j = random.randint(key, (n,), 0, len(y))  # JAX401 possible
    return x[i], jnp.take(y, j, axis=0)


def same_batch(key, x):
    return rows(key, x, 8), rows(key, x, 8)  # JAX401 certain


def same_rows(key, x, n):
    return x[random.randint(key, (n,), 0, 9)], x[random.randint(key, (n,), 0, 9)]  # JAX401 certain


def one_of_each(key, colours, shapes):
    return colours[random.randint(key, (), 0, 3)], shapes[random.randint(key, (), 0, 3)]  # JAX401 certain


def entries(key, grid, h, w):
    return grid[random.randint(key, (2,), 0, h), random.randint(key, (2,), 0, w)]  # JAX401 certain


def places(key, walls, goals, h):
    rows_of_walls = random.randint(key, (2,), 0, h)
    rows_of_goals = random.randint(key, (2,), 0, h)  # JAX401 certain
    return walls.at[rows_of_walls].set(1), goals.at[rows_of_goals].set(1)


def also_numbers(key, x, y, n):
    i = random.randint(key, (n,), 0, 9)
    j = random.randint(key, (n,), 0, 9)  # JAX401 certain
    return x[i], y[j], i + j


def noise(key, tree):
    return jax.tree.map(lambda x: x + random.normal(key, x.shape), tree)  # JAX403 certain

# --- one order for a tree and for an array beside it
# file: data.py
import jax
from jax import random


def shuffled(x, key):
    x = x.reshape(-1, *x.shape[2:])
    return random.permutation(key, x)


def of_both(key, transitions, targets):
    transitions = jax.tree.map(lambda x: shuffled(x, key), transitions)  # JAX403 possible
    targets = random.permutation(key, targets)  # JAX401 possible
    return transitions, targets


def order_and_noise(key, transitions, targets):
    transitions = jax.tree.map(lambda x: shuffled(x, key), transitions)  # JAX403 possible
    noise = random.normal(key, targets.shape)  # JAX401 certain
    return transitions, noise
