# Elements and slices of arrays of keys whose number is not known.

import jax
import jax.numpy as jnp

# --- an element, then all
def main(key, n=4):
    keys = jax.random.split(key, n)
    first = jax.random.normal(keys[0])
    return first + jax.vmap(jax.random.normal)(keys).sum()  # JAX401

# --- an element, then a slice that has it
def main(key, n=4):
    keys = jax.random.split(key, n)
    second = jax.random.normal(keys[1])
    return second + jax.vmap(jax.random.normal)(keys[1:]).sum()  # JAX401

# --- an element, then a slice up to before the last
def main(key, xs=jnp.ones(4)):
    keys = jax.random.split(key, xs.shape[0] + 2)
    second = jax.random.normal(keys[1])
    return second + jax.vmap(jax.random.normal)(keys[1:-1]).sum()  # JAX401

# --- an element, then a slice without it
def main(key, n=4):
    keys = jax.random.split(key, n)
    first, last = jax.random.normal(keys[0]), jax.random.normal(keys[-1])
    return first + last + jax.vmap(jax.random.normal)(keys[1:-1]).sum()

# --- two slices that begin together
def main(key, n=4):
    keys = jax.random.split(key, n)
    some = jax.vmap(jax.random.normal)(keys[1:-1])
    return some.sum() + jax.vmap(jax.random.normal)(keys[1:]).sum()  # JAX401

# --- two slices that meet nowhere
def main(key, n=4, m=2):
    keys = jax.random.split(key, n)
    some = jax.vmap(jax.random.normal)(keys[:m])
    return some.sum() + jax.vmap(jax.random.normal)(keys[m:]).sum()

# --- windows
def main(key, n=4, size=2):
    keys = jax.random.split(key, n)
    return [jax.vmap(jax.random.normal)(keys[start : start + size]) for start in range(0, n, size)]

# --- the first of a slice
def main(key, n=4):
    keys = jax.random.split(key, n)
    rest = keys[1:]
    total = jax.random.normal(keys[0]) + jax.random.normal(rest[0]) + jax.random.normal(rest[1])
    return total + jax.random.normal(keys[2])  # JAX401

# --- the rest after a starred one
def main(key, n=4):
    first, *rest = jax.random.split(key, n)
    total = jax.random.normal(first) + jax.random.normal(rest[0])
    for one in rest:
        total += jax.random.normal(one)  # JAX401
    return total

# --- by the number of each pass, then one of them
def main(key, n=4):
    keys, total = jax.random.split(key, n), 0.0
    for i in range(n):
        total += jax.random.normal(keys[i])
    return total + jax.random.normal(keys[-1])  # JAX401

# --- one, then by the number of each pass
def main(key, xs=jnp.ones(4)):
    keys = jax.random.split(key, xs.shape[0])
    total = jax.random.normal(keys[0])
    for i in range(xs.shape[0]):
        total += jax.random.normal(keys[i]) * xs[i]  # JAX401
    return total

# --- by the number of each pass, as often as there are keys
def main(key, n=4):
    keys = jax.random.split(key, n)
    total = jax.random.normal(keys[0])
    for i in range(len(keys)):
        total += jax.random.normal(keys[i])  # JAX401
    return total

# --- by the number of each pass, as often as the array of keys is long
def main(key, n=4):
    keys = jax.random.split(key, n)
    total = jax.random.normal(keys[0])
    for i in range(keys.shape[0]):
        total += jax.random.uniform(keys[i])  # JAX401
    return total

# --- one more key than passes
def main(key, n=4):
    keys, total = jax.random.split(key, n + 1), 0.0
    for i in range(n):
        total += jax.random.normal(keys[i])
    return total + jax.random.normal(keys[-1])

# --- from the second pass on
def main(key, n=4):
    keys = jax.random.split(key, n)
    total = jax.random.normal(keys[0])
    for i in range(1, n):
        total += jax.random.normal(keys[i])
    return total

# --- not in the first pass
def main(key, n=4):
    keys = jax.random.split(key, n)
    total = jax.random.normal(keys[0])
    for i in range(n):
        if i == 0:
            continue
        total += jax.random.normal(keys[i])
    return total

# --- in either of two branches of a pass
def main(key, n=4):
    keys, total = jax.random.split(key, n), 0.0
    for i in range(n):
        total += jax.random.normal(keys[i]) if i % 2 else jax.random.uniform(keys[i])
    return total

# --- two of each pass
def main(key, n=4):
    keys, total = jax.random.split(key, 2 * n), 0.0
    for i in range(n):
        total += jax.random.normal(keys[2 * i]) + jax.random.normal(keys[2 * i + 1])
    return total

# --- by the number of each pass but the last, then the last one
def main(key, n=4):
    keys, total = jax.random.split(key, n), 0.0
    for i in range(n):
        if i < n - 1:
            total += jax.random.normal(keys[i])
    return total + jax.random.normal(keys[-1])
