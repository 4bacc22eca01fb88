"""Functions and methods that need the values of an array: to shape their result, to check them, to show them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DataDependent:
    """A function whose result's shape depends on values.

    It works under a trace once one of ``sized_by`` (keyword to position, None for keyword only) is given.
    ``only_with_args``: so only when called with exactly this many arguments (`where(cond)`).
    ``unless``: or once a keyword has this constant (`roots(strip_zeros=False)`).
    ``values``: position and keyword of the argument whose *values* set the shape.
    """

    sized_by: tuple[tuple[str, int | None], ...]
    error: str
    only_with_args: int | None = None
    unless: tuple[str, object] | None = None
    values: tuple[int, str] = (0, "x")


_SIZE = "ConcretizationTypeError"

DATA_DEPENDENT: dict[str, DataDependent] = {
    "jax.numpy.where": DataDependent((("size", None),), _SIZE, only_with_args=1, values=(0, "condition")),
    "jax.numpy.nonzero": DataDependent((("size", None),), _SIZE, values=(0, "a")),
    "jax.numpy.argwhere": DataDependent((("size", None),), _SIZE, values=(0, "a")),
    "jax.numpy.flatnonzero": DataDependent((("size", None),), _SIZE, values=(0, "a")),
    "jax.numpy.unique": DataDependent((("size", None),), _SIZE, values=(0, "ar")),
    "jax.numpy.unique_all": DataDependent((("size", None),), _SIZE),
    "jax.numpy.unique_counts": DataDependent((("size", None),), _SIZE),
    "jax.numpy.unique_inverse": DataDependent((("size", None),), _SIZE),
    "jax.numpy.unique_values": DataDependent((("size", None),), _SIZE),
    "jax.numpy.union1d": DataDependent((("size", None),), _SIZE, values=(0, "ar1")),
    "jax.numpy.intersect1d": DataDependent((("size", None),), _SIZE, values=(0, "ar1")),
    "jax.numpy.setdiff1d": DataDependent((("size", None),), _SIZE, values=(0, "ar1")),
    "jax.numpy.setxor1d": DataDependent((("size", None),), _SIZE, values=(0, "ar1")),
    "jax.numpy.mask_indices": DataDependent((("size", None),), _SIZE, values=(1, "mask_func")),
    "jax.numpy.trim_zeros": DataDependent((), _SIZE, values=(0, "filt")),
    "jax.numpy.roots": DataDependent((), _SIZE, unless=("strip_zeros", False), values=(0, "p")),
    "jax.numpy.bincount": DataDependent((("length", None),), _SIZE),
    "jax.numpy.repeat": DataDependent((("total_repeat_length", None),), _SIZE, values=(1, "repeats")),
    "jax.numpy.delete": DataDependent((), _SIZE, unless=("assume_unique_indices", True), values=(1, "obj")),
    "jax.numpy.extract": DataDependent((("size", None),), _SIZE, values=(0, "condition")),
    "jax.numpy.compress": DataDependent((("size", None),), _SIZE, values=(0, "condition")),
    "jax.ops.segment_sum": DataDependent((("num_segments", 2),), _SIZE, values=(1, "segment_ids")),
    "jax.ops.segment_prod": DataDependent((("num_segments", 2),), _SIZE, values=(1, "segment_ids")),
    "jax.ops.segment_max": DataDependent((("num_segments", 2),), _SIZE, values=(1, "segment_ids")),
    "jax.ops.segment_min": DataDependent((("num_segments", 2),), _SIZE, values=(1, "segment_ids")),
}

TAKING_NUMBERS = frozenset(("jax.numpy.repeat", "jax.numpy.delete", "jax.numpy.mask_indices", "x.repeat"))
"""Those to which a number may be given, or a function, instead of an array."""

# The same for methods of an array; position 0 of `values` is the first argument, -1 the array itself.
DATA_DEPENDENT_METHODS: dict[str, DataDependent] = {
    "nonzero": DataDependent((("size", None),), _SIZE, values=(-1, "self")),
    "compress": DataDependent((("size", None),), _SIZE, values=(0, "condition")),
    "repeat": DataDependent((("total_repeat_length", None),), _SIZE, values=(0, "repeats")),
}
