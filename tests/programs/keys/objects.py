# Keys that objects keep, and methods that use them.

import jax
import jax.numpy as jnp

# --- an object that only holds the key
class State:
    def __init__(self, key, weights):
        self.key = key
        self.weights = weights

    def __repr__(self):
        return f"State({self.key})"

    def scaled(self, factor):
        self.weights = self.weights * factor
        return self

def main(key):
    state = State(key, jnp.ones(2))
    key, sub = jax.random.split(key)
    return state.scaled(2.0).weights + jax.random.normal(sub)

# --- an object that only holds the key for others
class State:
    def __init__(self, key):
        self.key = key

def main(key):
    state = State(key)
    x = jax.random.normal(key)
    return x + jax.random.uniform(state.key)  # JAX401

# --- self key twice
class Agent:
    def __init__(self, key):
        self.key = key

    def act(self):
        a = jax.random.normal(self.key)
        return a + jax.random.uniform(self.key)  # JAX401

def main(key):
    return Agent(key).act()

# --- self key split then used
class Agent:
    def __init__(self, key):
        self.rng = key

    def act(self):
        rng, sub = jax.random.split(self.rng)
        return jax.random.normal(sub) + jax.random.uniform(self.rng), rng  # JAX401

def main(key):
    return Agent(key).act()

# --- init then method
class Agent:
    def __init__(self, key):
        self.key = key
        self.w = jax.random.normal(self.key)

    def act(self):
        return self.w + jax.random.uniform(self.key)

def main(key):
    agent = Agent(key)
    return agent.act()  # JAX401

# --- method twice
class Sampler:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.normal(self.key)

def main(key):
    sampler = Sampler(key)
    a = sampler.draw()
    return a + sampler.draw()  # JAX401

# --- method calls method
class Agent:
    def __init__(self, key):
        self.key = key

    def noise(self):
        return jax.random.normal(self.key)

    def act(self):
        a = self.noise()
        return a + jax.random.uniform(self.key)  # JAX401

def main(key):
    return Agent(key).act()

# --- inherited
class Base:
    def __init__(self, key):
        self.key = key

    def noise(self):
        return jax.random.normal(self.key)

class Child(Base):
    def act(self):
        return super().noise() + self.noise()  # JAX401

def main(key):
    return Child(key).act()

# --- advanced attribute
class Agent:
    def __init__(self, key):
        self.key = key

    def act(self):
        self.key, sub = jax.random.split(self.key)
        return jax.random.normal(sub)

def main(key):
    agent = Agent(key)
    return agent.act() + agent.act()

# --- property of fresh keys
class Context:
    def __init__(self, key):
        self._key = key

    @property
    def rng(self):
        self._key, sub = jax.random.split(self._key)
        return sub

def main(key):
    context = Context(key)
    return jax.random.normal(context.rng) + jax.random.uniform(context.rng)

# --- generator of keys
def stream(key):
    while True:
        key, sub = jax.random.split(key)
        yield sub

def main(key):
    keys = stream(key)
    return jax.random.normal(next(keys)) + jax.random.normal(next(keys))

# --- two objects
class Sampler:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.normal(self.key)

def main(key):
    a, b = jax.random.split(key)
    return Sampler(a).draw() + Sampler(b).draw()

# --- callable object
class Noise:
    def __init__(self, key):
        self.key = key

    def __call__(self, x):
        self.key, sub = jax.random.split(self.key)
        return x + jax.random.normal(sub)

def main(key):
    noise = Noise(key)
    return noise(noise(0.0))

# --- lazy property in a long function
class Layer:
    def __init__(self):
        self._rng = None

    @property
    def rng(self):
        if self._rng is None:
            self._rng = jax.random.key(0)
        return self._rng

def main(key, callee):
    layer, x = Layer(), 0.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0
    x = x + 1.0

    a, b = jax.random.split(layer.rng)
    c, d, e = jax.random.split(layer.rng, 3)  # JAX401
    return a, b, c, d, e, x

# --- the parent's method by a lambda, which leaves the key alone
class Walk:
    def step(self, key, x):
        return jax.lax.cond(x > 0, lambda: self.ahead(key, x), lambda: -x)

    def ahead(self, key, x):
        return x + 1

class Noisy(Walk):
    def step(self, key, x):
        first, second = jax.random.split(key)
        x = x + jax.random.normal(first)
        return jax.lax.cond(x > 1, lambda: super(Noisy, self).step(key, x), lambda: x)

def main(key):
    return Noisy().step(key, jnp.ones(()))

# --- the parent's method by a lambda, which draws
class Walk:
    def step(self, key, x):
        return x + jax.random.normal(key)

class Still(Walk):
    def step(self, key, x):
        return x

class Noisy(Still):
    def step(self, key, x):
        first, second = jax.random.split(key)
        x = x + jax.random.normal(first)
        return jax.lax.cond(x > 1, lambda: super(Still, self).step(key, x), lambda: x)  # JAX401

