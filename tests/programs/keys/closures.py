# Functions that are made in one place and called in another.

import jax
import jax.numpy as jnp

# --- made before the class that it is given
def make():
    def run(env, key):
        env.reset(key)
        return jax.random.normal(key)

    return run

run = make()

class Env:
    def reset(self, key):
        return 0.0

def main(key):
    return run(Env(), key)

# --- made before the function that it calls
def make(scale):
    def run(key):
        return scale * draw(key) + jax.random.normal(key)  # JAX401

    return run

run = make(2.0)

def draw(key):
    return jax.random.normal(key)

def main(key):
    return globals()["run"](key)

# --- either of two
def shake(key, hard):
    def soft():
        return jax.random.normal(key)

    def rough():
        return jax.random.laplace(key)

    return rough() if hard else soft()

def main(key):
    return shake(key, True)

print(shake(jax.random.key(5), False))

# --- one of a table
def shake(key, kind):
    table = {"soft": lambda: jax.random.normal(key), "rough": lambda: jax.random.laplace(key)}
    return table[kind]()

def main(key):
    return shake(key, "soft")

print(shake(jax.random.key(5), "rough"))

# --- one that nobody calls
def main(key):
    def debug():
        return jax.random.normal(key)

    return jax.random.laplace(key)

# --- one of two that are returned
def pair(key):
    return lambda: jax.random.normal(key), lambda: jax.random.laplace(key)

def main(key):
    soft, rough = pair(key)
    return soft()

# --- both that are returned
def pair(key):
    return lambda: jax.random.normal(key), lambda: jax.random.laplace(key)

def main(key):
    soft, rough = pair(key)
    return soft(), rough()  # JAX401

# --- spent before it is kept
def prepare(key, table):
    first = jax.random.normal(key)
    table["later"] = lambda: jax.random.laplace(key)  # JAX401
    return first

def main(key):
    table = {}
    return prepare(key, table), table["later"]()  # JAX401

# --- drawn in every pass over what nobody knows
@jax.jit
def main(key, rows: jax.Array = jnp.ones(3), start: jax.Array = jnp.zeros(())):
    def total(rows):
        found = start
        for _ in rows:
            found = found + jax.random.normal(key)  # JAX403
        return found

    return total(rows)

# --- renewed in every pass over what nobody knows
@jax.jit
def main(key, rows: jax.Array = jnp.ones(3), start: jax.Array = jnp.zeros(())):
    def total(rows):
        nonlocal key
        found = start
        for _ in rows:
            key, sub = jax.random.split(key)
            found = found + jax.random.normal(sub)
        return found

    return total(rows)

# --- drawn in the one pass over what nobody knows
@jax.jit
def main(key, rows: jax.Array = jnp.ones(3)):
    def first(rows):
        for row in rows:
            return row * jax.random.normal(key)
        return 0.0

    return first(rows)

# --- drawn in every pass, of which nothing is kept
@jax.jit
def main(key, rows: jax.Array = jnp.ones(3)):
    def last(rows):
        for _ in range(rows.shape[0] - 1):
            found = jax.random.normal(key)  # JAX403
        return found

    return last(rows)

# --- drawn in every pass, of a dict that is around
@jax.jit
def main(key, rows: jax.Array = jnp.ones(3)):
    keys = {"noise": key}

    def last(rows):
        for _ in range(rows.shape[0] - 1):
            found = jax.random.normal(keys["noise"])  # JAX403
        return found

    return last(rows)

# --- folded with the number of the pass, of which nothing is kept
@jax.jit
def main(key, rows: jax.Array = jnp.ones(3)):
    def last(rows):
        for i in range(rows.shape[0] - 1):
            found = jax.random.normal(jax.random.fold_in(key, i))
        return found

    return last(rows)

# --- handed on in one branch, and what the other one spends
def main(key, search=None):
    if search:
        return search(lambda: jax.random.normal(key))
    return jax.random.normal(key)

# --- handed on in one branch, which goes on beside the other
def main(key, search=None, drawn=0.0):
    if search:
        search(lambda: jax.random.normal(key))
    else:
        drawn = jax.random.normal(key)
    return drawn

# --- handed on in one branch, after what is spent before both
def main(key, search=lambda run: run()):
    drawn = jax.random.normal(key)
    if search:
        drawn += search(lambda: jax.random.normal(key))  # JAX401
    return drawn

# --- handed on in one branch, and what the same condition spends below
import functools

def main(key, search=functools.partial(lambda run: run())):
    drawn = 0.0
    if search:
        drawn = search(lambda: jax.random.normal(key))  # JAX401
    if search:
        drawn += jax.random.uniform(key)
    return drawn

# --- a variable that is named as the engine once named a question
def sampled(key, xs):
    touched = []

    def one(x):
        if touched:
            return x
        return -x

    ys = [one(x) for x in xs] + [one(1.0), one(2.0)]
    first = jax.random.normal(key)
    return ys, first, jax.random.uniform(key)  # JAX401

def main():
    return sampled(jax.random.key(0), [1.0])

# --- of the function around, and split if there is one
def sampler(key=None):
    def draw(count):
        nonlocal key
        drawn = []
        for _ in range(count):
            key, child = jax.random.split(key) if key is not None else (None, None)
            drawn.append(0.0 if child is None else jax.random.normal(child))
        return drawn

    return draw

def main(key):
    return sampler(key)(3)

# --- of the function around, and never replaced
def sampler(key=None):
    def draw(count):
        nonlocal key
        drawn = []
        for _ in range(count):
            rest, child = jax.random.split(key) if key is not None else (None, None)  # JAX403
            drawn.append(0.0 if child is None else jax.random.normal(child))
        key = rest
        return drawn

    return draw

def main(key):
    return sampler(key)(3)
