# Objects that an annotation declares.

import jax
import jax.numpy as jnp

from dataclasses import dataclass
from typing import Optional, Union

class Loud:
    def act(self, key):
        return jax.random.normal(key)

class Other:
    def act(self, key):
        return jax.random.uniform(key)

class Silent:
    def act(self, key):
        return 0.0

# --- either of two classes that both draw
def act(policy: Loud | Other, key):
    x = jax.random.normal(key)
    return x + policy.act(key)  # JAX401

def main(key):
    return act(Loud(), key)

# --- a union that is written in the old way
def act(policy: "Union[Loud, Other]", key):
    return policy.act(key) + jax.random.normal(key)  # JAX401

def main(key):
    return act(Loud(), key)

# --- an object or none
def act(policy: Optional[Loud], key):
    if policy is None:
        return jax.random.normal(key)
    return policy.act(key) + jax.random.normal(key)  # JAX401

def main(key):
    return act(Loud(), key)

# --- a field of either class
@dataclass
class Agent:
    policy: Loud | Other
    second: Optional[Loud] = None

    def act(self, key):
        return self.policy.act(key) + jax.random.normal(key)  # JAX401

    def act_again(self, key):
        return self.second.act(key) + jax.random.normal(key)  # JAX401

def main(key):
    return Agent(Loud()).act(key)

# --- an attribute that is given as either class
class Agent:
    def __init__(self, policy: Loud | Other, name="agent"):
        self.policy = policy
        self.name = name

    def act(self, key):
        x = jax.random.normal(key)
        return x + self.policy.act(key)  # JAX401

def main(key):
    return Agent(Loud()).act(key)

# --- one of two classes draws nothing
def act(policy: Loud | Silent, key):
    x = jax.random.normal(key)
    return x + policy.act(key)  # JAX402

def main(key):
    return globals()["act"](Loud(), key)

# --- a union with what nobody can look up
def act(policy: Loud | object, key):
    x = jax.random.normal(key)
    return x + policy.act(key)  # JAX402 possible

def main(key):
    return globals()["act"](Loud(), key)

# --- neither of two classes draws
class Still(Silent):
    pass

def act(policy: Silent | Still | None, key):
    return policy.act(key) + jax.random.normal(key)

def main(key):
    return act(Still(), key)

# --- a check tells which class it is
def act(policy: Loud | Silent, key):
    if isinstance(policy, Silent):
        return policy.act(key) + jax.random.normal(key)
    return policy.act(key)

def main(key):
    return act(Silent(), key)

# --- a check tells which class it is not
def act(policy: Loud | Silent, key):
    if not isinstance(policy, Silent):
        return policy.act(key) + jax.random.normal(key)  # JAX401
    return policy.act(key)

def main(key):
    return act(Loud(), key)

# --- each of two classes is given a key of its own
def act(policy: Loud | Other, key):
    key, sub = jax.random.split(key)
    return policy.act(sub) + jax.random.normal(key)

def main(key):
    return act(Other(), key)
