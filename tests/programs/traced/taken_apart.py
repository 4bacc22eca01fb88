# What a class's own `tree_flatten` puts into the structure is no tracer, as far as its text says what that is.

from dataclasses import asdict, dataclass, field, replace

import jax
import jax.numpy as jnp
import numpy as np
from flax import struct

# --- rest of the fields in the structure
@jax.tree_util.register_pytree_node_class
@dataclass(init=False)
class Mesh:
    sizes: tuple = None
    box: jax.Array = None

    def __init__(self, sizes, box):
        self.__dict__.update(sizes=sizes, box=box)

    def tree_flatten(self):
        state = asdict(self)
        return tuple(state.pop(name) for name in ["box"]), state

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(aux["sizes"], *children)

@jax.jit
def shape_of(mesh):
    return jnp.zeros(tuple(np.roll(mesh.sizes, 1)))

@jax.jit
def scaled(mesh):
    return np.roll(mesh.box, 1)  # JAX213

def main():
    mesh = Mesh((2, 3), jnp.ones(2))
    return shape_of(mesh), scaled(mesh)

# --- names listed in the class
@jax.tree_util.register_pytree_node_class
@dataclass
class Grid:
    cells: jax.Array
    size: int
    _leaves = ("cells",)
    _others = ["size"]

    def tree_flatten(self):
        aux = {name: getattr(self, name) for name in self._others}
        return [getattr(self, name) for name in type(self)._leaves], aux

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children, **aux)

@jax.jit
def f(grid: Grid):
    if grid.size > 2:
        return grid.cells[: grid.size]
    if grid.cells[0] > 2:  # JAX201
        return grid.cells
    return -grid.cells

def main():
    return f(Grid(jnp.ones(3), 1))

# --- inherited
class Named:
    def tree_flatten(self):
        names = ["cells"] + ["faces"]
        return tuple(getattr(self, name) for name in names), tuple([self.size])

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children, *aux)

@jax.tree_util.register_pytree_node_class
@dataclass
class Grid(Named):
    cells: jax.Array
    faces: jax.Array
    size: int

@jax.jit
def f(grid):
    if grid.size > 2:
        return grid.cells[: grid.size]
    if grid.faces[0] > 2:  # JAX201
        return grid.faces
    return -grid.cells

def main():
    return f(Grid(jnp.ones(3), jnp.ones(3), 1))

# --- not to be read
def parts_of(record):
    return (record.cells,), record.size

@jax.tree_util.register_pytree_node_class
@dataclass
class Grid:
    cells: jax.Array
    size: int

    def tree_flatten(self):
        return parts_of(self)

    @classmethod
    def tree_unflatten(cls, size, children):
        return cls(*children, size)

@jax.jit
def f(grid):
    return grid.cells[: grid.size] if grid.size > 2 else grid.cells

def main():
    return f(Grid(jnp.ones(3), 1))

# --- one more child for each class derived
@jax.tree_util.register_pytree_node_class
@dataclass
class Base:
    cells: jax.Array
    size: int

    def tree_flatten(self):
        return (self.cells,), (self.size,)

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(children[0], aux[0], *children[1:], *aux[1:])

@jax.tree_util.register_pytree_node_class
@dataclass
class Grid(Base):
    faces: jax.Array
    order: int

    def tree_flatten(self):
        children, aux = super().tree_flatten()
        return (*children, self.faces), (*aux, self.order)

@jax.jit
def f(grid):
    if grid.order > 2 or grid.size > 2:
        return grid.cells
    if grid.faces[0] > 2:  # JAX201
        return grid.faces
    return grid.cells

def main():
    return f(Grid(jnp.ones(3), 1, jnp.ones(3), 2))

# --- made anew from the children
@jax.tree_util.register_pytree_node_class
class Norm:
    total: float

    def __init__(self, x):
        self.x = x
        self.total = 1.0 if isinstance(x, float) else jnp.sum(x)

    def tree_flatten(self):
        return (self.x,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)

@jax.jit
def f(norm):
    return norm.x / norm.total

