"""Functions of JAX that refuse a list or a tuple where NumPy takes one, and at which positions."""

from __future__ import annotations

from jaxlint.semantics.model import names

_FIRST, _SECOND, _BOTH, _THREE = (0,), (1,), (0, 1), (0, 1, 2)

WITHOUT_LISTS: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(
        names(
            "jax.numpy",
            """
            abs absolute acos acosh all amax amin angle any arccos arccosh arcsin arcsinh arctan arctanh argmax argmin
            argsort argwhere around array_split asin asinh astype atan atanh bincount bitwise_count bitwise_invert
            bitwise_not broadcast_to cbrt ceil choose clip conj conjugate copy corrcoef cos cosh count_nonzero cov
            cumprod cumsum cumulative_prod cumulative_sum deg2rad degrees diag diag_indices_from diagflat diagonal
            diff dsplit ediff1d empty_like exp exp2 expand_dims expm1 fabs flatnonzero flip fliplr flipud floor frexp
            histogram histogram_bin_edges histogramdd hsplit i0 imag invert iscomplex isfinite isinf isnan isneginf
            isposinf isreal log log10 log1p log2 logical_not matrix_transpose max mean median min modf moveaxis
            nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanprod nanstd nansum
            nanvar negative nonzero ones_like packbits pad permute_dims piecewise poly polyder polyint positive prod
            ptp rad2deg radians ravel real reciprocal reshape rint roll roots rot90 round sign signbit sin sinc sinh
            sort sort_complex spacing split sqrt square squeeze std sum tan tanh tile trace transpose trapezoid tril
            trim_zeros triu trunc unique unique_all unique_counts unique_inverse unique_values unpackbits
            unravel_index unstack unwrap vander var vsplit zeros_like
            """,
        ),
        _FIRST,
    ),
    **dict.fromkeys(names("jax.numpy", "full"), _SECOND),
    **dict.fromkeys(
        names(
            "jax.numpy",
            """
            add allclose append arctan2 atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift
            bitwise_xor compress convolve copysign correlate cross delete digitize divide divmod dot equal extract
            float_power floor_divide fmax fmin fmod full_like gcd greater greater_equal heaviside histogram2d hypot
            inner intersect1d isclose isin kron lcm ldexp left_shift less less_equal linspace logaddexp logaddexp2
            logical_and logical_or logical_xor matmul matvec maximum minimum mod multiply nanpercentile nanquantile
            nextafter not_equal outer percentile polyadd polydiv polymul polysub polyval pow power quantile remainder
            repeat right_shift searchsorted setdiff1d setxor1d subtract take take_along_axis tensordot true_divide
            union1d vdot vecdot vecmat
            """,
        ),
        _BOTH,
    ),
    **dict.fromkeys(names("jax.numpy", "insert interp place where"), _THREE),
    **dict.fromkeys(
        names(
            "jax.numpy.linalg",
            """
            cholesky cond det diagonal eig eigh eigvals eigvalsh inv matrix_norm matrix_rank matrix_transpose norm
            pinv qr slogdet svd svdvals tensorinv trace vector_norm
            """,
        ),
        _FIRST,
    ),
    **dict.fromkeys(names("jax.numpy.linalg", "cross lstsq matmul outer solve tensordot tensorsolve vecdot"), _BOTH),
    **dict.fromkeys(
        names(
            "jax.numpy.fft",
            """
            fft fft2 fftn fftshift hfft ifft ifft2 ifftn ifftshift irfft irfft2 irfftn rfft rfft2 rfftn
            """,
        ),
        _FIRST,
    ),
    **dict.fromkeys(
        names(
            "jax.nn",
            """
            celu elu gelu glu hard_silu hard_swish hard_tanh identity leaky_relu log1mexp log_sigmoid log_softmax
            logmeanexp logsumexp mish relu relu6 selu silu soft_sign softmax softplus sparse_plus squareplus
            standardize swish tanh
            """,
        ),
        _FIRST,
    ),
    **dict.fromkeys(
        names(
            "jax.scipy.special",
            """
            dawsn digamma entr erf erfc erfcx erfinv exp1 expi expit factorial fresnel gamma gammaln gammasgn i0 i0e
            i1 i1e log_softmax loggamma logit logsumexp sici softmax wofz
            """,
        ),
        _FIRST,
    ),
    **dict.fromkeys(
        names(
            "jax.scipy.special",
            """
            beta betaln boxcox boxcox1p comb gammainc gammaincc kl_div owens_t poch rel_entr xlog1py xlogy
            """,
        ),
        _BOTH,
    ),
    **dict.fromkeys(names("jax.scipy.special", "betainc"), _THREE),
    **dict.fromkeys(
        names("jax.random", "categorical dirichlet gamma multivariate_normal permutation poisson"),
        _SECOND,
    ),
}

NAMED_WITHOUT_LISTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(names("jax.numpy", "average bincount histogram histogram2d"), ("weights",)),
    "jax.numpy.cov": ("aweights", "fweights"),
    "jax.numpy.polyfit": ("w",),
    **dict.fromkeys(names("jax.nn", "logsumexp") | names("jax.scipy.special", "logsumexp"), ("b",)),
    **dict.fromkeys(names("jax.numpy", "sum prod mean std var all any"), ("where",)),
    "jax.random.choice": ("p",),
    "jax.random.categorical": ("logits",),
    "jax.random.bernoulli": ("p",),
}
"""The same of arguments that are given by name."""

OF_ARRAYS: frozenset[str] = names("jax.numpy", "column_stack concatenate dstack hstack stack vstack")
"""These take a list, but of arrays and numbers."""
