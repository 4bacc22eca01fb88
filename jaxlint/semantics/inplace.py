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

# jax.numpy functions that have an `out` parameter and refuse it; `out=` to any other is an unexpected keyword, a
# TypeError.  For NumPy functions, `out=` a jax array is a TypeError.
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
