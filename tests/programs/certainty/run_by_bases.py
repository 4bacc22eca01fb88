# Methods that the base of a class, in a library, runs under a transform.
import jax
import jax.numpy as jnp
from flax import struct
from gymnax.environments import environment


@struct.dataclass
class State:
    time: int
    cards: jax.Array


# --- the step and the reset of an environment of gymnax are compiled, whoever calls them
class Cards(environment.Environment):
    def step_env(self, key, state: State, action, params):
        reward = 1.0
        if state.cards[state.time] == action:  # JAX201 certain
            reward = 0.0
        return state.cards, State(state.time + 1, state.cards), reward, False, {}

    def reset_env(self, key, params):
        if self.is_long:
            key, _ = jax.random.split(key)
        cards = self.shuffled(key)
        return cards, State(0, cards)

    def shuffled(self, key):
        cards = jax.random.permutation(key, 52)
        self.last = cards  # JAX107 certain
        return cards


# --- what nobody compiles: an environment with a step of its own, and another class with such a method
class Own(environment.Environment):
    def step(self, key, state, action, params=None):
        return self.step_env(key, state, action, params)

    def step_env(self, key, state: State, action, params):
        if state.cards[state.time] == action:
            return state.cards, state, 0.0, False, {}
        return state.cards, state, 1.0, False, {}


class Chosen(environment.Environment):
    @property
    def step_env(self):
        return lambda key, state, action, params: (state.cards, state, 0.0, False, {})


class Plain:
    def step_env(self, key, state: State, action, params):
        return 0.0 if state.cards[state.time] == action else 1.0


# --- a class between replaces what runs it, another leaves it to the library
class Between(environment.Environment):
    def step(self, key, state, action, params=None):
        return self.step_env(key, state, action, params)


class Eager(Between):
    def step_env(self, key, state: State, action, params):
        return (0.0 if state.cards[state.time] == action else 1.0), state


class Named(environment.Environment):
    name = "cards"


class Compiled(Named):
    def step_env(self, key, state: State, action, params):
        return (0.0 if state.cards[state.time] == action else 1.0), state  # JAX201 certain
