# Classes that a call registers as pytrees in the module that makes them: what it names as children is traced.
import jax
import jax.numpy as jnp
import pytest


class Walk:
    def __init__(self, place=None, steps=None, name=""):
        self.place = place
        self.steps = steps
        self.name = name

    def _flatten(self):
        children = (self.place, self.steps)
        return (children, {"name": self.name})

    @classmethod
    def _unflatten(cls, aux, children):
        return cls(*children, **aux)


# --- a number among the children is a tracer
jax.tree_util.register_pytree_node(Walk, Walk._flatten, Walk._unflatten)


@jax.jit
def walked(walk):
    for _ in range(walk.steps):  # JAX204
        walk.place = walk.place + 1.0
    return walk


def main():
    walked(Walk(jnp.zeros(2), 3))


# --- also in a loop that carries the object
jax.tree_util.register_pytree_node(Walk, Walk._flatten, Walk._unflatten)


@jax.jit
def once(number, walk):
    if walk.steps > 2:  # JAX201
        walk.place = walk.place + number
    return walk


@jax.jit
def often(walk):
    return jax.lax.fori_loop(0, walk.steps, once, walk)


def main():
    often(Walk(jnp.zeros(2), 3))


# --- what it names as the structure is not
jax.tree_util.register_pytree_node(
    Walk, lambda walk: ((walk.place,), (walk.steps, walk.name)), lambda aux, children: Walk(*children, *aux)
)


@jax.jit
def walked(walk):
    for _ in range(walk.steps):
        walk.place = walk.place + 1.0
    return walk.place if walk.name else -walk.place


def main():
    assert walked(Walk(jnp.zeros(2), 3)).tolist() == [-3.0, -3.0]


# --- nor what a class is given that is registered as a dataclass
class Point:
    def __init__(self, place, kind):
        self.place = place
        self.kind = kind


jax.tree_util.register_dataclass(Point, ["place"], ["kind"])


@jax.jit
def moved(point):
    return point.place + 1 if point.kind > 1 else point.place


@jax.jit
def checked(point):
    return point.place if point.place > 1 else -point.place  # JAX201


def main():
    assert moved(Point(1, 2)) == 2
    checked(Point(1, 2))


# --- a class derived from it is registered only by a call of its own
jax.tree_util.register_pytree_node(Walk, Walk._flatten, Walk._unflatten)


class Longer(Walk):
    pass


def steps(walk):
    return [step for step in range(walk.steps)]


def main():
    with pytest.raises(TypeError):
        jax.jit(steps)(Longer(jnp.zeros(2), 3))
    assert steps(Longer(jnp.zeros(2), 3)) == [0, 1, 2]
