"""Numbers of NumPy that are no numbers of Python: beside an array of half precision each has the say."""

from __future__ import annotations

from jaxlint.semantics.model import names

HALVES: frozenset[str] = frozenset(("bfloat16", "float16"))

NUMPY_FLOATS: frozenset[str] = names(
    "numpy", "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan tanh arctan sinh cosh float32 float64 double"
)
"""What gives such a number where it is given one of Python."""

JNP_FLOATS: frozenset[str] = names("jax.numpy", "float32 float64")
"""What gives an array that is no weak one where it is given a number of Python."""

COMBINING: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(names("jax.numpy", "add subtract multiply divide true_divide maximum minimum power"), (0, 1)),
    **dict.fromkeys(names("jax.numpy", "where"), (1, 2)),
}
"""Functions that promote their operands, and the positions of those."""
