# Compiled functions that loops give arguments of other shapes.
import functools

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def total(x):
    return jnp.sum(jnp.asarray(x))

# --- an array that each pass stacks below what there is
def main():
    x = jnp.ones((1, 3))
    for _ in range(5):
        y = total(x)  # JAX512
        x = jnp.vstack([x, jnp.full((1, 3), y)])
    return x

# --- an array that a helper makes longer
def pushed(x, y):
    return jnp.concatenate([x, y[None]])

def main(n=5):
    x = jnp.ones(1)
    for _ in range(n):
        x = pushed(x, total(x))  # JAX512
    return x

# --- a list of arrays, passed as it is
def main(n=5):
    seen = []
    @jax.jit
    def mean(xs):
        return sum(xs) / len(xs)
    for i in range(n):
        seen.append(jnp.float32(i))
        mean(seen)  # JAX512
    return seen

# --- a list that grows by an augmented assignment
def main(n=5):
    seen = []
    for i in range(n):
        seen += [i]
        total(np.array(seen))  # JAX512

# --- rows up to a counter
def main():
    table = np.ones((5, 3))
    for row in range(1, len(table)):
        total(table[:row, 1])  # JAX512

# --- the same item of a list, which is no slice
def main():
    rows = [np.ones(3), np.ones(3)]
    for i in range(2):
        total(rows[i])

# --- a list of which items are replaced
def main(n=5):
    seen = [0.0, 1.0]
    for i in range(n):
        seen[0] = float(i)
        total(np.array(seen))

# --- a list that grows, of which the last ones are passed
def main(n=5):
    seen = [0.0, 1.0]
    for i in range(n):
        seen.append(float(i))
        total(np.array(seen[-2:]))

# --- a list that grows beside, and is stacked after the loop
def main(n=5):
    seen, x = [], jnp.ones(3)
    for _ in range(n):
        x = x + total(x)
        seen.append(x)
    return total(jnp.stack(seen))

# --- an array that is doubled once
def main(n=5):
    x = jnp.ones(3)
    for _ in range(n):
        both = jnp.concatenate([x, x])
        x = total(both) * x
    return x

# --- a counter that is static
@functools.partial(jax.jit, static_argnums=1)
def first(x, n):
    return x[:n].sum()

def main():
    x = jnp.ones(5)
    return [first(x, n) for n in (1, 2)]

# --- an axis more in one pass only
def main(n=5):
    x = jnp.ones(3)
    for i in range(n):
        if i == 0:
            x = jnp.stack([x, x])
        total(x)

# --- what is not compiled
def main(n=5):
    x = jnp.ones(3)
    for i in range(n):
        x = jnp.append(x, x[:i].sum())
    return x

# --- a batch whose first and last number are computed in each pass
def main(size=2):
    table = np.ones((9, 3))
    for batch in range(len(table) // size):
        start = batch * size
        end = start + size
        total(table[start:end])

# --- a batch that ends where the rows do
def main(size=4):
    table = np.ones((9, 3))
    for start in range(0, len(table), size):
        end = min(start + size, len(table))
        total(table[start:end])

# --- rows from a number on that is computed in each pass
def main(n=4):
    table = np.ones((9, 3))
    for batch in range(n):
        first = 1
        start = batch * 2
        total(table[start:])  # JAX512
        total(table[first : start + 1])  # JAX512

# --- a comprehension over slices that grow, and another one around
def main():
    x = jnp.ones(8)
    return [total(x[:i]) for i in range(1, 8)] + [total(x[i:]) for k in (1, 2) for i in range(1, 8)]  # JAX512

# --- a comprehension over rows, over windows, over a few slices, and over those that fit
def main():
    x = jnp.ones((8, 2))
    rows = [total(x[i]) for i in range(8)]
    windows = [total(x[i : i + 2]) for i in range(0, 8, 2)]
    few = [total(x[:i]) for i in range(3)]
    return rows, windows, few, [total(x[:i]) for i in range(1, 8) if i == 7]
