"""Dtypes of 64 bits, by all their names, and what JAX makes of them unless `jax_enable_x64` is set."""

from __future__ import annotations

_NARROWED = {
    "float64": "float32",
    "int64": "int32",
    "uint64": "uint32",
    "complex128": "complex64",
}

_NAMES = {
    "float64": "double",
    "int64": "longlong",
    "uint64": "ulonglong",
    "complex128": "cdouble",
}

_TEXTS = {
    "float64": "double f8 d",
    "int64": "i8 q",
    "uint64": "u8 Q",
    "complex128": "cdouble c16 D",
}
"""What NumPy reads as a dtype.  Names of default types (`int_`, `float`, `"int"`) ask for no width, so they are left
out."""

WIDE: dict[str, str] = {
    f"{module}.{name}": dtype
    for dtype, other in _NAMES.items()
    for name in (dtype, other)
    for module in ("jax.numpy", "numpy")
}
"""Qualified names of types."""

WIDE_TEXTS: dict[str, str] = {text: dtype for dtype, others in _TEXTS.items() for text in (dtype, *others.split())}


def wide_text(text: str) -> str | None:
    """The dtype of 64 bits that a string means, whatever its byte order; None if it means none."""
    return WIDE_TEXTS.get(text.lstrip("<>=|"))


def narrowed(dtype: str) -> str:
    """What an array has that is asked for a dtype of 64 bits."""
    return _NARROWED[dtype]


DTYPE_POSITIONS: dict[str, int] = {
    **{f"jax.numpy.{name}": 1 for name in "zeros ones empty array asarray zeros_like ones_like empty_like".split()},
    **{f"jax.numpy.{name}": 2 for name in "full full_like sum mean prod cumsum cumprod std var".split()},
    **{f"jax.numpy.{name}": 3 for name in "arange eye tri".split()},
    "jax.numpy.astype": 1,
    "jax.numpy.identity": 1,
    "jax.numpy.linspace": 5,
    "jax.lax.convert_element_type": 1,
    "jax.lax.bitcast_convert_type": 1,
    "jax.lax.full": 2,
    "jax.lax.full_like": 2,
    "jax.lax.iota": 0,
    "jax.lax.broadcasted_iota": 0,
    "jax.random.normal": 2,
    "jax.random.uniform": 2,
    "jax.random.bits": 2,
    "jax.random.randint": 4,
    "jax.random.exponential": 2,
    "jax.random.truncated_normal": 4,
    "jax.random.gumbel": 2,
    "jax.random.laplace": 2,
    "jax.random.logistic": 2,
    "jax.random.cauchy": 2,
}
"""Where functions take a dtype that is not named; `dtype=` and `preferred_element_type=` are asked of all."""
