# Keys in a state that is replaced, and in lists that are halved.

import jax
import jax.numpy as jnp

# --- renewed by replace
from typing import NamedTuple

class State(NamedTuple):
    params: jax.Array
    key: jax.Array

def learner(draw):
    def update(state: State, _):
        def step(state: State, _):
            params, key = state
            key, sub = jax.random.split(key)
            return state._replace(key=key), draw(sub)

        state, noise = jax.lax.scan(step, state, None, 3)
        params, key = state
        key, sub = jax.random.split(key)
        return state._replace(params=params + draw(sub), key=key), noise

    return lambda state: jax.lax.scan(update, state, None, 2)

def main(key):
    learn = jax.jit(learner(jax.random.normal))
    state = State(jnp.zeros(()), key)
    for _ in range(2):
        state, _ = learn(state)
    return jax.random.normal(state.key)

# --- renewed by replace of a mapping
from typing import NamedTuple

class State(NamedTuple):
    params: jax.Array
    key: jax.Array

def step(state, changes):
    params, key = state
    key, sub = jax.random.split(key)
    changes = dict(changes)
    changes["key"] = key
    state = state._replace(**changes)
    params, key = state
    return state, jax.random.normal(key)

def main(key):
    return jax.jit(step)(State(jnp.zeros(()), key), {"params": jnp.ones(())})[1]

# --- renewed by dataclasses replace
import dataclasses

@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    params: jax.Array
    key: jax.Array

def step(state, _):
    key, sub = jax.random.split(state.key)
    return dataclasses.replace(state, key=key), jax.random.normal(sub)

def main(key):
    state, noise = jax.lax.scan(step, State(jnp.zeros(()), key), None, 3)
    return noise, jax.random.normal(state.key)

# --- kept by replace
from typing import NamedTuple

class State(NamedTuple):
    params: jax.Array
    key: jax.Array

def step(state, _):
    key, sub = jax.random.split(state.key)
    return state._replace(params=jax.random.normal(sub)), None  # JAX403

def main(key):
    return jax.lax.scan(step, State(jnp.zeros(()), key), None, 3)

# --- the old one put back by replace
from typing import NamedTuple

class State(NamedTuple):
    params: jax.Array
    key: jax.Array

def step(state, _):
    params, key = state
    new_key, sub = jax.random.split(key)
    return State(params + jax.random.normal(sub), key), None  # JAX403

def main(key):
    return jax.lax.scan(step, State(jnp.zeros(()), key), None, 3)

# --- the count replaced and the key kept
from typing import NamedTuple

class State(NamedTuple):
    count: jax.Array
    key: jax.Array

@jax.jit
def step(state):
    count, key = state
    noise = jax.random.normal(key)
    state = state._replace(count=count + 1)
    _, key = state
    return noise + jax.random.normal(key)  # JAX401

def main(key):
    return step(State(jnp.zeros(()), key))

# --- halves of a list
def main(key, callee):
    halves = lambda key, count: list(jax.random.split(key, count))
    for _ in range(3):
        key, sub = halves(key, 2)
        callee.run(sub)
    return jax.random.normal(key)

# --- halves of a mapped list
def main(key, callee):
    halves = jax.vmap(lambda key: list(jax.random.split(key)))
    keys = jax.random.split(key, 1)
    for _ in range(3):
        keys, subs = halves(keys)
        callee.run(subs[0])
    return jax.random.normal(keys[0])

# --- halves of a jitted list
def main(key, callee, count=2):
    halves = jax.jit(lambda key, count: list(jax.random.split(key, count)), static_argnums=1)
    for _ in range(3):
        key, sub = halves(key, count)
        callee.run(sub)
    return jax.random.normal(key)

# --- one half of a list twice
def main(key):
    halves = lambda key, count: list(jax.random.split(key, count))
    for _ in range(3):
        key, sub = halves(key, 2)
        noise = jax.random.normal(sub) + jax.random.uniform(sub)  # JAX401
    return noise

# --- a dict that is handed in with a key that is replaced before a loop carries it
def draw(S, _):
    S["key"], sub = jax.random.split(S["key"])
    return S, jax.random.normal(sub)

def run(S):
    S["key"], sub = jax.random.split(S["key"])
    S, drawn = jax.lax.scan(draw, S, None, length=3)
    return jax.random.normal(sub), drawn

def main(key):
    return run({"key": key})

# --- a dict that is handed in with a key that is split before a loop carries it
def draw(S, _):
    S["key"], sub = jax.random.split(S["key"])
    return S, jax.random.normal(sub)

def run(S):
    _, sub = jax.random.split(S["key"])
    S["count"] = 0
    S, drawn = jax.lax.scan(draw, S, None, length=3)  # JAX401
    return jax.random.normal(sub), drawn

def main(key):
    return run({"key": key})

# --- a record that nobody knows, with a key that its copies keep
from flax import struct

@struct.dataclass
class State:
    params: jax.Array
    rng: jax.Array

def step(state, x):
    noise = jax.random.normal(state.rng, x.shape)
    return state.replace(params=state.params - noise)  # JAX403

def train(state, xs):
    for x in xs:
        state = step(state, x)
    return state

def main(key):
    return train(globals()["State"](jnp.ones(3), key), jnp.ones((3, 3)))

# --- a record that nobody knows, with a key that is another one in each copy
from flax import struct

@struct.dataclass
class State:
    params: jax.Array
    rng: jax.Array
    step: int = 0

def split(state, x):
    rng, sub = jax.random.split(state.rng)
    noise = jax.random.normal(sub, x.shape)
    return state.replace(params=state.params - noise, rng=rng)

def late(state, x):
    rng, sub = jax.random.split(state.rng)
    state = state.replace(params=state.params - jax.random.normal(sub, x.shape))
    return state.replace(rng=rng)

@jax.jit
def folded(state, x):
    noise = jax.random.normal(jax.random.fold_in(state.rng, state.step), x.shape)
    return state.replace(params=state.params - noise, step=state.step + 1)

def train(state, xs):
    for x in xs:
        state = split(state, x)
        state = late(state, x)
    return state

def train_folded(state, xs):
    for x in xs:
        state = folded(state, x)
    return state

def main(key):
    key, other = jax.random.split(key)
    xs = jnp.ones((3, 3))
    train_folded(globals()["State"](jnp.ones(3), other), xs)
    return train(globals()["State"](jnp.ones(3), key), xs)

# --- a record that a compiled function is declared to take, and that draws by a method
from flax import struct

@struct.dataclass
class State:
    params: jax.Array
    rng: jax.Array

    def peek(self):
        _, sub = jax.random.split(self.rng)
        return sub

@jax.jit
def step(state: State, x):
    noise = jax.random.normal(state.peek(), x.shape)
    return state.replace(params=state.params - noise)  # JAX403

def train(state, xs):
    for x in xs:
        state = step(state, x)
    return state

def main(key):
    return train(globals()["State"](jnp.ones(3), key), jnp.ones((3, 3)))

# --- a record that a compiled function is declared to take, and that hands on another by a method
from flax import struct

@struct.dataclass
class State:
    params: jax.Array
    rng: jax.Array

    def drawn(self):
        rng, sub = jax.random.split(self.rng)
        return self.replace(rng=rng), sub

@jax.jit
def step(state: State, x):
    state, sub = state.drawn()
    return state.replace(params=state.params - jax.random.normal(sub, x.shape))

def train(state, xs):
    for x in xs:
        state = step(state, x)
    return state

def main(key):
    return train(globals()["State"](jnp.ones(3), key), jnp.ones((3, 3)))
