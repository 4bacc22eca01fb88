# Callees that use a key and hand it back.

import jax
import jax.numpy as jnp

# --- a state with the key that was split
@jax.jit
def step(state, x):
    total, key = state
    a, b = jax.random.split(key)
    return (total + jax.random.normal(a), key), x * jax.random.normal(b)  # JAX403

def main(key):
    state = (0.0, key)
    for x in (1.0, 2.0, 3.0):
        state, _ = step(state, x)
    return state

# --- the driver and what it calls pass it on
def step(state):
    key, sub = jax.random.split(state["key"])
    return {"total": state["total"] + jax.random.normal(sub), "key": state["key"]}  # JAX403

def twice(state):
    return step(state)

def main(key):
    state = {"total": 0.0, "key": key}
    for _ in range(3):
        state = twice(state)
    return state

# --- a key made there
def start(seed):
    key = jax.random.key(seed)
    return (
        jax.random.normal(key),
        key,  # JAX401
    )

def main(key):
    x, key = start(3)
    return x + jax.random.uniform(key)

# --- on one path
def maybe(key, x):
    if x is None:
        return jax.random.normal(key), key  # JAX401
    return x, key

def main(key):
    x, key = maybe(key, None)
    return x + jax.random.uniform(key)

# --- the caller goes on with its own
def draw(key):
    return jax.random.normal(key), key

def main(key):
    x, _ = draw(key)
    return x + jax.random.uniform(key)  # JAX401

# --- the caller spent it before
def same(key):
    return key

def main(key):
    x = jax.random.normal(key)
    key = same(key)
    return x + jax.random.uniform(key)  # JAX401

# --- a carry that is drawn from in the body
def main(key):
    def body(carry, _):
        x, key = carry
        x = x + jax.random.normal(key)  # JAX403
        return (x, key), None
    return jax.lax.scan(body, (0.0, key), None, 3)

# --- a new key
@jax.jit
def step(state, x):
    total, key = state
    key, sub = jax.random.split(key)
    return (total + jax.random.normal(sub), key), x

def main(key):
    state = (0.0, key)
    for x in (1.0, 2.0):
        state, _ = step(state, x)
    return state[0] + jax.random.normal(state[1])

# --- nobody uses it
def draw(key):
    return jax.random.normal(key), key

def main(key):
    a, b = jax.random.split(key)
    x, _ = draw(a)
    y, last = draw(b)
    return x + y, last

# --- folded into before the next use
def draw(key, step):
    return jax.random.normal(jax.random.fold_in(key, step)), key

def main(key):
    x, key = draw(key, 0)
    y, key = draw(key, 1)
    return x + y