def main():
    return f(Norm(jnp.ones(3)))

# --- with the names of the children
@jax.tree_util.register_pytree_with_keys_class
@dataclass
class Grid:
    cells: jax.Array
    size: int

    def tree_flatten_with_keys(self):
        return [(jax.tree_util.GetAttrKey("cells"), self.cells)], self.size

    @classmethod
    def tree_unflatten(cls, size, children):
        return cls(*children, size)

@jax.jit
def f(grid):
    if grid.size > 2:
        return grid.cells
    if grid.cells[0] > 2:  # JAX201
        return grid.cells
    return -grid.cells

def main():
    return f(Grid(jnp.ones(3), 1))

# --- structure of what a trace has given
class Buffer(struct.PyTreeNode):
    size: int = struct.field(pytree_node=False)
    data: jax.Array
    index: int

    @classmethod
    def empty(cls, size):
        return cls(size=size, data=jnp.zeros(size), index=0)

    @jax.jit
    def extend(self, batch):
        if batch.shape[0] > self.size:
            raise ValueError("too long")
        return self.replace(data=self.data.at[self.index].set(batch[0]), index=self.index + 1)

    @jax.jit
    def is_full(self):
        return self.index > self.size or self.index > 10  # JAX202

def main():
    buffer = Buffer.empty(3)
    for _ in range(2):
        buffer = buffer.extend(jnp.ones(2))
    return buffer.extend(jnp.ones(1)).is_full()

# --- the last that a generator gives
@jax.jit
def f(x, y: jax.Array):
    def powers(x, count):
        for _ in range(count):
            x = x * x
            yield x

    return np.linalg.norm([*powers(y, len(x))][-1])  # JAX213

def main():
    f((1.0, 2.0), jnp.ones(3))

# --- a display with a starred part
@jax.jit
def f(x: jax.Array, *others):
    for one in (*others, x):
        if one > 0:  # JAX201
            return one

def main():
    f(1.0, 2.0)

# --- a shape with a starred part
@jax.jit
def f(x: jax.Array):
    rows = jnp.zeros((*x.shape[:-1], 1))
    if (*x.shape[:-1], 1) == rows.shape:
        return rows.reshape((*x.shape[:-1], -1))
    return x

def main():
    f(jnp.ones((2, 3)))

# --- fields by names that nobody knows
from typing import NamedTuple

class State(NamedTuple):
    w: jax.Array
    b: jax.Array

    @property
    def total(self):
        return self.w.sum() + self.b

@jax.jit
def f(params: dict[str, jax.Array]):
    state = State(**{name: value * 0.5 for name, value in params.items()})
    if state.total > 0:  # JAX201
        return state
    return params

def main():
    f({"w": jnp.ones(3), "b": jnp.ones(())})

# --- options by names that nobody knows
def scaled(x, mode="train", **scales):
    if mode == "eval":
        return x
    return x * sum(scales.values())

def kept(mode, x):
    return x if mode == "train" else -x

@jax.jit
def f(x: jax.Array, names=("a", "b")):
    scales = {f"{i}": x for i in range(len(x.shape))}
    return scaled(x, **scales) + kept(**{"x": x, **{"mode": "train"}})

def main():
    f(jnp.ones(3))

# --- told by an annotation alone, and named as what an array has
@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Params:
    scale: float
    count: int = field(metadata={"static": True})
    T: int = field(metadata={"static": True})

@jax.jit
def step(params: Params, key):
    return jax.random.normal(key, (params.count, params.T)) * params.scale

def run(params, key):
    print(params.count)
    return step(params, key)

def main():
    return globals()["run"](Params(2.0, 3, 2), jax.random.key(0))

# --- told by an annotation alone to be traced, and named as what an array has
@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Params:
    T: jax.Array
    count: int = field(metadata={"static": True})

@jax.jit
def step(params: Params, key):
    return jax.random.normal(key, (params.count, params.T))  # JAX223

def run(params, key):
    print(params.count)
    return step(params, key)

def main():
    return globals()["run"](Params(3, 2), jax.random.key(0))
