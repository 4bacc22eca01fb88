# Loops, maps and gradients that JAX traces.

import jax
import jax.numpy as jnp

# --- rebound before on one path
@jax.jit
def f(key, pair):
    for _ in range(pair.size - 1):
        key, sub = jax.random.split(key)
    total = 0.0
    for _ in range(pair.size):
        total += jax.random.normal(key)  # JAX403
    return total

def main(key):
    return f(key, jnp.ones(2))

# --- rebound on one path and used once
@jax.jit
def f(key, pair):
    for _ in range(pair.size - 1):
        key, sub = jax.random.split(key)
    return jax.random.normal(key)

def main(key):
    return f(key, jnp.ones(2))

# --- keys of a traced list
@jax.jit
def f(keys):
    kept = [key for key in keys]
    total = 0.0
    for key in kept:
        total += jax.random.normal(key)
    return total

def main(key):
    return f(jax.random.split(key, 3))

# --- keys of a traced dict
@jax.jit
def f(keys):
    total = 0.0
    for key in keys.values():
        total += jax.random.normal(key)
    return total

@jax.jit
def g(keys):
    return sum(jax.random.normal(key) for name, key in {**keys}.items())

def main(key):
    a, b, c, d = jax.random.split(key, 4)
    return f({"a": a, "b": b}), g({"a": c, "b": d})

# --- keys declared to be arrays
@jax.jit
def f(keys: dict[str, jax.Array], more: list[jax.Array]):
    both = jax.random.normal(keys["a"]) + jax.random.normal(keys["b"])
    return both + jax.random.normal(more[0]) + jax.random.normal(more[1])

def main(key):
    a, b, c, d = jax.random.split(key, 4)
    return f({"a": a, "b": b}, [c, d])

# --- scan closure
def main(key):
    def body(carry, x):
        return carry + x * jax.random.normal(key), None  # JAX403

    return jax.lax.scan(body, 0.0, jnp.ones(3))

# --- child in a dict drawn from twice
def main(key):
    def body(x, xs):
        return x + jax.random.normal(xs["key"]) * jax.random.uniform(xs["key"]), None  # JAX401

    return jax.lax.scan(body, 0.0, {"key": jax.random.split(key, 3)})[0]

# --- scan carry kept
def main(key):
    def body(carry, x):
        k, total = carry
        return (k, total + jax.random.normal(k)), x  # JAX403

    return jax.lax.scan(body, (key, 0.0), jnp.ones(3))

# --- scan lambda
def main(key):
    return jax.lax.scan(lambda c, _: (c, jax.random.normal(c)), key, None, length=3)  # JAX403

# --- fori closure
def main(key):
    return jax.lax.fori_loop(0, 3, lambda i, x: x + jax.random.normal(key), 0.0)  # JAX403

# --- while closure
def main(key):
    return jax.lax.while_loop(lambda x: x < 3, lambda x: x + 1 + jax.random.uniform(key), 0.0)  # JAX403

# --- map closure
def main(key):
    return jax.lax.map(lambda x: x + jax.random.normal(key), jnp.ones(3))  # JAX403

# --- scan body in helper
def noisy(key, x):
    return x + jax.random.normal(key)

def main(key):
    def body(x, _):
        return noisy(key, x), None  # JAX403

    return jax.lax.scan(body, 0.0, None, length=2)

# --- jitted scan
@jax.jit
def main(key):
    def body(x, _):
        return x + jax.random.normal(key), x  # JAX403

    return jax.lax.scan(body, 0.0, None, length=2)

# --- key after scan
def main(key):
    def body(k, x):
        k, sub = jax.random.split(k)
        return k, x + jax.random.normal(sub)

    _, ys = jax.lax.scan(body, key, jnp.ones(3))
    return ys, jax.random.normal(key)  # JAX401

# --- two draws in body
def main(key):
    def body(x, k):
        y = jax.random.normal(k)
        return x + y + jax.random.uniform(k), None  # JAX401

    return jax.lax.scan(body, 0.0, jax.random.split(key, 3))

# --- scan carry renewed
def main(key):
    def body(carry, x):
        k, total = carry
        k, sub = jax.random.split(k)
        return (k, total + jax.random.normal(sub)), x

    (key, total), _ = jax.lax.scan(body, (key, 0.0), jnp.ones(3))
    return total + jax.random.normal(key)

