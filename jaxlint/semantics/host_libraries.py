"""What NumPy, ``math`` and the libraries that compute on the host do with a tracer, and their twins in JAX."""

from __future__ import annotations

from jaxlint.semantics.model import names

# NumPy functions that hand the work to a method of their argument: on a tracer they return a tracer (NumPy 2.4).
NUMPY_ACCEPTS: frozenset[str] = names(
    "numpy",
    """
    sum mean max min amax amin prod std var any all argmax argmin cumsum cumprod round around reshape transpose
    permute_dims moveaxis swapaxes rollaxis squeeze repeat searchsorted split array_split hsplit vsplit dsplit unstack
    flip real imag isreal take_along_axis
    """,
)

# NumPy functions that ask a tracer only for its shape or dtype: the result is static.
NUMPY_STATIC: frozenset[str] = names(
    "numpy",
    """
    shape ndim size iscomplexobj isrealobj isscalar result_type can_cast promote_types iterable common_type issubdtype
    diag_indices_from tril_indices_from triu_indices_from
    """,
)

# These answer False on any tracer, without an error.
NUMPY_SILENT_FALSE: frozenset[str] = names("numpy", "array_equal array_equiv")

NUMPY_TO_JNP: dict[str, str] = {
    name: f"jax.{name}"
    for name in names(
        "numpy",
        """
        abs absolute acos acosh add all allclose amax amin angle any append apply_along_axis apply_over_axes arange
        arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin argpartition argsort argwhere around
        array array_equal array_equiv array_split asarray asin asinh astype atan atan2 atanh atleast_1d atleast_2d
        atleast_3d average bartlett bincount bitwise_and bitwise_count bitwise_invert bitwise_left_shift bitwise_not
        bitwise_or bitwise_right_shift bitwise_xor blackman block broadcast_arrays broadcast_to cbrt ceil choose
        clip column_stack compress concat concatenate conj conjugate convolve copy copysign corrcoef correlate cos
        cosh count_nonzero cov cross cumprod cumsum cumulative_prod cumulative_sum deg2rad degrees delete diag
        diag_indices diag_indices_from diagflat diagonal diff digitize divide divmod dot dsplit dstack ediff1d
        einsum empty empty_like equal exp exp2 expand_dims expm1 extract eye fabs flatnonzero flip fliplr flipud
        float_power floor floor_divide fmax fmin fmod frexp fromfunction full full_like gcd geomspace gradient
        greater greater_equal hamming hanning heaviside histogram histogram2d histogram_bin_edges histogramdd hsplit
        hstack hypot i0 identity imag indices inner insert interp intersect1d invert isclose iscomplex isfinite isin
        isinf isnan isneginf isposinf isreal ix_ kaiser kron lcm ldexp left_shift less less_equal lexsort linspace
        log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logspace
        mask_indices matmul matrix_transpose matvec max maximum mean median meshgrid min minimum mod modf moveaxis
        multiply nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile
        nanprod nanquantile nanstd nansum nanvar negative nextafter nonzero not_equal ones ones_like outer packbits
        pad partition percentile permute_dims piecewise poly polyadd polyder polydiv polyfit polyint polymul polysub
        polyval positive pow power prod ptp quantile rad2deg radians ravel ravel_multi_index real reciprocal
        remainder repeat reshape resize right_shift rint roll rollaxis roots rot90 round searchsorted select
        setdiff1d setxor1d sign signbit sin sinc sinh sort sort_complex spacing split sqrt square squeeze stack std
        subtract sum swapaxes take take_along_axis tan tanh tensordot tile trace transpose trapezoid tri tril
        tril_indices tril_indices_from trim_zeros triu triu_indices triu_indices_from true_divide trunc union1d
        unique unique_all unique_counts unique_inverse unique_values unpackbits unravel_index unstack unwrap vander
        var vdot vecdot vecmat vectorize vsplit vstack where zeros zeros_like
        """,
    )
    | names(
        "numpy.linalg",
        """
        cholesky cond cross det diagonal eig eigh eigvals eigvalsh inv lstsq matmul matrix_norm matrix_power
        matrix_rank matrix_transpose multi_dot norm outer pinv qr slogdet solve svd svdvals tensordot tensorinv
        tensorsolve trace vecdot vector_norm
        """,
    )
    | names(
        "numpy.fft",
        """
        fft fft2 fftfreq fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft rfft2 rfftfreq
        rfftn
        """,
    )
} | {"numpy.trapz": "jax.numpy.trapezoid", "numpy.in1d": "jax.numpy.isin", "numpy.row_stack": "jax.numpy.vstack"}