def main(key):
    return Noisy().step(key, jnp.ones(()))

# --- a record whose decorator is the project's, and which only keeps the key
import dataclasses
from functools import partial

def struct(cls, meta_fields=()):
    cls = dataclasses.dataclass(cls)
    names = [one.name for one in dataclasses.fields(cls)]
    data = [name for name in names if name not in meta_fields]
    return jax.tree_util.register_dataclass(cls, data_fields=data, meta_fields=list(meta_fields))

@partial(struct, meta_fields=("name",))
class State:
    weights: jax.Array
    name: str
    key: jax.Array

def update(state, x):
    return State(state.weights + x, state.name, state.key), x.sum()

def collect(state):
    key, sub = jax.random.split(state.key)
    return jax.random.normal(sub, (3,)), dataclasses.replace(state, key=key)

def main(key, steps=2, epochs=2):
    state = State(jnp.zeros(3), "a", key)
    for _ in range(steps):
        x, state = collect(state)
        for _ in range(epochs):
            state, loss = update(state, x)
    return state

# --- a record whose decorator is the project's, and a method that draws from the key
import dataclasses

def struct(cls):
    return jax.tree_util.register_dataclass(dataclasses.dataclass(cls))

@struct
class State:
    weights: jax.Array
    key: jax.Array

    def jittered(self):
        return State(self.weights + jax.random.normal(self.key, (3,)), self.key)

def main(key):
    state = State(jnp.zeros(3), key)
    return state.jittered().weights + jax.random.normal(state.key)  # JAX401

# --- a seed that the loop gives, and the object's own key where there is none
class Sampler:
    def __init__(self, key):
        self.key = key

    def sample(self, n, seed=None):
        key = jax.random.key(seed) if seed is not None else self.key
        key, sub = jax.random.split(key)
        if seed is None:
            self.key = key
        return jax.random.normal(sub, (n,))

def main(key, steps=3):
    sampler, drawn = Sampler(key), []
    for step in range(steps):
        drawn.append(sampler.sample(2, seed=step * 10))
    return drawn

# --- a seed that nobody gives, and the object's own key
class Sampler:
    def __init__(self, key):
        self.key = key

    def sample(self, n, seed=None):
        key = jax.random.key(seed) if seed is not None else self.key
        return jax.random.normal(key, (n,))

def main(key, steps=3):
    sampler, drawn = Sampler(key), []
    for step in range(steps):
        drawn.append(sampler.sample(2))  # JAX403
    return drawn

# --- an object of which nothing is known, and whose key compiled functions and loops move on
class Bag:
    def __init__(self, key, x):
        self.key = key
        self.x = x

def step(model):
    model.key, sub = jax.random.split(model.key)
    model.x = model.x + jax.random.normal(sub)
    return model

def trained(model, steps):
    model = jax.jit(step)(model)
    model = jax.lax.fori_loop(0, 3, lambda i, model: step(model), model)
    model, _ = jax.lax.scan(lambda model, x: (step(model), None), model, None, 3)
    for _ in range(steps):
        model = jax.jit(step)(model)
    return model

jax.tree_util.register_pytree_node(Bag, lambda bag: ((bag.key, bag.x), None), lambda _, parts: Bag(*parts))

def main(key):
    return trained(Bag(key, jnp.zeros(())), 2)

# --- the key of an object that a loop has moved on in a copy
class Bag:
    def __init__(self, key):
        self.key = key

def step(model):
    model.key, sub = jax.random.split(model.key)
    return model

def trained(model):
    moved = jax.lax.fori_loop(0, 3, lambda i, model: step(model), model)
    return moved, jax.random.normal(model.key)  # JAX401

jax.tree_util.register_pytree_node(Bag, lambda bag: ((bag.key,), None), lambda _, parts: Bag(*parts))

def main(key):
    return trained(Bag(key))

# --- an object that hands out its key only when JAX takes it apart
class Model:
    def __init__(self, key, size):
        self.key = key
        self.size = size

    def _flatten(self):
        children = (self.key,)
        return children, {"size": self.size}

    @classmethod
    def _unflatten(cls, structure, children):
        return cls(*children, **structure)

jax.tree_util.register_pytree_node(Model, Model._flatten, Model._unflatten)

@jax.jit
def started(model):
    model.key, sub = jax.random.split(model.key)
    return model, jax.random.normal(sub, (model.size,))

def main(key):
    return started(Model(key=key, size=3))

# --- an object keeps one key, and the calls that use it are given another one twice
class Env:
    def __init__(self, key):
        self.key = key

    def reset(self):
        return jax.random.normal(self.key)  # JAX401

def rollout(env, key):
    start, noise = jax.random.split(key)
    return env.reset() + jax.random.normal(start) + jax.random.normal(noise)

def evaluate(env, key):
    return sum(rollout(env, each) for each in jax.random.split(key))

def main():
    env = Env(jax.random.key(0))
    key = jax.random.key(1)
    return rollout(env, key), evaluate(env, key)  # JAX401