# --- scan over children
def main(key):
    return jax.lax.scan(lambda x, k: (x + jax.random.normal(k), None), 0.0, jax.random.split(key, 3))

# --- scan over a dict of children
def main(key):
    def body(x, step, k):
        return x + step * jax.random.normal(k), None

    xs = {"step": jnp.arange(3), "key": jax.random.split(key, 3)}
    return jax.lax.scan(lambda x, xs: body(x, xs["step"], xs["key"]), 0.0, xs)[0]

# --- one kind after the other
class Small:
    def __init__(self, size, more=None, *, key):
        size = size + more if more is not None else size
        self.w = jax.random.normal(key, (size,))

class Large:
    def __init__(self, size, *, key):
        self.w = jax.random.normal(key, (size, size))

def make(key, kind: str, config):
    if kind == "small":
        model = Small(config["size"], config.get("more"), key=key)
    if kind == "large":
        model = Large(config["size"], key=key)
    return model.w

def main(key):
    return make(key, "small", {"size": 2})

# --- arguments bound to parameters
import functools
import inspect

def logged(f):
    signature = inspect.signature(f)

    @functools.wraps(f)
    def wrapped(*args, **kwargs):
        signature.bind(*args, **kwargs).apply_defaults()
        return f(*args, **kwargs)

    return wrapped

@logged
def sample(key, n):
    return jax.random.normal(key, (n,))

def main(key):
    return sample(key, n=2)

# --- read back off the object that keeps it
class State:
    def __init__(self, key=None):
        self.key = jax.random.key(1) if key is None else key

def main(key):
    key, sub = jax.random.split(key)
    state = State(sub)
    return jax.random.normal(state.key)

# --- scan over a list in a dict
def main(key):
    return jax.lax.map(lambda xs: jax.random.normal(xs["keys"][0]), {"keys": [jax.random.split(key, 3)]})

# --- vmap over an object of children
import typing

class Batch(typing.NamedTuple):
    x: jax.Array
    rest: dict

def main(key):
    batch = Batch(jnp.ones(3), {"key": jax.random.split(key, 3)})
    return jax.vmap(lambda b: b.x * jax.random.normal(b.rest["key"]))(batch)

# --- fori folded
def main(key):
    return jax.lax.fori_loop(0, 3, lambda i, x: x + jax.random.normal(jax.random.fold_in(key, i)), 0.0)

# --- while carry renewed
def main(key):
    def body(state):
        k, x = state
        k, sub = jax.random.split(k)
        return k, x + 1 + jax.random.uniform(sub)

    return jax.lax.while_loop(lambda state: state[1] < 3, body, (key, 0.0))

# --- vmap over children
def main(key):
    return jax.vmap(jax.random.normal)(jax.random.split(key, 3))

# --- map over children
def main(key):
    return jax.lax.map(lambda k: jax.random.normal(k), jax.random.split(key, 3))

# --- vmap then parent
def main(key):
    keys = jax.random.split(key, 3)
    x = jax.vmap(lambda k: jax.random.normal(k))(keys)
    return x + jax.random.normal(key)  # JAX401

# --- vmap twice
def main(key):
    keys = jax.random.split(key, 3)
    x = jax.vmap(jax.random.normal)(keys)
    return x + jax.vmap(jax.random.uniform)(keys)  # JAX401

# --- grad of noisy loss
def loss(w, key):
    return jnp.sum(w * jax.random.normal(key, (3,)))

def main(key):
    slope = jax.grad(loss)(1.0, key)
    return slope + jax.random.normal(key)  # JAX401

# --- value and grad renewed
def loss(w, key):
    return jnp.sum(w * jax.random.normal(key, (3,)))

def main(key):
    key, sub = jax.random.split(key)
    value, slope = jax.value_and_grad(loss)(1.0, sub)
    return value, slope, jax.random.normal(key)

# --- read back off the object that a helper makes of a part, and that keeps it
class State:
    def __init__(self, key=None):
        self.key = jax.random.key(1) if key is None else key

def start(key):
    key, sub = jax.random.split(key)
    return State(sub)

def start_with_noise(key):
    key, sub = jax.random.split(key)
    return State(sub), jax.random.normal(sub)  # JAX401

def main(key):
    first, second = jax.random.split(key)
    state = start(first)
    other, noise = start_with_noise(second)
    return jax.random.normal(state.key) + noise + jax.random.normal(other.key)
