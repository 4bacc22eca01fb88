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

# --- a property makes the key if there is none, and two draws ask for it
import jax


class Layer:
    def __init__(self):
        self._key = None

    @property
    def key(self):
        if self._key is None:
            self._key = jax.random.key(0)
        return self._key


class Dropout(Layer):
    def forward(self, x):
        start = jax.random.randint(jax.random.split(self.key)[0], (), 0, 3)
        return start + x * jax.random.bernoulli(self.key, 0.5, x.shape)  # JAX401


def main():
    return Dropout().forward(jax.numpy.ones(3))

# --- a method makes the key if there is none, and each call gives another part of it
import jax


class Layer:
    def __init__(self):
        self._key = None

    def next_key(self):
        if self._key is None:
            self._key = jax.random.key(0)
        self._key, given = jax.random.split(self._key)
        return given

    def forward(self, x):
        x = x + jax.random.normal(self.next_key(), x.shape)
        return x * jax.random.bernoulli(self.next_key(), 0.5, x.shape)


def main():
    return Layer().forward(jax.numpy.ones(3))

# --- a helper gives the key it was given, or another one
import jax


def keep(key, renew):
    if renew:
        key = jax.random.fold_in(key, 1)
    return key


def draw_twice(seed, renew):
    key = jax.random.key(seed)
    first = jax.random.normal(key, (3,))
    return first + jax.random.normal(keep(key, renew), (3,))  # JAX401


def main():
    return draw_twice(0, False)

# --- a helper gives another key than the one that was used, on all paths
import jax


def changed(key, more):
    if more:
        key = jax.random.fold_in(key, 1)
    else:
        key = jax.random.fold_in(key, 2)
    return key


def draw_twice(seed, more):
    key = jax.random.key(seed)
    folded = changed(key, more)
    return jax.random.normal(key, (3,)) + jax.random.normal(folded, (3,))


def main():
    return draw_twice(0, True)

# --- a loop in a helper goes on with the key, and the helper is called in each pass of another
import jax


def run(key, episode):
    done = False
    while not done:
        key, step = jax.random.split(key)
        done = jax.random.normal(step) > 0
    return key


def main():
    key = jax.random.key(0)
    for episode in range(3):
        key = run(key, episode)
