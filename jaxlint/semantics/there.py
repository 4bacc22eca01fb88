"""Which functions and classes there are in the modules of JAX that compute with arrays, in any of its releases."""

from __future__ import annotations

from jaxlint.semantics.model import names

THERE: frozenset[str] = frozenset().union(
    names(
        "jax.numpy",
        """
        ComplexWarning DeviceArray NINF NZERO PZERO abs absolute acos acosh add all allclose alltrue amax amin angle
        any append apply_along_axis apply_over_axes arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax
        argmin argpartition argsort argwhere around array array_equal array_equiv array_repr array_split array_str
        asarray asin asinh astype atan atan2 atanh atleast_1d atleast_2d atleast_3d average bartlett bfloat16 bincount
        bitwise_and bitwise_count bitwise_invert bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift
        bitwise_xor blackman block bool bool_ broadcast_arrays broadcast_shapes broadcast_to can_cast cbrt cdouble
        ceil character choose clip column_stack complex128 complex64 complex_ complexfloating compress concat
        concatenate conj conjugate convolve copy copysign corrcoef correlate cos cosh count_nonzero cov cross csingle
        cumprod cumproduct cumsum cumulative_prod cumulative_sum deg2rad degrees delete diag diag_indices
        diag_indices_from diagflat diagonal diff digitize divide divmod dot double dsplit dstack dtype ediff1d einsum
        einsum_path empty empty_like equal exp exp2 expand_dims expm1 extract eye fabs fill_diagonal finfo fix
        flatnonzero flexible flip fliplr flipud float16 float32 float4_e2m1fn float64 float6_e2m3fn float6_e3m2fn
        float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz
        float8_e8m0fnu float_ float_power floating floor floor_divide fmax fmin fmod frexp from_dlpack frombuffer
        fromfile fromfunction fromiter frompyfunc fromstring full full_like gcd generic geomspace get_printoptions
        gradient greater greater_equal hamming hanning heaviside histogram histogram2d histogram_bin_edges histogramdd
        hsplit hstack hypot i0 identity iinfo imag in1d indices inexact inner insert int1 int16 int2 int32 int4 int64
        int8 int_ integer interp intersect1d invert isclose iscomplex iscomplexobj isdtype isfinite isin isinf isnan
        isneginf isposinf isreal isrealobj isscalar issubdtype issubsctype iterable ix_ kaiser kron lcm ldexp
        left_shift less less_equal lexsort linspace load log log10 log1p log2 logaddexp logaddexp2 logical_and
        logical_not logical_or logical_xor logspace mask_indices matmul matrix_transpose matvec max maximum mean
        median meshgrid min minimum minmax mod modf moveaxis msort multiply nan_to_num nanargmax nanargmin nancumprod
        nancumsum nanmax nanmean nanmedian nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar ndarray ndim
        negative nextafter nonzero not_equal number object_ ones ones_like outer packbits pad partition percentile
        permute_dims piecewise place poly polyadd polyder polydiv polyfit polyint polymul polysub polyval positive pow
        power printoptions prod product promote_types ptp put put_along_axis quantile rad2deg radians ravel
        ravel_multi_index real reciprocal remainder repeat reshape resize result_type right_shift rint roll rollaxis
        roots rot90 round round_ row_stack save savez searchsorted select set_printoptions setdiff1d setxor1d shape
        sign signbit signedinteger sin sinc single sinh size sometrue sort sort_complex spacing split sqrt square
        squeeze stack std subtract sum swapaxes take take_along_axis tan tanh tensordot tile top_k trace transpose
        trapezoid trapz tri tril tril_indices tril_indices_from trim_zeros triu triu_indices triu_indices_from
        true_divide trunc ufunc uint uint1 uint16 uint2 uint32 uint4 uint64 uint8 union1d unique unique_all
        unique_counts unique_inverse unique_values unpackbits unravel_index unsignedinteger unstack unwrap vander var
        vdot vecdot vecmat vectorize vsplit vstack where zeros zeros_like
        """,
    ),
    names(
        "jax.numpy.linalg",
        """
        cholesky cond cross det diagonal eig eigh eigvals eigvalsh inv lstsq matmul matrix_norm matrix_power
        matrix_rank matrix_transpose multi_dot norm outer pinv qr slogdet solve svd svdvals tensordot tensorinv
        tensorsolve trace vecdot vector_norm
        """,
    ),
    names(
        "jax.numpy.fft",
        """
        fft fft2 fftfreq fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft rfft2 rfftfreq
        rfftn
        """,
    ),
    names(
        "jax.lax",
        """
        AccuracyMode ConvDimensionNumbers ConvGeneralDilatedDimensionNumbers DotAlgorithm DotAlgorithmPreset
        DotDimensionNumbers FftType GatherDimensionNumbers GatherScatterMode Precision PrecisionLike
        RaggedDotDimensionNumbers RandomAlgorithm RoundingMethod ScatterDimensionNumbers Tolerance abs acos acosh add
        after_all all_gather all_to_all approx_max_k approx_min_k argmax argmin asin asinh associative_scan atan atan2
        atanh axis_index axis_size batch_matmul bessel_i0e bessel_i1e betainc bitcast_convert_type bitwise_and
        bitwise_not bitwise_or bitwise_xor broadcast broadcast_in_dim broadcast_like broadcast_shapes
        broadcast_to_rank broadcasted_iota cbrt ceil clamp clz collapse complex composite concatenate cond conj conv
        conv_dimension_numbers conv_general_dilated conv_general_dilated_local conv_general_dilated_patches
        conv_general_permutations conv_general_shape_tuple conv_shape_tuple conv_transpose conv_transpose_shape_tuple
        conv_with_general_padding convert_element_type cos cosh create_token cumlogsumexp cummax cummin cumprod cumsum
        custom_linear_solve custom_root dce_sink dce_sink_p digamma div dot dot_general dtype dynamic_index_in_dim
        dynamic_slice dynamic_slice_in_dim dynamic_update_index_in_dim dynamic_update_slice
        dynamic_update_slice_in_dim empty eq erf erf_inv erfc exp exp2 expand_dims expm1 fft floor fori_loop full
        full_like gather ge gt igamma igamma_grad_a igammac imag index_in_dim index_take infeed integer_pow iota
        is_finite le lgamma log log1p log2 logistic lt map max min mul mulhi naryop ne neg nextafter one_minus_square
        optimization_barrier outfeed pad padtype_to_pads pbroadcast pcast pdot platform_dependent pmax pmean pmin
        polygamma polynomial population_count pow ppermute precv prod psend pshuffle psum psum_scatter
        psum_scatter_start pswapaxes pvary ragged_all_to_all ragged_dot ragged_dot_general random_gamma_grad real
        reciprocal reduce reduce_and reduce_max reduce_min reduce_or reduce_precision reduce_prod reduce_sum
        reduce_window reduce_window_shape_tuple reduce_xor rem reshape rev rng_bit_generator rng_uniform round rsqrt
        scaled_dot scan scatter scatter_add scatter_apply scatter_max scatter_min scatter_mul scatter_sub select
        select_n shape_as_value shift_left shift_right_arithmetic shift_right_logical sign sin sinh slice slice_in_dim
        sort sort_key_val split sqrt square squeeze stack stage standard_naryop standard_primitive standard_unop
        stop_gradient sub switch tan tanh tie_in tile top_k transpose unop unstack while_loop with_sharding_constraint
        xeinsum zeros_like_array zeta
        """,
    ),
    names(
        "jax.lax.linalg",
        """
        EigImplementation EighImplementation SvdAlgorithm cholesky cholesky_update eig eigh hessenberg
        householder_product lu lu_pivots_to_permutation ormqr qdwh qr schur svd symmetric_product triangular_solve
        tridiagonal tridiagonal_solve
        """,
    ),
    names(
        "jax.nn",
        """
        celu dot_product_attention elu gelu get_scaled_dot_general_config glu hard_sigmoid hard_silu hard_swish
        hard_tanh identity leaky_relu log1mexp log_sigmoid log_softmax logmeanexp logsumexp mish normalize one_hot
        relu relu6 scaled_dot_general scaled_matmul selu sigmoid silu soft_sign softmax softplus sparse_plus
        sparse_sigmoid squareplus standardize swish tanh
        """,
    ),
    names(
        "jax.ops",
        """
        index index_add index_max index_min index_mul index_update segment_max segment_min segment_prod segment_sum
        """,
    ),
    names("jax.image", "ResizeMethod resize scale_and_translate"),
    names(
        "jax.random",
        """
        Key KeyArray PRNGKey PRNGKeyArray ball bernoulli beta binomial bits categorical cauchy chisquare choice clone
        default_prng_impl dirichlet double_sided_maxwell exponential f fold_in gamma generalized_normal geometric
        gumbel key key_data key_dtype key_impl laplace loggamma logistic lognormal maxwell multinomial
        multivariate_normal normal orthogonal pareto permutation poisson rademacher randint rayleigh rbg_key shuffle
        split t threefry2x32_key triangular truncated_normal uniform unsafe_rbg_key wald weibull_min wrap_key_data
        """,
    ),
    names("jax.scipy.cluster.vq", "vq"),
    names("jax.scipy.fft", "dct dctn idct idctn"),
    names("jax.scipy.integrate", "trapezoid"),
    names(
        "jax.scipy.linalg",
        """
        block_diag cho_factor cho_solve cholesky circulant companion convolution_matrix det dft eigh eigh_tridiagonal
        expm expm_frechet fiedler fiedler_companion funm hadamard hankel helmert hessenberg hilbert inv invhilbert
        invpascal leslie lu lu_factor lu_solve pascal polar polar_unitary qr qr_multiply rsf2csf schur solve
        solve_sylvester solve_triangular sqrtm svd toeplitz tril triu
        """,
    ),
    names("jax.scipy.ndimage", "map_coordinates"),
    names(
        "jax.scipy.signal",
        """
        convolve convolve2d correlate correlate2d csd detrend fftconvolve istft stft welch
        """,
    ),
    names(
        "jax.scipy.special",
        """
        bernoulli bessel_jn beta betainc betaln boxcox boxcox1p comb dawsn digamma entr erf erfc erfcinv erfcx erfinv
        exp1 expi expit expn factorial fresnel gamma gammainc gammaincc gammaln gammasgn hyp1f1 hyp2f1 i0 i0e i1 i1e
        kl_div log_ndtr log_softmax loggamma logit logsumexp lpmn lpmn_values multigammaln ndtr ndtri owens_t poch
        polygamma rel_entr sici softmax spence sph_harm sph_harm_y wofz xlog1py xlogy zeta
        """,
    ),
    names("jax.scipy.stats", "binom gaussian_kde gumbel_l gumbel_r mode rankdata sem vonmises wrapcauchy"),
)
