"""Names of others that `jax.numpy` never had, and keywords that no function of JAX has."""

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

OF_OTHERS: dict[str, str] = {
    **dict.fromkeys(("mm", "bmm", "mv"), "jax.numpy.matmul"),
    **{
        name: f"jax.nn.{name}"
        for name in "gelu log_softmax logsumexp one_hot relu sigmoid silu softmax softplus".split()
    },
    **{name: f"jax.numpy.linalg.{name}" for name in "cholesky det eigh inv norm qr slogdet solve svd".split()},
    **{name: f"jax.random.{name}" for name in "bernoulli multinomial normal randint uniform".split()},
    **{name: f"jax.scipy.special.{name}" for name in "digamma erf erfinv gammaln logit".split()},
    **{name: f"jax.lax.{name}" for name in "rsqrt stop_gradient top_k".split()},
    "as_tensor": "jax.numpy.asarray",
    "cat": "jax.numpy.concatenate",
    "chunk": "jax.numpy.split",
    "clamp": "jax.numpy.clip",
    "from_numpy": "jax.numpy.asarray",
    "gather": "jax.numpy.take_along_axis",
    "index_select": "jax.numpy.take",
    "inverse": "jax.numpy.linalg.inv",
    "lgamma": "jax.scipy.special.gammaln",
    "masked_fill": "jax.numpy.where",
    "numel": "jax.numpy.size",
    "permute": "jax.numpy.permute_dims",
    "rand": "jax.random.uniform",
    "randn": "jax.random.normal",
    "randperm": "jax.random.permutation",
    "reduce_mean": "jax.numpy.mean",
    "reduce_sum": "jax.numpy.sum",
    "repeat_interleave": "jax.numpy.repeat",
    "tensor": "jax.numpy.array",
    "topk": "jax.lax.top_k",
    "unsqueeze": "jax.numpy.expand_dims",
}
"""What torch, TensorFlow and other modules of JAX have and `jax.numpy` has not, with what does the same."""

KEYWORDS: frozenset[str] = frozenset("dim keepdim requires_grad".split())
"""What functions of `jax.numpy`, `jax.nn`, `jax.lax` and `jax.scipy`, and methods of arrays, do not have."""

OF_SAMPLES: frozenset[str] = frozenset("high low size".split())
"""Keywords of functions that draw in NumPy, and of none in `jax.random`."""
