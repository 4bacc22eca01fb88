# A call of one of several functions.

import jax
import jax.numpy as jnp

def draw(key):
    return jax.random.normal(key)

def other(key):
    return jax.random.uniform(key)

def plain(key):
    return 1.0

# --- an item of a table whose functions all draw
TABLE = {"a": draw, "b": other}

def main(key, name="a"):
    x = jax.random.normal(key)
    return x + TABLE[name](key)  # JAX401

# --- a table that is asked with a default
TABLE = dict(a=draw, b=lambda key: jax.random.bernoulli(key))

def main(key, name="c"):
    x = TABLE.get(name, other)(key)
    return x + jax.random.normal(key)  # JAX401

# --- a table that may have no such entry
TABLE = {"a": draw, "b": other}

def main(key, name="a"):
    sampler = TABLE.get(name)
    x = jax.random.normal(key)
    if sampler is None:
        return x
    return x + sampler(key)  # JAX401

# --- a list of many
MANY = [draw, other, lambda key: draw(key) + 1, lambda key: 2 * draw(key), jax.random.gumbel, jax.random.laplace]

def main(key, number=4):
    return MANY[number](key), jax.random.normal(key)  # JAX401

# --- the same table twice
TABLE = {"a": draw, "b": other}

def main(key, name="a", another="b"):
    return TABLE[name](key) + TABLE[another](key)  # JAX401

# --- a table in every pass
TABLE = {"a": draw, "b": other}

def main(key, names=("a", "b")):
    return [TABLE[name](key) for name in names]  # JAX403

# --- a registry that decorators fill
REGISTRY = {}

def register(name):
    def add(function):
        REGISTRY[name] = function
        return function
    return add

@register("a")
def first(key):
    return jax.random.normal(key)

@register("b")
def second(key, scale=1.0):
    return scale * jax.random.uniform(key)

def main(key, name="a"):
    return REGISTRY[name](key) + jax.random.normal(key)  # JAX401

# --- a table of classes
class One:
    def act(self, key):
        return draw(key)

class Two:
    def act(self, key):
        return other(key)

CLASSES = {"one": One, "two": Two}

def main(key, name="one"):
    agent = CLASSES[name]()
    x = jax.random.normal(key)
    return x + agent.act(key)  # JAX401

# --- a factory of two classes
class One:
    def act(self, key):
        return draw(key)

class Two:
    def act(self, key):
        return other(key)

def make(name):
    if name == "one":
        return One()
    if name == "two":
        return Two()
    raise ValueError(name)

def main(key, name="one"):
    agent = make(name)
    return agent.act(key) + jax.random.normal(key)  # JAX401

# --- one function of a table draws nothing
TABLE = {"a": draw, "b": plain}

def main(key, name="a"):
    x = jax.random.normal(key)
    return x + TABLE[name](key)  # JAX402

# --- one function of a table draws nothing and the key is used later
TABLE = {"a": draw, "b": plain}

def main(key, name="a"):
    x = TABLE.get(name)(key)
    return x + jax.random.normal(key)  # JAX402

# --- no function of a table draws
TABLE = {"a": plain, "b": lambda key: 2.0}

def main(key, name="a"):
    x = TABLE.get(name, plain)(key) + TABLE[name](key)
    return x + jax.random.normal(key)

# --- a table that is given another part of the key
TABLE = {"a": draw, "b": other}

def main(key, name="a"):
    key, sub = jax.random.split(key)
    return TABLE[name](sub) + TABLE.get(name)(key)

# --- a table on one path and a draw on the other
TABLE = {"a": draw, "b": other}

def main(key, name="a"):
    if name in TABLE:
        return TABLE[name](key)
    return jax.random.normal(key)

# --- functions that fold differently
TABLE = {"a": lambda key: draw(jax.random.fold_in(key, 1)), "b": lambda key: draw(jax.random.fold_in(key, 2))}

def main(key, name="a"):
    return TABLE[name](key) + draw(jax.random.fold_in(key, 3))

# --- either of two functions that both draw
def main(key, loud=True):
    sampler = draw if loud else other
    x = jax.random.normal(key)
    return x + sampler(key)  # JAX401

# --- the one that draws and a draw exclude each other
def main(key, loud=True):
    if loud:
        sampler = draw
    else:
        sampler = plain
    x = sampler(key)
    if not loud:
        x += jax.random.normal(key)
    return x

# --- functions that draw from different parts
TABLE = {"a": jax.vmap(draw), "b": lambda keys: draw(keys[0]), "c": lambda keys: min([draw], key=id)(keys[1])}

class Wrapped:
    def reset(self, keys):
        return jax.vmap(jax.random.split)(keys)

class Plain(Wrapped):
    def reset(self, keys):
        return self.find(keys)

    def find(self, keys):
        return jax.random.normal(keys[0])

def main(key, name="a", wrapped=False):
    parts = jax.random.split(key)
    first, second = jax.random.split(parts[0]), jax.random.split(parts[1])
    wrapper = {True: Wrapped, False: Plain}[wrapped]()
    return TABLE[name](first), jax.jit(wrapper.reset)(second)

# --- branches that draw from different parts
def main(key, loud=True):
    keys = jax.random.split(key)
    if loud:
        sampler = lambda keys: draw(keys[0])
    else:
        sampler = lambda keys: draw(keys[0]) + draw(keys[1])
    return sampler(keys)

# --- a registry that a module fills by decorators in functions
REGISTRY = {}

def register(function):
    REGISTRY[function.__name__] = function
    return function

def make():
    @register
    def made(key):
        return jax.random.normal(key)

    return made

made = make()

def make_main():
    def main(key, name="made"):
        return REGISTRY[name](key) + jax.random.normal(key)  # JAX401

    return main

main = make_main()

# --- one of a table advances the key, the other has none: who calls it again calls the same one
def noisy(key, g):
    key, own = jax.random.split(key)
    return key, g + jax.random.normal(own)

TABLE = {"noisy": noisy, "same": lambda key, g: (key, g)}

def main(key, name="noisy"):
    update = TABLE[name]
    for _ in range(3):
        key, g = update(key, 1.0)
    return g

# --- a pass for each of several functions, of which one draws from a key of its own
def noisy(key):
    return lambda g: g + jax.random.normal(key)

def main(key):
    functions = [noisy(key), lambda g: 2 * g]
    g = 1.0
    for function in functions:
        g = function(g)
    return g

# --- one of two objects, each with a key that it moves on
class Normal:
    def __init__(self, key):
        self.key = key

    def draw(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)

class Uniform(Normal):
    def draw(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.uniform(sub)

def main(key, flag=True):
    source = Normal(key) if flag else Uniform(key)
    total = source.draw()
    for _ in range(2):
        total += source.draw()
    return total

# --- one of two objects, and the key that they were given
class Normal:
    def __init__(self, key):
        self.key = key

    def draw(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)

class Uniform(Normal):
    def draw(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.uniform(sub)

def main(key, flag=True):
    source = Normal(key) if flag else Uniform(key)
    return source.draw() + jax.random.normal(key)  # JAX401
