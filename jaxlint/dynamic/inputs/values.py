"""The values that made-up calls consist of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp

SIZES = (3, 2, 4, 5, 6, 7)
"""What named dimensions are, in the order in which they are met: no two alike, so that mixed-up axes are seen."""

KEPT, GIVEN, FIRST, OTHER = "kept", "given", "first", "other"
"""What becomes of defaults: they are kept; None is replaced by a value, or only the first None is; flags and modes
are turned to another."""


class Unknown(Exception):
    """Nothing says what this could be."""


@dataclass(slots=True)
class Choice:
    """One point of the lattice: what an array is that nothing more is known of, and the sizes of named dimensions."""

    shape: tuple[int, ...] = (3,)
    dtype: str = "float32"
    typed_keys: bool = False
    integers: tuple[int, ...] | None = None  # the shape of indices and labels, where it is another
    dims: dict[str, int] = field(default_factory=dict)

    def size(self, dim: str) -> int:
        return self.dims.setdefault(dim, SIZES[len(self.dims) % len(SIZES)])


_STRUCT: Callable[..., jax.ShapeDtypeStruct] = jax.ShapeDtypeStruct


def array(shape: tuple[int, ...], dtype: Any) -> jax.ShapeDtypeStruct:
    return _STRUCT(shape, jnp.dtype(dtype) if isinstance(dtype, str) else dtype)


def free_array(choice: Choice) -> jax.ShapeDtypeStruct:
    return array(choice.shape, choice.dtype)


def key(choice: Choice) -> jax.ShapeDtypeStruct:
    if choice.typed_keys:
        return jax.eval_shape(lambda: jax.random.key(0))  # type: ignore[no-any-return]
    return array((2,), "uint32")


def keys(choice: Choice) -> jax.ShapeDtypeStruct:
    one = key(choice)
    return array((3, *one.shape), one.dtype)


class AnyFunction:
    """A function nothing is known of: it gives back its first array, or ``result`` of that array."""

    def __init__(self, name: str, result: str = "same", count: int = 0) -> None:
        self.__name__ = self.__qualname__ = name
        self.result = result
        self.count = count

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        arrays = [leaf for leaf in jax.tree_util.tree_leaves((args, kwargs)) if hasattr(leaf, "dtype")]
        first = args[0] if args and jax.tree_util.tree_leaves(args[0]) else arrays[0] if arrays else jnp.zeros(3)
        if self.result == "scalar":
            first = sum((jnp.sum(leaf) for leaf in arrays if leaf.dtype.kind in "fiub"), start=jnp.float32(0))
        return tuple(args[position] if position < len(args) else first for position in range(self.count)) or first

    def __repr__(self) -> str:
        return f"<any {self.__name__}>"


@jax.tree_util.register_pytree_node_class
class AnyObject:
    """An object of which only the attributes that the source reads are known."""

    def __init__(self, attributes: dict[str, Any]) -> None:
        self.__dict__.update(attributes)

    def tree_flatten(self) -> tuple[list[Any], tuple[str, ...]]:
        return list(self.__dict__.values()), tuple(self.__dict__)

    @classmethod
    def tree_unflatten(cls, names: tuple[str, ...], values: list[Any]) -> AnyObject:
        return cls(dict(zip(names, values)))

    def replace(self, **changes: Any) -> AnyObject:
        return AnyObject({**self.__dict__, **changes})

    _replace = replace

    def __repr__(self) -> str:
        return f"<any object with {', '.join(self.__dict__)}>"
