# Of two draws one is taken.

# --- one of both
# file: maze.py
import jax
import jax.numpy as jnp


def step(key, upright, row, column):
    y = jax.random.randint(key, (), 0, row)
    x = jax.random.randint(key, (), 0, column)  # JAX401 possible
    return jnp.where(upright, y, row), jnp.where(upright, column, x + 1)


def at_once(key, c):
    return jax.lax.select(c, jax.random.normal(key), jax.random.uniform(key))  # JAX401 possible


def explore(key, best, rate):
    coin = jax.random.uniform(key)
    action = jax.random.randint(key, (), 0, 4)  # JAX401 certain
    return jnp.where(coin < rate, action, best)


def two_conditions(key, a, b):
    y = jax.random.normal(key)
    x = jax.random.uniform(key)  # JAX401 certain
    return jnp.where(a, y, 0.0), jnp.where(b, 0.0, x)


def both_anyway(key, c):
    y = jax.random.normal(key)
    x = jax.random.uniform(key)  # JAX401 certain
    return jnp.where(c, y, x), y


def everywhere(key, done, state):
    fresh = jax.random.normal(key, (3,))
    moved = state + jax.random.uniform(key, (3,))  # JAX401 possible
    return jax.tree.map(lambda x, y: jax.lax.select(done, x, y), fresh, moved)


def in_branches(key, c):
    a, b = jax.random.normal(key), jax.random.uniform(key)  # JAX401 possible
    return jax.lax.cond(c, lambda: a, lambda: b)


def one_of_many(key, i):
    a = jax.random.normal(key)
    b = jax.random.uniform(key)  # JAX401 possible
    return jax.lax.switch(i, [lambda: a, lambda: b])


def by_several_tests(key, c, d):
    a = jax.random.normal(key)
    b = jax.random.uniform(key)  # JAX401 possible
    return jnp.select([c, d], [a, b], 0.0)


def by_a_condition(key, c):
    a = jax.random.normal(key)
    b = jax.random.uniform(key)  # JAX401 possible
    return a if c else b

# --- masks
# file: chest.py
import jax


def loot(key, kind):
    coal = jax.random.randint(key, (), 1, 4) * (kind == 0)
    iron = jax.random.randint(key, (), 1, 3) * 2 * (kind == 1).astype(int)  # JAX401 possible
    return coal, iron


def sides(key, c):
    is_up = c > 0
    up = jax.random.normal(key) * is_up
    return up + (1 - is_up) * jax.random.uniform(key)  # JAX401 possible


def mixed(key, part):
    return part * jax.random.normal(key) + (1 - part) * jax.random.uniform(key)  # JAX401 certain


def overlapping(key, kind):
    coal = jax.random.normal(key) * (kind == 0)
    return coal + jax.random.uniform(key) * (kind < 2)  # JAX401 certain


def another_kind(key, kind):
    coal = jax.random.normal(key) * (kind == 0)
    kind = kind + 1
    return coal + jax.random.uniform(key) * (kind == 1)  # JAX401 certain
