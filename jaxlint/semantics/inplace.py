"""Writing in place: what a ``jax.Array``, which cannot be changed, answers to code that tries."""

from __future__ import annotations

from jaxlint.semantics.model import names

# NumPy methods that change the array they are called on: what happens on a jax.Array.
INPLACE_METHODS: dict[str, str] = {
    "sort": "copies",
    "fill": "AttributeError",
    "resize": "AttributeError",
    "put": "AttributeError",
    "partition": "AttributeError",
    "itemset": "AttributeError",
    "setflags": "AttributeError",
    "setfield": "AttributeError",
}

# jax.numpy functions that have an `out` parameter and refuse it.  For those of NumPy a jax array there is a TypeError.
OUT_ARGUMENT: dict[str, str] = dict.fromkeys(
    names(
        "jax.numpy",
        """
        add all amax amin any argmax argmin around bitwise_and bitwise_or bitwise_xor choose compress cumprod cumsum
        einsum isneginf isposinf logaddexp logaddexp2 logical_and logical_or logical_xor max maximum mean min
        minimum minmax modf multiply nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmin
        nanprod nanstd nansum nanvar negative outer prod ptp round stack std subtract
        sum take trace var
        """,
    ),
    "NotImplementedError",
) | dict.fromkeys(
    names("jax.numpy", "median nanmedian percentile nanpercentile quantile nanquantile"),
    "ValueError",
)

# jax.numpy functions that have none, where NumPy's of that name has: an unexpected keyword.
WITHOUT_OUT = frozenset(
    names(
        "jax.numpy",
        """
        abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2 atanh
        bitwise_count bitwise_invert bitwise_left_shift bitwise_not bitwise_right_shift cbrt ceil conj conjugate
        copysign cos cosh deg2rad degrees divide divmod dot equal exp exp2 expm1 fabs float_power floor floor_divide
        fmax fmin fmod frexp gcd greater greater_equal heaviside hypot invert isfinite isinf isnan lcm ldexp
        left_shift less less_equal log log10 log1p log2 logical_not matmul matvec mod nextafter not_equal positive pow
        power rad2deg radians reciprocal remainder right_shift rint sign signbit sin sinh spacing sqrt square tan tanh
        true_divide trunc vecdot vecmat
        """,
    )
)

# jax.numpy functions that must be called with `inplace=False`: the error of leaving it out.
INPLACE_KEYWORD: dict[str, str] = {
    "jax.numpy.fill_diagonal": "NotImplementedError",
    "jax.numpy.put": "ValueError",
    "jax.numpy.place": "ValueError",
    "jax.numpy.put_along_axis": "ValueError",
}

# Host functions that write into their first argument: the error when that is a jax array.
HOST_INPLACE: dict[str, str] = {
    **dict.fromkeys(
        names("numpy", "put place putmask copyto put_along_axis random.shuffle"),
        "TypeError",
    ),
    "random.shuffle": "TypeError",
    "numpy.fill_diagonal": "NotImplementedError",
}
