# Callees that take a key and leave it alone.

import jax
import jax.numpy as jnp

# --- wrappers around the unseen
import types

class Wrapper:
    def __init__(self, inner):
        self._inner = inner

    def step(self, key, state):
        return self._inner.step(key, state)

class Counted(Wrapper):
    def step(self, key, state):
        state, count = state
        return self._inner.step(key, state), count + 1

def rollout(env, key, state):
    key, sub = jax.random.split(key)
    move = jax.random.normal(sub)
    return env.step(sub, (state, move))  # JAX402

def main(key, callee):
    inner = types.SimpleNamespace(step=lambda key, state: callee(key))
    return rollout(Counted(Wrapper(inner)), key, 1.0)

# --- wrappers around what draws nothing
class Still:
    def step(self, key, state):
        del key
        return state

class Wrapper:
    def __init__(self, inner):
        self._inner = inner

    def step(self, key, state):
        return self._inner.step(key, state)

class Counted(Wrapper):
    def step(self, key, state):
        state, count = state
        return self._inner.step(key, state), count + 1

def rollout(env, key, state):
    key, sub = jax.random.split(key)
    move = jax.random.normal(sub)
    return env.step(sub, (state, move))

def main(key):
    return rollout(Counted(Wrapper(Still())), key, 1.0)

# --- wrappers around one that draws
class Still:
    def step(self, key, state):
        return state + jax.random.normal(key)

class Wrapper:
    def __init__(self, inner):
        self._inner = inner

    def step(self, key, state):
        return self._inner.step(key, state)

class Counted(Wrapper):
    def step(self, key, state):
        state, count = state
        return self._inner.step(key, state), count + 1

def rollout(env, key, state):
    key, sub = jax.random.split(key)
    move = jax.random.normal(sub)
    return env.step(sub, (state, move))  # JAX401

def main(key):
    return rollout(Counted(Wrapper(Still())), key, 1.0)

# --- wrappers around one of two that draw
class Still:
    def step(self, key, state):
        del key
        return state

class Wrapper:
    def __init__(self, inner):
        self._inner = inner

    def step(self, key, state):
        return self._inner.step(key, state)

class Counted(Wrapper):
    def step(self, key, state):
        state, count = state
        return self._inner.step(key, state), count + 1

class Loud(Still):
    def step(self, key, state):
        return state + jax.random.normal(key)

def rollout(env, key, state):
    key, sub = jax.random.split(key)
    move = jax.random.normal(sub)
    return env.step(sub, (state, move))  # JAX401

def main(key):
    return rollout(Counted(Wrapper(Loud())), key, 1.0)

# --- handed again to a function that calls itself
def countdown(x, key, n):
    return x if n == 0 else countdown(x, key, n - 1)

def main(key):
    x = countdown(1.0, key, 3)
    return x + jax.random.normal(key)

# --- handed again to a function that calls itself and draws
def walk(x, key, n):
    return x + jax.random.normal(key) if n == 0 else walk(x, key, n - 1)

def main(key, n=3):
    x = walk(1.0, key, n)
    return x + jax.random.normal(key)  # JAX401

# --- an abstract method of which no version draws
class Policy:
    def act(self, key, obs):
        raise NotImplementedError

class Greedy(Policy):
    def act(self, key, obs):
        return self.best(obs, key=key)

    def best(self, obs, key=None):
        assert key is not None
        return obs * 2

def play(policy: Policy, key):
    return policy.act(key, 1.0) + jax.random.normal(key)

def main(key):
    return play(Greedy(), key)

# --- an abstract method of which one version draws
class Policy:
    def act(self, key, obs):
        raise NotImplementedError

class Greedy(Policy):
    def act(self, key, obs):
        return obs * 2

class Noisy(Policy):
    def act(self, key, obs):
        return obs + jax.random.normal(key)

def play(policy: Policy, key):
    return policy.act(key, 1.0) + jax.random.normal(key)  # JAX402 possible

def main(key):
    return play(globals()["Noisy"](), key)

# --- a method that every class in reach has and none draws in
class Maze:
    @jax.jit
    def advance(self, key, obs):
        return self.moved(key, obs)

    def moved(self, key, obs):
        assert key.shape == () and key is not None, f"{key}"
        return obs + 1

jax.tree_util.register_pytree_node(Maze, lambda maze: ((), None), lambda aux, children: Maze())

def step(world, key):
    return jax.jit(world.advance)(key, 1.0) + world.advance(key, 1.0) + jax.random.normal(key)

def main(key):
    return step(Maze(), key)

# --- a method that one class in reach draws in
class Maze:
    def advance(self, key, obs):
        return obs + 1

class Windy(Maze):
    def advance(self, key, obs):
        return obs + jax.random.normal(key)

def step(world, key):
    return world.advance(key, 1.0) + jax.random.normal(key)  # JAX402 possible

def main(key):
    return step(globals()["Windy"](), key)

# --- a method that stores the key may draw later
class Maze:
    def seed(self, key):
        self.key = key

    def advance(self, obs):
        return obs + jax.random.normal(self.key)

def step(world, key):
    world.seed(key)
    return world.advance(1.0) + jax.random.normal(key)  # JAX402 possible

def main(key):
    return step(globals()["Maze"](), key)

# --- a check of types over a tree
from jax.tree_util import tree_all, tree_map

def is_array(tree, n=1):
    if n == 0:
        return tree_all(tree_map(lambda leaf: isinstance(leaf, (jax.Array, int)), tree))
    return is_array(tree, n - 1)

def main(key):
    return jax.random.normal(key) if is_array(key) else None

# --- a method that asks its options for others by name
class Maze:
    def advance(self, obs, **options):
        return obs + options["step"] * options["scale"]

def step(world, key):
    return world.advance(1.0, step=1, scale=2.0, key=key) + jax.random.normal(key)

def main(key):
    return step(globals()["Maze"](), key)

# --- a method that asks its options for the key
class Maze:
    def advance(self, obs, **options):
        return obs + options["step"] + jax.random.normal(options["key"])

def step(world, key):
    return world.advance(1.0, step=1, key=key) + jax.random.normal(key)  # JAX402 possible

def main(key):
    return step(globals()["Maze"](), key)

# --- a method that hands its options on
class Maze:
    def advance(self, obs, **options):
        return obs + self.noise(**options)

    def noise(self, step, key):
        return step * jax.random.normal(key)

def step(world, key):
    return world.advance(1.0, step=1, key=key) + jax.random.normal(key)  # JAX402 possible

def main(key):
    return step(globals()["Maze"](), key)

# --- a method that only derived classes have and none draws in
class World:
    def step(self, key):
        return self.advance(1.0, key=key) + jax.random.normal(key)

class Maze(World):
    def advance(self, obs, **options):
        return obs + 1

def main(key):
    return Maze().step(key)

# --- a method that only derived classes have and one draws in
class World:
    def step(self, key):
        return self.advance(1.0, key=key) + jax.random.normal(key)  # JAX401

class Maze(World):
    def advance(self, obs, key):
        return obs + 1

class Windy(World):
    def advance(self, obs, key):
        return obs + jax.random.normal(key)

def main(key):
    return Windy().step(key)
