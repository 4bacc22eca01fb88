"""Names of NumPy that `jax.numpy` never had, and keywords that no function of JAX has."""

from __future__ import annotations

ONCE_OF_NUMPY: frozenset[str] = frozenset("Inf Infinity NaN PINF asfarray complex float infty int mat object".split())
"""What NumPy has no more, either."""

NUMPY_ONLY: frozenset[str] = ONCE_OF_NUMPY | frozenset(
    """
    array2string asanyarray asarray_chkfinite ascontiguousarray asfortranarray asmatrix base_repr binary_repr bmat
    busday_count busday_offset char common_type copyto ctypeslib datetime64 errstate format_float_positional
    format_float_scientific fromregex genfromtxt geterr intc intp is_busday isfortran isnat loadtxt longdouble longlong
    ma matrix may_share_memory memmap ndenumerate ndindex nditer poly1d polynomial putmask random real_if_close rec
    recarray savetxt savez_compressed seterr shares_memory str_ strings testing timedelta64 uintc uintp ulonglong
    """.split()
)

KEYWORDS: frozenset[str] = frozenset("dim keepdim requires_grad".split())
"""What functions of `jax.numpy`, `jax.nn`, `jax.lax` and `jax.scipy`, and methods of arrays, do not have."""

OF_SAMPLES: frozenset[str] = frozenset("high low size".split())
"""Keywords of functions that draw in NumPy, and of none in `jax.random`."""
