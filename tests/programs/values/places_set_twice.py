# Indices that have a place twice, in arrays of which nobody knows the shape.

import jax.numpy as jnp

# --- rows of a table are set by a column
def tied(table):
    places = jnp.array([0, 1, 1])
    return table.at[places].set(jnp.arange(3.0)[:, None])  # JAX318

def main():
    tied(jnp.zeros((4, 2)))

# --- values may be those of the columns of each row
def tied(table):
    return table.at[jnp.array([0, 1, 1])].set(jnp.arange(3.0))

def counted(table):
    places = jnp.array([0, 1, 1])
    return table.at[places].add(jnp.arange(3.0)[:, None]), table.at[places].set(jnp.zeros((3, 1)))

def apart(table):
    return table.at[jnp.array([0, 1, 2])].set(jnp.arange(3.0)[:, None])

def main():
    tied(jnp.zeros((4, 3))), counted(jnp.zeros((4, 3))), apart(jnp.zeros((4, 3)))

# --- more entries are counted than there are places
import jax

def confusion(predicted, truth, k):
    counts = jnp.zeros((k, k), int)
    return counts.at[truth, predicted].set(counts[truth, predicted] + 1)  # JAX318

def sketch(columns, width):
    table = jnp.zeros((2, width), int)
    for row in range(2):
        column = columns % width
        table = table.at[row, column].set(1 + table[row, column])  # JAX318
    return table

def main():
    logits = jax.random.normal(jax.random.key(0), (40, 2))
    predicted = logits.argmax(-1)
    assert confusion(predicted, jnp.arange(40) % 2, 2).sum() < 40
    assert sketch(jnp.arange(100), 8).sum() < 200

# --- more rows are stored than there are clusters
import jax

def update(points, labels, centers):
    return jnp.zeros_like(centers).at[labels].set(points)  # JAX318

def main():
    points = jax.random.normal(jax.random.key(0), (40, 2))
    centers = jax.random.choice(jax.random.key(1), points, (3,), replace=False)
    labels = jnp.argmin(((points[:, None] - centers) ** 2).sum(-1), -1)
    return update(points, labels, centers)

# --- more entries than places, where it does not matter which of them stays, and where some are left out
import jax

def marked(labels, points, worth):
    seen = jnp.zeros(3, bool).at[labels].set(True)
    once = jnp.zeros((3, 2)).at[labels].set(jnp.ones((40, 2)))
    same = jnp.zeros(3).at[labels].set(worth[labels] * 2)
    winner = jnp.zeros(3, int).at[labels].set(jnp.arange(40))
    order = jnp.where(points[:, 0] > 0, labels, 3)
    chosen = jnp.zeros((3, 2)).at[order].set(points)
    kept = jnp.zeros((3, 2)).at[labels].set(points, mode="drop")
    halved = worth.at[labels].set(worth[labels] * 0.5)
    total = jnp.zeros((3, 2)).at[labels].add(points)
    greatest = jnp.zeros((3, 2)).at[labels].max(points)
    return seen, once, same, winner, chosen, kept, halved, total, greatest

def enough(points, order):
    moved = jnp.zeros((40, 2)).at[order].set(points)
    counted = jnp.zeros(40).at[order].set(moved[order, 0] + 1)
    ranks = jnp.zeros(40)
    return moved, counted, ranks.at[order].set(ranks[order] + 1)

def one(table, row, column):
    return table.at[row, column].set(table[row, column] + 1)

def any_of(table, rows):
    return table.at[rows].set(table[rows] + 1)

def main():
    points = jax.random.normal(jax.random.key(0), (40, 2))
    labels = jnp.argmax(points, axis=1)
    marked(labels, points, jnp.ones(3)), enough(points, jnp.argsort(points[:, 0]))
    return one(jnp.zeros((2, 2)), 0, labels[0]), any_of(jnp.zeros(40), labels)
