# What calls change for those who come after them, and what they hand back: each call does so anew.

# --- a helper goes on with the key of the module, below another helper
import jax

key = jax.random.key(0)


def next_key():
    global key
    key, sub = jax.random.split(key)
    return sub


def weights():
    return jax.random.normal(next_key(), (2,))


first = weights()
second = weights()


def main():
    return weights() + weights()

# --- a helper that forgets to go on with the key of the module
import jax

key = jax.random.key(0)


def weights():
    _, sub = jax.random.split(key)
    return jax.random.normal(sub, (2,))


def main():
    return weights() + weights()  # JAX401

# --- a table of the module that calls fill and read
import jax

KEYS = {}


def put(name, key):
    KEYS[name] = key


def draw(name):
    return jax.random.normal(KEYS[name])


def apart(seed):
    first, second = jax.random.split(jax.random.key(seed))
    put("first", first)
    put("second", second)
    return draw("first") + draw("second")


def main(seed=0):
    put("first", jax.random.key(seed))
    return apart(seed) + draw("first") + draw("first")  # JAX401

# --- functions that are made with a key each
import functools

import jax


def drawing(key):
    def draw(shape):
        return jax.random.normal(key, shape)

    return draw


def apart(seed):
    a, b = jax.random.split(jax.random.key(seed))
    return drawing(a)((2,)) + drawing(b)((2,))


def main(seed=0):
    draw = drawing(jax.random.key(seed))
    return apart(seed) + draw((2,)) + draw((2,))  # JAX401

# --- two functions that are made with one key
import jax


def drawing(key):
    def draw(shape):
        return jax.random.normal(key, shape)

    return draw


def main(seed=0):
    key = jax.random.key(seed)
    return drawing(key)((2,)) + drawing(key)((2,))  # JAX401

# --- a partial that is made with a key
import functools

import jax


def drawing(key):
    return functools.partial(jax.random.normal, key)


def main(seed=0):
    draw = drawing(jax.random.key(seed))
    return draw((2,)) + draw((2,))  # JAX401
