# Draws in one pass of a loop.

import jax
import jax.numpy as jnp

# --- in the pass that a loop asks for
def main(key, count=4, wanted=2):
    total = jnp.zeros(())
    for i in range(count):
        if i == wanted:
            total += jax.random.normal(key)
    return total

# --- in any other pass
def main(key, count=4, wanted=2):
    total = jnp.zeros(())
    for i in range(count):
        if i != wanted:
            total += jax.random.normal(key)  # JAX403
    return total

# --- in the pass after the others go on
def main(key, count=4, wanted=2):
    total = jnp.zeros(())
    for i, x in enumerate([0.0] * count):
        if i != wanted:
            continue
        total += x + jax.random.normal(key)
    return total

# --- in each pass if something else is so
def main(key, count=4, wanted=2, mode=2):
    total = jnp.zeros(())
    for i in range(count):
        if mode == wanted:
            total += jax.random.normal(key)  # JAX403
    return total

# --- in one pass and in another
def main(key, count=4, wanted=2):
    total = jnp.zeros(())
    for i in range(count):
        if i == wanted:
            total += jax.random.normal(key)  # JAX403
        if i == 0:
            total += jax.random.uniform(key)
    return total

# --- in the last pass, as the ones before it leave a key
def main(key, count=4):
    drawn = []
    for i in range(count):
        if i < count - 1:
            key, sub = jax.random.split(key)
        else:
            sub = key
        drawn.append(jax.random.normal(sub))
    return drawn

# --- in the last pass, as it is counted in other ways
def main(key, sizes=(2, 2, 2)):
    drawn = []
    for i, size in enumerate(sizes, start=1):
        if i == len(sizes):
            drawn.append(jax.random.normal(key, (size,)))
        else:
            key, sub = jax.random.split(key)
            drawn.append(jax.random.normal(sub, (size,)))
    return drawn

# --- in the last pass, by a name for that
def main(key, count=4):
    drawn = []
    for i in range(count):
        is_last = i + 1 >= count
        if not is_last:
            key, sub = jax.random.split(key)
            drawn.append(jax.random.normal(sub))
        else:
            drawn.append(jax.random.normal(key))
    return drawn

# --- in the last pass but one
def main(key, count=4):
    drawn = []
    for i in range(count):
        if i == count - 2:
            drawn.append(jax.random.normal(key))
        else:
            key, sub = jax.random.split(key)  # JAX403
            drawn.append(jax.random.normal(sub))
    return drawn

# --- in the first pass
def main(key, count=4):
    drawn = []
    for i in range(count):
        if i > 0:
            drawn.append(drawn[-1])
        else:
            drawn.append(jax.random.normal(key))
    return drawn

# --- from one pass on
def main(key, count=4, warmup=2):
    drawn = []
    for i in range(count):
        if i >= warmup - 1:
            drawn.append(jax.random.normal(key))  # JAX403
        else:
            key, sub = jax.random.split(key)
            drawn.append(jax.random.normal(sub))
    return drawn

# --- in the first pass, of which the counter is false
def main(key, count=4):
    drawn = []
    for i in range(count):
        if not i:
            drawn.append(jax.random.normal(key))
        else:
            drawn.append(drawn[-1])
    for i in range(count):
        if i:
            continue
        drawn.append(jax.random.normal(jax.random.fold_in(key, 7)))
    return drawn

# --- in the passes of which the element is false
def main(key, skips=(False, True, False)):
    drawn = []
    for number, skip in enumerate(skips):
        if not skip:
            drawn.append(number + jax.random.normal(key))  # JAX403
    return drawn

# --- in each but the first pass
def main(key, count=4):
    drawn = []
    for i in range(count):
        if i:
            drawn.append(jax.random.normal(key))  # JAX403
    return drawn
