"""Functions of `jax.lax` that promote nothing: which operands have to be of one dtype or of one rank, and which take
floats only."""

from __future__ import annotations

from jaxlint.semantics.model import names

OF_ONE_DTYPE: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(names("jax.lax", "add sub mul div rem max min eq ne lt le gt ge"), (0, 1)),
    **dict.fromkeys(names("jax.lax", "select"), (1, 2)),
    **dict.fromkeys(names("jax.lax", "clamp"), (0, 1, 2)),
    **dict.fromkeys(names("jax.lax", "dynamic_update_slice pad"), (0, 1)),
}
"""Functions, and the positions of those operands."""

OF_ONE_RANK: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(names("jax.lax", "add sub mul div rem max min eq ne lt le gt ge pow atan2 nextafter"), (0, 1)),
    **dict.fromkeys(names("jax.lax", "bitwise_and bitwise_or bitwise_xor shift_left shift_right_logical"), (0, 1)),
}
"""Functions, and the positions of those operands, where one without axes goes with any."""

OF_SAME_RANK: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(names("jax.lax", "select"), (1, 2)),
    **dict.fromkeys(names("jax.lax", "dynamic_update_slice"), (0, 1)),
}
"""The same, where one without axes does not."""

OF_FLOATS: frozenset[str] = names(
    "jax.lax",
    "sin cos tan exp log log1p expm1 sqrt rsqrt cbrt tanh logistic erf erfc erf_inv lgamma digamma floor ceil",
)
"""Functions that take no whole numbers and no booleans."""
