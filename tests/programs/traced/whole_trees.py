# What trees are that were mapped, taken apart and put together again.

import dataclasses

import jax
import jax.numpy as jnp

# --- a record of tracers that a map over its leaves has changed
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    total: jax.Array
    step: int
    name: str = dataclasses.field(metadata={"static": True})

    def copied(self):
        return jax.tree.map(lambda leaf: leaf, self)

@jax.jit
def run(state: State):
    state = jax.tree.map(lambda leaf: 2 * leaf, state.copied())
    if state.name == "first":
        return state.total
    if state.step > 0:  # JAX201
        return state.total
    return -state.total

def main():
    return run(State(jnp.ones(3), 1, "second"))

# --- a record of shapes that a map over its leaves has made
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    total: jax.Array
    step: int

@jax.jit
def run(state: State):
    shapes = jax.tree.map(jnp.shape, state)
    ranks = jax.tree.map(lambda leaf: leaf.ndim, state)
    if shapes.total or ranks.step > 0:
        return state.total
    return state.step

def main():
    return run(State(jnp.ones(3), 1))

# --- a tree that is taken apart, and put together again
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    total: jax.Array
    step: int

    def copied(self):
        leaves, structure = jax.tree.flatten(self)
        return jax.tree.unflatten(structure, leaves)

@jax.jit
def run(state: State):
    state = state.copied()
    while state.step > 0:  # JAX201
        state.step -= 1
    return state

def main():
    return run(State(jnp.ones(3), 1))

# --- the leaves of a tree that is taken apart
@jax.jit
def run(params):
    leaves, structure = jax.tree_util.tree_flatten(params)
    if not leaves or leaves[0].ndim > 3 or len(leaves) > 9:
        return params
    return [leaf if leaf.sum() > 0 else -leaf for leaf in leaves]  # JAX201

def main():
    return run({"a": jnp.ones(3), "b": jnp.ones(2)})

# --- other leaves are put together
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    total: jax.Array
    step: int

@jax.jit
def counted(state: State):
    leaves, structure = jax.tree.flatten(state)
    ranks = jax.tree.unflatten(structure, [leaf.ndim for leaf in leaves])
    return state.total if ranks.total > 0 else state.step

@jax.jit
def replaced(state: State):
    leaves, structure = jax.tree.flatten(state)
    leaves[0] = 3
    state = jax.tree.unflatten(structure, leaves)
    return state.step if state.total > 0 else 0

@jax.jit
def partly(params):
    leaves, structure = jax.tree.flatten(params, is_leaf=lambda part: isinstance(part, list))
    return leaves[0][0] if leaves[0] else leaves

@jax.jit
def along(params, others):
    leaves, structure = jax.tree.flatten((params, 3))
    if leaves[-1] > 2:
        return structure.unflatten([other + leaf for leaf, other in zip(leaves, structure.flatten_up_to(others))])

def main():
    state = State(jnp.ones(3), 1)
    return counted(state), replaced(state), partly([[jnp.ones(3)], []]), along(jnp.ones(3), (1.0, 2.0))

# --- a record that is taken apart into all its fields
@jax.tree_util.register_pytree_node_class
@dataclasses.dataclass
class State:
    total: jax.Array
    step: int

    def tree_flatten(self):
        names = tuple(field.name for field in dataclasses.fields(self))
        return tuple(getattr(self, field.name) for field in dataclasses.fields(self)), names

    @classmethod
    def tree_unflatten(cls, names, children):
        return cls(**dict(zip(names, children)))

@jax.jit
def run(state: State):
    return state.total if state.step > 0 else -state.total  # JAX201

def main():
    return run(State(jnp.ones(3), 1))

# --- a record that is taken apart into the values of all its attributes
@jax.tree_util.register_pytree_node_class
@dataclasses.dataclass
class State:
    total: jax.Array
    step: int

    def tree_flatten(self):
        return list(vars(self).values()), list(self.__dict__.keys())

    @classmethod
    def tree_unflatten(cls, names, children):
        return cls(**dict(zip(names, children)))

@jax.jit
def run(state: State):
    return state.total if state.step > 0 else -state.total  # JAX201

def main():
    return run(State(jnp.ones(3), 1))

# --- records that are taken apart into some of their fields
class Part:
    @classmethod
    def tree_unflatten(cls, names, children):
        made = object.__new__(cls)
        vars(made).update(names, total=children[0])
        return made

@jax.tree_util.register_pytree_node_class
@dataclasses.dataclass
class Popped(Part):
    total: jax.Array
    step: int

    def tree_flatten(self):
        children = dict(vars(self))
        step = children.pop("step")
        return list(children.values()), {"step": step}

@jax.tree_util.register_pytree_node_class
@dataclasses.dataclass
class Chosen(Part):
    total: jax.Array
    step: int = dataclasses.field(metadata={"kept": True})

    def tree_flatten(self):
        fields = dataclasses.fields(self)
        kept = {field.name: getattr(self, field.name) for field in fields if field.metadata.get("kept")}
        return tuple(getattr(self, field.name) for field in fields if not field.metadata.get("kept")), kept

@jax.tree_util.register_pytree_node_class
@dataclasses.dataclass
class Named(Part):
    total: jax.Array
    step: int

    def tree_flatten(self):
        lengths = [len(field.name) for field in dataclasses.fields(self)]
        return [getattr(self, name) for name in ("total", "step")[: lengths[1] - 3]], {"step": self.step}

@jax.jit
def popped(state: Popped):
    return state.total if state.step > 0 else -state.total

@jax.jit
def chosen(state: Chosen):
    return state.total if state.step > 0 else -state.total

@jax.jit
def named(state: Named):
    return state.total if state.step > 0 else -state.total

def main():
    total = jnp.ones(3)
    return popped(Popped(total, 1)), chosen(Chosen(total, 1)), named(Named(total, 1))

# --- a dict that is united with another one is no array
@jax.jit
def step(member, rate):
    moved = jax.tree.map(lambda p: p - rate, member["layers"])
    made = member | {"layers": moved, "steps": 1}
    if made and "layers" in made and made["steps"]:
        made = {"rate": rate} | made
    return made if made["rate"] else member  # JAX201

AXES = {"layers": 0, "scale": None}

@jax.jit
def mapped(members, rates):
    def update(member, rate):
        return member | {"layers": member["layers"] - rate}, rate

    return jax.vmap(update, in_axes=(AXES, 0), out_axes=(AXES, 0))(members, rates)

def main():
    mapped({"layers": jnp.ones((3, 2)), "scale": jnp.ones(2)}, jnp.ones(3))
    return step({"layers": jnp.ones(3)}, 0.1)
