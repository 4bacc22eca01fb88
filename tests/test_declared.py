"""What is declared or can be looked up decides: whether a callee draws, by annotations, decorators and methods of
libraries, and what of a record is traced, by what makes its fields.

Marks say what jaxlint reports; everything else is no use of a key, or one it has no second of.
"""

from __future__ import annotations

import re

import pytest

from jaxlint.api import Certainty, Settings, lint_source

PRELUDE = """
import abc

import distrax
import elsewhere
import flax.linen as nn
import haiku as hk
import jax
import numpyro.distributions as dist

"""

PROGRAMS = {
    "fields that a library which nobody knows has made": """
import dataclasses


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Scale:
    x: jax.Array
    weight: float = dataclasses.field(default=1.0)
    name: str = elsewhere.attribute(default="add")
    size: int = elsewhere.attribute(default=3)


@jax.jit
def scaled(scale: Scale):
    if scale.name == "add":
        return jax.numpy.zeros(scale.size) + scale.x
    if scale.weight > 0:  # JAX201
        return -scale.x
    return scale.x


def main(x):
    return scaled(Scale(x, 1.0, "mul", 4)), scaled(Scale(x))
""",
    "a distribution as a parameter": """
def act(pi: distrax.Distribution, key):
    action = pi.sample(seed=key)
    return action, pi.sample(seed=key)  # JAX401
""",
    "a distribution that an unseen method returns": """
class Policy:
    def __call__(self, obs) -> distrax.Normal:
        raise NotImplementedError

    def prior(self, obs) -> "dist.Normal":
        raise NotImplementedError


def act(policy: Policy, obs, key):
    action = policy(obs).sample(seed=key)
    return action, jax.random.normal(key)  # JAX401


def mode(policy: Policy, obs, key):
    return policy(obs).mode(), jax.random.normal(key)
""",
    "a joint distribution, and what may be one": """
@jax.jit
def names(key, loc):
    joint = distrax.Joint({"a": distrax.Normal(loc, 1.0), "b": distrax.Normal(loc, 2.0)})
    return sorted(joint.sample(seed=key)), loc


def act(pi: distrax.Distribution, key):
    @jax.jit
    def draw(key):
        return len(sorted(pi.sample(seed=key))) + jax.random.normal(key, ())  # JAX401
    return draw(key)
""",
    "a distribution in a field": """
class Agent(nn.Module):
    prior: distrax.Distribution
    scale: float = 1.0

    def act(self, key):
        return self.prior.sample(seed=key) + self.scale * jax.random.normal(key)  # JAX401
""",
    "a class that a factory is declared to return": """
class Noisy:
    def act(self, key):
        return jax.random.normal(key)


class Still:
    def act(self, key):
        return 0.0


def noisy(config) -> Noisy:
    return elsewhere.build(config)


def still(config) -> "Still":
    return elsewhere.build(config)


def either(config) -> Noisy | Still:
    return elsewhere.build(config)


def play(config, key):
    x = noisy(config).act(key)
    return x + jax.random.normal(key)  # JAX401


def play_still(config, key):
    x = still(config).act(key)
    return x + jax.random.normal(key)


def play_either(config, key):
    x = either(config).act(key)
    return x + jax.random.normal(key)  # JAX402


def play_apart(config, key):
    key, sub = jax.random.split(key)
    return noisy(config).act(sub) + jax.random.normal(key)
""",
    "a class that a method or a property is declared to return": """
class Noisy:
    def act(self, key):
        return jax.random.normal(key)


class Holder:
    @property
    def policy(self) -> Noisy:
        return elsewhere.find(self)

    @staticmethod
    def made(config) -> Noisy:
        return elsewhere.build(config)


def play(holder: Holder, key):
    return holder.policy.act(key) + jax.random.normal(key)  # JAX401


def play_made(config, key):
    return Holder.made(config).act(key) + jax.random.normal(key)  # JAX401
""",
    "a class that is declared, and another that replaces its method": """
class Noisy:
    def act(self, key):
        return jax.random.normal(key)


class Still(Noisy):
    def act(self, key):
        return 0.0


class Agent:
    policy: Noisy

    def play(self, key):
        return self.policy.act(key) + jax.random.normal(key)  # JAX402


def make(config) -> Noisy:
    return elsewhere.build(config)


def play(config, key):
    return make(config).act(key) + jax.random.normal(key)  # JAX402
""",
    "an interface that a factory is declared to return": """
class Policy(abc.ABC):
    @abc.abstractmethod
    def act(self, key): ...

    @abc.abstractmethod
    def explore(self, key): ...


class Greedy(Policy):
    def act(self, key):
        return 1.0

    def explore(self, key):
        return jax.random.normal(key)


def make(config) -> Policy:
    return elsewhere.build(config)


def play(config, key):
    return make(config).act(key) + jax.random.normal(key)


def explore(config, key):
    return make(config).explore(key) + jax.random.normal(key)  # JAX402
""",
    "a distribution that a function is declared to return": """
def head(obs) -> distrax.Normal:
    return elsewhere.head(obs)


def prior(obs) -> dist.Distribution:
    return elsewhere.prior(obs)


class Actor:
    def policy(self, obs) -> "distrax.Distribution | None":
        return self.head(obs)


def act(obs, key):
    return head(obs).sample(seed=key) + jax.random.normal(key)  # JAX401


def draw(obs, key):
    found = prior(obs)
    return found.sample(key) + found.sample(key)  # JAX401


def step(actor: Actor, obs, key):
    found = actor.policy(obs)
    action = found.sample(seed=key)
    return action, found.sample_and_log_prob(seed=key)  # JAX401


def mode(obs, key):
    return head(obs).mode() + prior(obs).log_prob(0.0) + jax.random.normal(key)


def maybe(found: distrax.Distribution | None, key):
    return jax.random.normal(key) if found is None else found.sample(seed=key)
""",
    "cells begin at zero": """
class Reader(nn.Module):
    cell: type[nn.RNNCellBase]

    def start(self, key, sizes):
        states = [self.cell(3).initialize_carry(key, (1, size)) for size in sizes]
        return states, jax.random.normal(key)


def start(key):
    carry = nn.LSTMCell(4).initialize_carry(key, (1, 2))
    return carry, jax.random.normal(key)
""",
    "a decorated function": """
@hk.transform
def net(x):
    return hk.Linear(3)(x)


@hk.transform
def noisy(x):
    return x + jax.random.normal(hk.next_rng_key(), x.shape)


def start(x, seed):
    key, other = jax.random.split(jax.random.key(seed))
    params = net.init(key, x)
    return params, jax.random.normal(key)  # JAX402


def run(params, x, seed):
    key = jax.random.key(seed)
    return net.apply(params, key, x), jax.random.normal(key)


def run_noisy(params, x, seed):
    key = jax.random.key(seed)
    return noisy.apply(params, key, x), jax.random.normal(key)  # JAX401
""",
    "a module as a parameter": """
def two(actor: nn.Module, critic: nn.Module, x, seed):
    key = jax.random.key(seed)
    return actor.init(key, x), critic.init(key, x)  # JAX402


def draws(actor: nn.Module, params, x, seed):
    key = jax.random.key(seed)
    return actor.apply(params, x, key), jax.random.normal(key)  # JAX402 possible
""",
    "an iterator over keys goes on": """
def posterior(key, first, second):
    keys = iter(jax.random.split(key, 4))
    total = jax.random.normal(next(keys)) + first.sample(seed=next(keys))
    for _ in range(1):
        total += jax.random.normal(next(keys)) + second.sample(seed=next(keys))
    return total


def folded(key, n):
    total = 0.0
    for i in range(n):
        keys = iter(jax.random.split(jax.random.fold_in(key, i)))
        total += jax.random.normal(next(keys)) + jax.random.uniform(next(keys))
    return total


def one_twice(key, n):
    total = 0.0
    for i in range(n):
        for sub in jax.random.split(jax.random.fold_in(key, i)):
            total += jax.random.normal(sub) + jax.random.uniform(sub)  # JAX401
    return total
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_declared_decides(name: str) -> None:
    source = PRELUDE + PROGRAMS[name]
    lines = enumerate(source.splitlines(), 1)
    expected = {(number, mark[1]) for number, line in lines if (mark := re.search(r"# (JAX\d+)$", line))}
    assert {(finding.location.line, finding.code) for finding in lint_source(source)} == expected
    everything = lint_source(source, settings=Settings(certainty=Certainty.POSSIBLE))
    possible = {number for number, line in enumerate(source.splitlines(), 1) if line.endswith("# JAX402 possible")}
    assert possible <= {finding.location.line for finding in everything if finding.code == "JAX402"}