MATH_TO_JNP: dict[str, str] = {
    **{
        f"math.{name}": f"jax.numpy.{name}"
        for name in """
        ceil copysign cos cosh degrees exp exp2 expm1 floor fmod frexp gcd hypot isclose isfinite isinf isnan lcm ldexp
        log log10 log1p log2 modf nextafter pow prod radians remainder sin sinh sqrt tan tanh trunc cbrt
        """.split()
    },
    **{f"math.{name}": f"jax.numpy.arc{name[1:]}" for name in "acos acosh asin asinh atan atan2 atanh".split()},
    "math.fabs": "jax.numpy.abs",
    "math.fsum": "jax.numpy.sum",
    "math.erf": "jax.scipy.special.erf",
    "math.erfc": "jax.scipy.special.erfc",
    "math.gamma": "jax.scipy.special.gamma",
    "math.lgamma": "jax.scipy.special.gammaln",
    "math.factorial": "jax.scipy.special.factorial",
    "math.comb": "jax.scipy.special.comb",
}

SCIPY_TO_JAX: dict[str, str] = {
    name: f"jax.{name}"
    for name in names(
        "scipy.special",
        """
        betainc betaln digamma entr erf erfc erfinv expi expit gamma gammainc gammaincc gammaln i0 i0e i1 i1e kl_div
        log_ndtr logit logsumexp multigammaln ndtr ndtri polygamma rel_entr xlog1py xlogy zeta
        """,
    )
    | names(
        "scipy.linalg",
        "block_diag cho_factor cho_solve cholesky det eigh expm lu lu_factor lu_solve qr schur solve solve_triangular "
        "sqrtm svd toeplitz",
    )
}

# Keywords that mean the same to a function of NumPy or SciPy and to its twin, wherever both have them.
SHARED_KEYWORDS: frozenset[str] = frozenset(
    """
    append axes axis axis1 axis2 b bins ddof decimals equal_nan fill_value indexing initial k keepdims left lower mode
    n nan neginf norm num offset ord posinf prepend q range repeats return_counts return_index return_inverse right
    rtol atol side weights
    """.split()
)

# Functions whose twin has the `dtype` of NumPy's; a ufunc's has none.
SHARED_DTYPE: frozenset[str] = names(
    "numpy",
    """
    array asarray concatenate cumprod cumsum empty_like full full_like linspace mean ones_like prod stack sum trace
    zeros_like
    """,
)

# How many positional arguments mean the same to both, where it is not two.
SHARED_POSITIONS: dict[str, int] = {
    "numpy.concat": 1,
    "numpy.linalg.matrix_rank": 1,
    "numpy.linalg.pinv": 1,
    "scipy.linalg.sqrtm": 1,
    "numpy.clip": 3,
    "numpy.cross": 3,
    "numpy.interp": 3,
    "numpy.linspace": 3,
    "numpy.roll": 3,
    "numpy.take": 3,
    "numpy.tensordot": 3,
    "numpy.where": 3,
    "numpy.einsum": 16,
}

# Packages whose functions need concrete values: `math` calls float(), SciPy and the rest convert to NumPy.
HOST_LIBRARIES: tuple[str, ...] = (
    "math",
    "cmath",
    "statistics",
    "scipy",
    "sklearn",
    "skimage",
    "pandas",
    "torch",
    "torchvision",
    "tensorflow",
    "cv2",
    "PIL",
    "matplotlib",
    "seaborn",
    "numba",
)

# Of these, what does not look at values: classes, constants, and `math.prod`, which multiplies what it is given.
HOST_LIBRARY_EXCEPTIONS: frozenset[str] = frozenset(
    {"math.prod", "math.sumprod", "math.pi", "math.e", "math.inf", "math.nan", "math.tau"}
)

# What the members of math raise on a tracer, where it is not ConcretizationTypeError.
MATH_ERRORS: dict[str, str] = {
    **dict.fromkeys(
        (f"math.{name}" for name in "comb factorial gcd isqrt lcm perm".split()), "TracerIntegerConversionError"
    ),
    "math.trunc": "TypeError",
}
