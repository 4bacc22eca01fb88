"""What the array functions of JAX and NumPy return, refuse and need to know, by qualified name.

Names are the public spelling without import alias: ``jax.numpy.sum``, ``jax.lax.add``.  A function of
``ARRAY_NAMESPACES`` returns an array (a tracer inside a staging trace) unless a table below says otherwise.
Error names are exception classes: of ``jax.errors`` where such a class exists, else builtins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class StaticArgument:
    """An argument that must be known at trace time; ``position`` is None when it is keyword only.

    ``starts_varargs``: from ``position`` on, every positional argument is one (``x.reshape(2, n)``).
    ``scalar_only``: a traced number is refused, a traced array is data (``jnp.histogram(x, bins)``).
    """

    position: int | None
    keyword: str
    error: str
    starts_varargs: bool = False
    scalar_only: bool = False


@dataclass(frozen=True, slots=True)
class DataDependent:
    """A function whose result's shape depends on values.

    It works under a trace once one of ``sized_by`` (keyword to position, None for keyword only) is given.
    ``only_with_args``: so only when called with exactly this many arguments (`where(cond)`).
    ``unless``: or once a keyword has this constant (`roots(strip_zeros=False)`).
    ``values``: position and keyword of the argument whose *values* set the shape.
    ``host_values_ok``: it also works under a trace when that argument is not traced.  Else it raises in a staging trace
    even for a NumPy array: the result of the first jnp operation on it is a tracer.
    """

    sized_by: tuple[tuple[str, int | None], ...]
    error: str
    only_with_args: int | None = None
    unless: tuple[str, object] | None = None
    values: tuple[int, str] = (0, "x")
    host_values_ok: bool = False


def _names(prefix: str, names: str) -> frozenset[str]:
    """The words of ``names``, each behind ``prefix`` and a dot."""
    return frozenset(f"{prefix}.{name}" for name in names.split())


# ---------------------------------------------------------------------------------------------------------------
# Namespaces and spellings

ARRAY_NAMESPACES: tuple[str, ...] = (
    "jax.numpy",
    "jax.numpy.linalg",
    "jax.numpy.fft",
    "jax.lax",
    "jax.lax.linalg",
    "jax.nn",
    "jax.ops",
    "jax.image",
    "jax.random",
    "jax.scipy",
    "jax.scipy.cluster.vq",
    "jax.scipy.fft",
    "jax.scipy.integrate",
    "jax.scipy.linalg",
    "jax.scipy.ndimage",
    "jax.scipy.signal",
    "jax.scipy.special",
    "jax.scipy.stats",
)

ALIASES: dict[str, str] = {
    "jax._src.numpy.lax_numpy": "jax.numpy",
    "jax._src.numpy": "jax.numpy",
    "jax._src.numpy.linalg": "jax.numpy.linalg",
    "jax._src.lax.lax": "jax.lax",
    "jax._src.lax": "jax.lax",
    "jax._src.lax.control_flow": "jax.lax",
    "jax._src.random": "jax.random",
    "jax._src.nn.functions": "jax.nn",
    "jax._src.nn.initializers": "jax.nn.initializers",
    "jax._src.ops.scatter": "jax.ops",
    "jax._src.scipy.special": "jax.scipy.special",
    "jax._src.api": "jax",
    "jax.api": "jax",
    "jax.interpreters.xla.DeviceArray": "jax.Array",
    "jax.numpy.DeviceArray": "jax.Array",
    "jax.numpy.ndarray": "jax.Array",
    "jax.experimental.numpy": "jax.numpy",
    "jax.nn.initializers.initializers": "jax.nn.initializers",
}

# ---------------------------------------------------------------------------------------------------------------
# Results that are not arrays, or not of a floating dtype

STATIC_RESULTS: frozenset[str] = (
    _names(
        "jax.numpy",
        """
        shape ndim size result_type promote_types issubdtype isdtype can_cast finfo iinfo dtype isscalar iscomplexobj
        isrealobj iterable broadcast_shapes get_printoptions set_printoptions printoptions einsum_path
        """,
    )
    | _names(
        "jax.lax",
        """
        axis_size broadcast_shapes dce_sink conv_dimension_numbers conv_general_permutations conv_general_shape_tuple
        conv_shape_tuple conv_transpose_shape_tuple padtype_to_pads dtype
        ConvDimensionNumbers GatherDimensionNumbers ScatterDimensionNumbers GatherScatterMode Precision
        DotAlgorithm DotAlgorithmPreset RandomAlgorithm RoundingMethod RaggedDotDimensionNumbers FftType
        ConvGeneralDilatedDimensionNumbers AccuracyMode Tolerance
        """,
    )
    | _names("jax.random", "key_impl key_dtype")
    | _names(
        "jax",
        """
        eval_shape typeof device_count local_device_count process_count process_index process_indices devices
        local_devices default_backend live_arrays host_id host_count host_ids ShapeDtypeStruct make_jaxpr
        check_tracer_leaks print_environment_info make_mesh
        """,
    )
    | _names("jax.tree", "structure all")
    | _names("jax.tree_util", "tree_structure treedef_is_leaf all_leaves keystr tree_all")
    | _names("jax.core", "is_concrete")
    | _names(
        "jax.dtypes", "result_type issubdtype canonicalize_dtype scalar_type_of finfo iinfo prng_key float0 bfloat16"
    )
    | _names("jax.image", "ResizeMethod")
)

# Scalar types of jax.numpy: static objects, though calling one makes an array.
DTYPES: frozenset[str] = _names(
    "jax.numpy",
    """
    bool bool_ int1 int2 int4 int8 int16 int32 int64 int_ uint1 uint2 uint4 uint8 uint16 uint32 uint64 uint bfloat16
    float16 float32 float64 float_ double single complex64 complex128 complex_ csingle cdouble
    float4_e2m1fn float6_e2m3fn float6_e3m2fn float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn
    float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu
    character complexfloating flexible floating generic inexact integer number object_ signedinteger unsignedinteger
    """,
)
CONSTANTS: frozenset[str] = (
    DTYPES
    | _names("jax.numpy", "pi e inf nan newaxis euler_gamma index_exp s_ mgrid ogrid r_ c_ ndarray ufunc")
    | _names("jax.dtypes", "bfloat16 float0 prng_key extended")
)
# These CONSTANTS build an array when they are subscripted: jnp.r_[0:3], jnp.mgrid[0:2].
SUBSCRIPT_CREATORS: frozenset[str] = _names("jax.numpy", "mgrid ogrid r_ c_")

BOOL_RESULTS: frozenset[str] = (
    _names(
        "jax.numpy",
        """
        all any isnan isinf isfinite isneginf isposinf isreal iscomplex isclose allclose array_equal array_equiv isin
        equal not_equal greater greater_equal less less_equal logical_and logical_or logical_not logical_xor signbit
        bool bool_
        """,
    )
    | _names("jax.lax", "eq ne lt le gt ge is_finite reduce_and reduce_or")
    | _names("jax.random", "bernoulli")
)

INT_RESULTS: frozenset[str] = (
    _names(
        "jax.numpy",
        """
        argmax argmin nanargmax nanargmin argsort argpartition argwhere nonzero flatnonzero searchsorted digitize
        count_nonzero bincount indices tril_indices triu_indices tril_indices_from triu_indices_from
        diag_indices diag_indices_from mask_indices ravel_multi_index unravel_index lexsort packbits unpackbits
        bitwise_count linalg.matrix_rank gcd lcm left_shift right_shift bitwise_left_shift bitwise_right_shift
        int8 int16 int32 int64 uint8 uint16 uint32 uint64 int_ uint
        """,
    )
    | _names(
        "jax.lax",
        "argmax argmin clz population_count axis_index mulhi shift_left shift_right_arithmetic shift_right_logical",
    )
    | _names("jax.random", "randint categorical poisson geometric bits rademacher key_data")
)

# Under plain grad/vjp/jvp the result on a differentiated value is concrete, with nothing to differentiate:
# `if jnp.floor(x) > 0`, `float(jnp.argmax(x))` work there.
NON_FLOAT_RESULTS: frozenset[str] = (
    BOOL_RESULTS
    | INT_RESULTS
    | _names(
        "jax.numpy",
        "floor ceil round rint trunc sign fix around floor_divide zeros_like ones_like empty_like",
    )
    | _names("jax.lax", "floor ceil round sign stop_gradient bitcast_convert_type")
    | {"jax.nn.one_hot", "jax.scipy.special.gammasgn", "jax.scipy.stats.rankdata"}
)

# ---------------------------------------------------------------------------------------------------------------
# Attributes and methods of an array

STATIC_ATTRIBUTES: frozenset[str] = frozenset("shape ndim dtype size nbytes itemsize aval weak_type".split())

# Attributes that are arrays themselves.
ARRAY_ATTRIBUTES: frozenset[str] = frozenset("T mT real imag".split())

ARRAY_METHODS: frozenset[str] = frozenset(
    """
    all any argmax argmin argpartition argsort astype byteswap choose clip conj conjugate copy cumprod cumsum diagonal
    dot flatten max mean min prod ptp ravel repeat reshape round searchsorted sort squeeze std sum swapaxes take trace
    transpose var view compress nonzero
    """.split()
)

BOOL_METHODS: frozenset[str] = frozenset({"all", "any"})
INT_METHODS: frozenset[str] = frozenset({"argmax", "argmin", "argsort", "argpartition", "nonzero", "searchsorted"})
# Concrete under plain grad, as in NON_FLOAT_RESULTS.
NON_FLOAT_METHODS: frozenset[str] = BOOL_METHODS | INT_METHODS | {"round", "item"}

# Methods that need the value: the error on an abstract tracer.
CONCRETIZING_METHODS: dict[str, str] = {
    "item": "ConcretizationTypeError",
    "tolist": "ConcretizationTypeError",
    "tobytes": "ConcretizationTypeError",
    "__bool__": "TracerBoolConversionError",
    "__float__": "ConcretizationTypeError",
    "__int__": "ConcretizationTypeError",
    "__complex__": "ConcretizationTypeError",
    "__index__": "TracerIntegerConversionError",
    "__array__": "TracerArrayConversionError",
    "__dlpack__": "ConcretizationTypeError",
    "__reduce__": "ConcretizationTypeError",
}

# Attributes (and methods) of a concrete array that a tracer does not have: the error of the access or of the call.
UNAVAILABLE_ATTRIBUTES: dict[str, str] = {
    "block_until_ready": "AttributeError",
    "copy_to_host_async": "AttributeError",
    "device": "AttributeError",
    "sharding": "AttributeError",
    "format": "AttributeError",
    "platform": "AttributeError",
    "clone": "AttributeError",
    "is_ready": "AttributeError",
    "devices": "ConcretizationTypeError",
    "addressable_shards": "ConcretizationTypeError",
    "addressable_data": "ConcretizationTypeError",
    "global_shards": "ConcretizationTypeError",
    "committed": "ConcretizationTypeError",
    "is_deleted": "ConcretizationTypeError",
    "is_fully_addressable": "ConcretizationTypeError",
    "is_fully_replicated": "ConcretizationTypeError",
    "on_device_size_in_bytes": "ConcretizationTypeError",
    "unsafe_buffer_pointer": "ConcretizationTypeError",
    "traceback": "ConcretizationTypeError",
}

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

AT_METHODS: frozenset[str] = frozenset("set add subtract multiply mul divide power min max apply get".split())
AT_UPDATES: frozenset[str] = AT_METHODS - {"get"}

# ---------------------------------------------------------------------------------------------------------------
# Collectives of a Python number multiply by the axis size: `lax.psum(1, "i")` is an int.
STATIC_ON_STATIC: frozenset[str] = _names("jax.lax", "psum pmean pmax pmin")

# ---------------------------------------------------------------------------------------------------------------
# Shapes that depend on values, arguments that must be static

_SIZE = "ConcretizationTypeError"

DATA_DEPENDENT: dict[str, DataDependent] = {
    "jax.numpy.where": DataDependent((("size", None),), _SIZE, only_with_args=1, values=(0, "condition")),
    "jax.numpy.nonzero": DataDependent((("size", None),), _SIZE, values=(0, "a")),
    "jax.numpy.argwhere": DataDependent((("size", None),), _SIZE, values=(0, "a")),
    "jax.numpy.flatnonzero": DataDependent((("size", None),), _SIZE, values=(0, "a")),
    "jax.numpy.unique": DataDependent((("size", None),), _SIZE, values=(0, "ar")),
    "jax.numpy.unique_all": DataDependent((("size", None),), _SIZE),
    "jax.numpy.unique_counts": DataDependent((("size", None),), _SIZE),
    "jax.numpy.unique_inverse": DataDependent((("size", None),), _SIZE),
    "jax.numpy.unique_values": DataDependent((("size", None),), _SIZE),
    "jax.numpy.union1d": DataDependent((("size", None),), _SIZE, values=(0, "ar1")),
    "jax.numpy.intersect1d": DataDependent((("size", None),), _SIZE, values=(0, "ar1")),
    "jax.numpy.setdiff1d": DataDependent((("size", None),), _SIZE, values=(0, "ar1")),
    "jax.numpy.setxor1d": DataDependent((("size", None),), _SIZE, values=(0, "ar1")),
    "jax.numpy.mask_indices": DataDependent((("size", None),), _SIZE, values=(1, "mask_func")),
    "jax.numpy.trim_zeros": DataDependent((), _SIZE, values=(0, "filt")),
    "jax.numpy.roots": DataDependent((), _SIZE, unless=("strip_zeros", False), values=(0, "p")),
    "jax.numpy.bincount": DataDependent((("length", None),), _SIZE),
    "jax.numpy.repeat": DataDependent(
        (("total_repeat_length", None),), _SIZE, values=(1, "repeats"), host_values_ok=True
    ),
    "jax.numpy.delete": DataDependent(
        (), _SIZE, unless=("assume_unique_indices", True), values=(1, "obj"), host_values_ok=True
    ),
    "jax.numpy.extract": DataDependent((("size", None),), "TracerBoolConversionError", values=(0, "condition")),
    "jax.numpy.compress": DataDependent((("size", None),), "TracerBoolConversionError", values=(0, "condition")),
    "jax.ops.segment_sum": DataDependent((("num_segments", 2),), _SIZE, values=(1, "segment_ids")),
    "jax.ops.segment_prod": DataDependent((("num_segments", 2),), _SIZE, values=(1, "segment_ids")),
    "jax.ops.segment_max": DataDependent((("num_segments", 2),), _SIZE, values=(1, "segment_ids")),
    "jax.ops.segment_min": DataDependent((("num_segments", 2),), _SIZE, values=(1, "segment_ids")),
}

# The same for methods of an array; position 0 of `values` is the first argument, -1 the array itself.
DATA_DEPENDENT_METHODS: dict[str, DataDependent] = {
    "nonzero": DataDependent((("size", None),), _SIZE, values=(-1, "self")),
    "compress": DataDependent((("size", None),), "TracerBoolConversionError", values=(0, "condition")),
    "repeat": DataDependent((("total_repeat_length", None),), _SIZE, values=(0, "repeats"), host_values_ok=True),
}

# Not the shape but a check of the values: needs concrete indices until a `mode` other than "raise" is given.
VALUE_CHECKED: dict[str, DataDependent] = {
    "jax.numpy.ravel_multi_index": DataDependent((("mode", 2),), _SIZE, values=(0, "multi_index")),
    "jax.numpy.choose": DataDependent((("mode", 3),), _SIZE, values=(0, "a")),
}

# JAX functions that need the values of their first argument, whatever else they are given.
CONCRETIZING_FUNCTIONS: dict[str, str] = {
    "jax.numpy.array_repr": "TracerArrayConversionError",
    "jax.numpy.array_str": "TracerArrayConversionError",
    "jax.numpy.save": "TracerArrayConversionError",
    "jax.numpy.from_dlpack": "TypeError",
    "jax.numpy.frombuffer": "TypeError",
    "jax.tree.all": "TracerBoolConversionError",
    "jax.tree_util.tree_all": "TracerBoolConversionError",
}

_ERRORS = {
    "A": "TracerArrayConversionError",
    "B": "TracerBoolConversionError",
    "C": "ConcretizationTypeError",
    "I": "TracerIntegerConversionError",
    "T": "TypeError",
    "V": "ValueError",
}


def _static_arguments(prefix: str, table: str) -> dict[str, tuple[StaticArgument, ...]]:
    """Read lines of `function position:keyword:error ...`; position `-` is keyword only, `!` after the error letter
    says that only a scalar must be static (an array there is data)."""
    result = {}
    for line in table.strip().splitlines():
        function, *arguments = line.split()
        result[f"{prefix}.{function}"] = tuple(
            StaticArgument(
                None if position == "-" else int(position), keyword, _ERRORS[error[0]], scalar_only=error.endswith("!")
            )
            for position, keyword, error in (argument.split(":") for argument in arguments)
        )
    return result


# Found by passing a tracer to every argument of every function under jit (JAX 0.10.2); what is not here accepts one,
# or takes no number (flags such as `unique_indices` are left out: nobody computes them).
STATIC_ARGUMENTS: dict[str, tuple[StaticArgument, ...]] = _static_arguments(
    "jax",
    """
    image.resize 1:shape:T
    lax.approx_max_k 1:k:T 2:reduction_dimension:T
    lax.approx_min_k 1:k:T 2:reduction_dimension:T
    lax.argmax 1:axis:T
    lax.argmin 1:axis:T
    lax.broadcast 1:sizes:B
    lax.broadcast_in_dim 1:shape:B 2:broadcast_dimensions:T
    lax.broadcast_to_rank 1:rank:B
    lax.broadcasted_iota 1:shape:T 2:dimension:C
    lax.collapse 1:start_dimension:I 2:stop_dimension:I
    lax.concatenate 1:dimension:T
    lax.cumlogsumexp 1:axis:C 2:reverse:B
    lax.cummax 1:axis:C 2:reverse:B
    lax.cummin 1:axis:C 2:reverse:B
    lax.cumprod 1:axis:C 2:reverse:B
    lax.cumsum 1:axis:C 2:reverse:B
    lax.dynamic_index_in_dim 2:axis:V 3:keepdims:V
    lax.dynamic_slice 2:slice_sizes:T
    lax.dynamic_slice_in_dim 2:slice_size:I 3:axis:C
    lax.dynamic_update_index_in_dim 3:axis:V
    lax.dynamic_update_slice_in_dim 3:axis:C
    lax.expand_dims 1:dimensions:T
    lax.fft 2:fft_lengths:V
    lax.full 0:shape:T
    lax.index_in_dim 1:index:I 2:axis:C 3:keepdims:B
    lax.integer_pow 1:y:T
    lax.iota 1:size:T
    lax.map -:batch_size:B
    lax.pad 2:padding_config:T
    lax.reduce_max 1:axes:T
    lax.reduce_min 1:axes:T
    lax.reduce_prod 1:axes:T
    lax.reduce_sum 1:axes:T
    lax.reshape 1:new_sizes:T
    lax.rev 1:dimensions:T
    lax.scan 3:length:C
    lax.slice 1:start_indices:T 2:limit_indices:T 3:strides:T
    lax.slice_in_dim 1:start_index:I 2:limit_index:I 3:stride:I 4:axis:I
    lax.sort 1:dimension:I 3:num_keys:B
    lax.sort_key_val 2:dimension:I
    lax.split 1:sizes:T 2:axis:I
    lax.squeeze 1:dimensions:I
    lax.stack 1:axis:I
    lax.tile 1:reps:T
    lax.top_k 1:k:B -:axis:I
    lax.transpose 1:permutation:I
    lax.unstack 1:axis:I
    nn.gelu 1:approximate:B
    nn.glu 1:axis:V
    nn.log_softmax 1:axis:V
    nn.logmeanexp 1:axis:V 3:keepdims:V
    nn.logsumexp 1:axis:T 3:keepdims:V
    nn.one_hot 1:num_classes:C -:axis:V
    nn.softmax 1:axis:C
    nn.standardize 1:axis:V
    numpy.all 1:axis:C 3:keepdims:V
    numpy.amax 1:axis:C 3:keepdims:V
    numpy.amin 1:axis:C 3:keepdims:V
    numpy.angle 1:deg:V
    numpy.any 1:axis:C 3:keepdims:V
    numpy.append 2:axis:V
    numpy.arange 0:start:C 1:stop:C 2:step:C
    numpy.argmax 1:axis:I 3:keepdims:B
    numpy.argmin 1:axis:I 3:keepdims:B
    numpy.argpartition 1:kth:V 2:axis:V
    numpy.argsort 1:axis:V
    numpy.argwhere -:size:C
    numpy.around 1:decimals:V
    numpy.array -:ndmin:B
    numpy.array_split 1:indices_or_sections:C 2:axis:C
    numpy.average 1:axis:C 4:keepdims:V
    numpy.bartlett 0:M:C
    numpy.bincount -:length:C
    numpy.blackman 0:M:C
    numpy.broadcast_to 1:shape:T
    numpy.compress -:size:B
    numpy.concat -:axis:I
    numpy.concatenate 1:axis:I
    numpy.count_nonzero 1:axis:V 2:keepdims:V
    numpy.cov 4:ddof:V
    numpy.cross 2:axisa:V 3:axisb:V 4:axisc:V 5:axis:V
    numpy.cumprod 1:axis:V
    numpy.cumsum 1:axis:V
    numpy.cumulative_prod -:axis:I
    numpy.cumulative_sum -:axis:I
    numpy.delete 2:axis:I
    numpy.diag 1:k:I
    numpy.diag_indices 0:n:C 1:ndim:C
    numpy.diagflat 1:k:T
    numpy.diagonal 1:offset:V 2:axis1:V 3:axis2:V
    numpy.diff 1:n:V 2:axis:V
    numpy.dsplit 1:indices_or_sections:C
    numpy.empty 0:shape:T
    numpy.empty_like 2:shape:T
    numpy.expand_dims 1:axis:C
    numpy.extract -:size:B
    numpy.eye 0:N:T 1:M:T
    numpy.fft.fft 1:n:I 2:axis:T
    numpy.fft.fft2 2:axes:T
    numpy.fft.fftfreq 0:n:C
    numpy.fft.fftn 1:s:I 2:axes:T
    numpy.fft.fftshift 1:axes:T
    numpy.fft.hfft 1:n:I 2:axis:I
    numpy.fft.ifft 1:n:I 2:axis:T
    numpy.fft.ifft2 2:axes:T
    numpy.fft.ifftn 1:s:I 2:axes:T
    numpy.fft.ifftshift 1:axes:T
    numpy.fft.ihfft 1:n:I 2:axis:I
    numpy.fft.irfft 1:n:I 2:axis:T
    numpy.fft.irfft2 2:axes:T
    numpy.fft.irfftn 1:s:I 2:axes:T
    numpy.fft.rfft 1:n:I 2:axis:T
    numpy.fft.rfft2 2:axes:T
    numpy.fft.rfftfreq 0:n:B
    numpy.fft.rfftn 1:s:I 2:axes:T
    numpy.flatnonzero -:size:C
    numpy.flip 1:axis:C
    numpy.full 0:shape:T
    numpy.full_like 3:shape:T
    numpy.geomspace 2:num:C 3:endpoint:V 5:axis:C
    numpy.gradient -:axis:V
    numpy.hamming 0:M:C
    numpy.hanning 0:M:C
    numpy.histogram 1:bins:C!
    numpy.histogram_bin_edges 1:bins:C!
    numpy.hsplit 1:indices_or_sections:C
    numpy.identity 0:n:T
    numpy.indices 0:dimensions:C
    numpy.insert 3:axis:C
    numpy.intersect1d -:size:V
    numpy.kaiser 0:M:C
    numpy.lexsort 1:axis:V
    numpy.linalg.cond 1:p:V
    numpy.linalg.diagonal -:offset:V
    numpy.linalg.matrix_norm -:keepdims:V
    numpy.linalg.matrix_power 1:n:V
    numpy.linalg.norm 1:ord:V 2:axis:V 3:keepdims:V
    numpy.linalg.tensordot -:axes:T
    numpy.linalg.tensorinv 1:ind:I
    numpy.linalg.tensorsolve 2:axes:I
    numpy.linalg.vecdot -:axis:I
    numpy.linalg.vector_norm -:axis:C -:keepdims:V -:ord:B
    numpy.linspace 2:num:C 3:endpoint:V 6:axis:C
    numpy.logspace 2:num:C 3:endpoint:V 6:axis:C
    numpy.mask_indices -:size:C
    numpy.max 1:axis:C 3:keepdims:V
    numpy.mean 1:axis:C 4:keepdims:V
    numpy.median 1:axis:V 4:keepdims:V
    numpy.min 1:axis:C 3:keepdims:V
    numpy.moveaxis 1:source:C 2:destination:C
    numpy.nanargmax 1:axis:I 3:keepdims:B
    numpy.nanargmin 1:axis:I 3:keepdims:B
    numpy.nancumprod 1:axis:V
    numpy.nancumsum 1:axis:V
    numpy.nanmax 1:axis:V 3:keepdims:V
    numpy.nanmean 1:axis:V 4:keepdims:V
    numpy.nanmedian 1:axis:V 4:keepdims:V
    numpy.nanmin 1:axis:V 3:keepdims:V
    numpy.nanpercentile 2:axis:V 6:keepdims:V
    numpy.nanprod 1:axis:V 4:keepdims:V
    numpy.nanquantile 2:axis:V 6:keepdims:V
    numpy.nanstd 1:axis:V 5:keepdims:V
    numpy.nansum 1:axis:V 4:keepdims:V
    numpy.nanvar 1:axis:V 5:keepdims:V
    numpy.nonzero -:size:C
    numpy.ones 0:shape:T
    numpy.ones_like 2:shape:T
    numpy.packbits 1:axis:V
    numpy.pad 1:pad_width:C
    numpy.partition 1:kth:V 2:axis:V
    numpy.percentile 2:axis:V 6:keepdims:V
    numpy.permute_dims 1:axes:I
    numpy.polyder 1:m:V
    numpy.polyfit 2:deg:V
    numpy.polyint 1:m:V
    numpy.prod 1:axis:C 4:keepdims:V
    numpy.ptp 1:axis:C 3:keepdims:V
    numpy.quantile 2:axis:V 6:keepdims:V
    numpy.repeat 2:axis:C -:total_repeat_length:B
    numpy.reshape 1:shape:T
    numpy.resize 1:new_shape:V
    numpy.roll 2:axis:C
    numpy.rollaxis 1:axis:V 2:start:V
    numpy.rot90 1:k:V 2:axes:V
    numpy.round 1:decimals:V
    numpy.setdiff1d -:size:C
    numpy.setxor1d -:size:V
    numpy.size 1:axis:I
    numpy.sort 1:axis:V
    numpy.split 1:indices_or_sections:C 2:axis:C
    numpy.squeeze 1:axis:C
    numpy.stack 1:axis:I
    numpy.std 1:axis:C 5:keepdims:V
    numpy.sum 1:axis:C 4:keepdims:V
    numpy.swapaxes 1:axis1:V 2:axis2:V
    numpy.take 2:axis:I
    numpy.take_along_axis 2:axis:V
    numpy.tensordot 2:axes:T
    numpy.tile 1:reps:T
    numpy.trace 2:axis1:V 3:axis2:V
    numpy.transpose 1:axes:I
    numpy.trapezoid 3:axis:V
    numpy.tri 0:N:T 1:M:T
    numpy.tril 1:k:V
    numpy.tril_indices 0:n:C 1:k:C 2:m:C
    numpy.tril_indices_from 1:k:C
    numpy.triu 1:k:V
    numpy.triu_indices 0:n:C 1:k:C 2:m:C
    numpy.triu_indices_from 1:k:C
    numpy.union1d -:size:C
    numpy.unique -:size:C
    numpy.unpackbits 1:axis:V
    numpy.unstack -:axis:V
    numpy.unwrap 2:axis:V
    numpy.vander 1:N:V 2:increasing:V
    numpy.var 1:axis:C 5:keepdims:V
    numpy.vecdot -:axis:I
    numpy.vsplit 1:indices_or_sections:C
    numpy.where -:size:C
    numpy.zeros 0:shape:T
    numpy.zeros_like 2:shape:T
    ops.segment_max 2:num_segments:C
    ops.segment_min 2:num_segments:C
    ops.segment_prod 2:num_segments:C
    ops.segment_sum 2:num_segments:C
    random.ball 1:d:C 3:shape:T
    random.bernoulli 2:shape:T
    random.beta 3:shape:T
    random.binomial 3:shape:T
    random.bits 1:shape:T
    random.categorical 2:axis:A 3:shape:T
    random.cauchy 1:shape:T
    random.chisquare 2:shape:T
    random.choice 1:a:C! 2:shape:B 5:axis:I
    random.dirichlet 2:shape:T
    random.double_sided_maxwell 3:shape:T
    random.exponential 1:shape:T
    random.f 3:shape:T
    random.gamma 2:shape:T
    random.generalized_normal 2:shape:T
    random.geometric 2:shape:T
    random.gumbel 1:shape:T
    random.laplace 1:shape:T
    random.loggamma 2:shape:T
    random.logistic 1:shape:T
    random.lognormal 2:shape:T
    random.maxwell 1:shape:T
    random.multinomial -:shape:T
    random.multivariate_normal 3:shape:T
    random.normal 1:shape:T
    random.orthogonal 1:n:C 2:shape:T 4:m:C
    random.pareto 2:shape:T
    random.permutation 1:x:C! 2:axis:I
    random.poisson 2:shape:T
    random.rademacher 1:shape:T
    random.randint 1:shape:T
    random.rayleigh 2:shape:T
    random.split 1:num:T
    random.t 2:shape:T
    random.triangular 4:shape:T
    random.truncated_normal 3:shape:T
    random.uniform 1:shape:T
    random.wald 2:shape:T
    random.weibull_min 3:shape:T
    scipy.fft.dct 2:n:T 3:axis:I
    scipy.fft.dctn 2:s:I 3:axes:I
    scipy.fft.idct 2:n:T 3:axis:I
    scipy.fft.idctn 2:s:I 3:axes:I
    scipy.integrate.trapezoid 3:axis:V
    scipy.linalg.convolution_matrix 1:n:V
    scipy.linalg.dft 0:n:V
    scipy.linalg.hadamard 0:n:V
    scipy.linalg.helmert 0:n:V
    scipy.linalg.hilbert 0:n:V
    scipy.linalg.invhilbert 0:n:V
    scipy.linalg.invpascal 0:n:V
    scipy.linalg.pascal 0:n:V
    scipy.special.bernoulli 0:n:C
    scipy.special.log_softmax -:axis:V
    scipy.special.logsumexp 1:axis:T 3:keepdims:V
    scipy.special.multigammaln 1:d:C
    scipy.special.softmax -:axis:C
    """,
)


def _method_arguments(method: str) -> tuple[StaticArgument, ...]:
    """A method takes what the function of its name takes, less the array itself."""
    return tuple(
        replace(argument, position=None if argument.position is None else argument.position - 1)
        for argument in STATIC_ARGUMENTS[f"jax.numpy.{method}"]
    )


# `astype` and `view` take a dtype only; `clip`, `dot`, `conj` and the like accept tracers.
STATIC_METHOD_ARGUMENTS: dict[str, tuple[StaticArgument, ...]] = {
    "reshape": (StaticArgument(0, "shape", "TypeError", starts_varargs=True),),
    "transpose": (StaticArgument(0, "axes", "TracerIntegerConversionError", starts_varargs=True),),
} | {
    method: _method_arguments(method)
    for method in """
    all any argmax argmin argpartition argsort cumprod cumsum diagonal max mean min prod ptp repeat round sort squeeze
    std sum swapaxes take trace var
    """.split()
}

# ---------------------------------------------------------------------------------------------------------------
# NumPy and the host

# NumPy functions that hand the work to a method of their argument: on a tracer they return a tracer (NumPy 2.4).
NUMPY_ACCEPTS: frozenset[str] = _names(
    "numpy",
    """
    sum mean max min amax amin prod std var any all argmax argmin cumsum cumprod round around reshape transpose
    permute_dims moveaxis swapaxes rollaxis squeeze repeat searchsorted split array_split hsplit vsplit dsplit unstack
    flip real imag isreal take_along_axis
    """,
)

# NumPy functions that ask a tracer only for its shape or dtype: the result is static.
NUMPY_STATIC: frozenset[str] = _names(
    "numpy",
    """
    shape ndim size iscomplexobj isrealobj isscalar result_type can_cast promote_types iterable common_type issubdtype
    diag_indices_from tril_indices_from triu_indices_from
    """,
)

# These answer False on any tracer, without an error.
NUMPY_SILENT_FALSE: frozenset[str] = _names("numpy", "array_equal array_equiv")

NUMPY_TO_JNP: dict[str, str] = {
    name: f"jax.{name}"
    for name in _names(
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
    | _names(
        "numpy.linalg",
        """
        cholesky cond cross det diagonal eig eigh eigvals eigvalsh inv lstsq matmul matrix_norm matrix_power
        matrix_rank matrix_transpose multi_dot norm outer pinv qr slogdet solve svd svdvals tensordot tensorinv
        tensorsolve trace vecdot vector_norm
        """,
    )
    | _names(
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

# ---------------------------------------------------------------------------------------------------------------
# Writing in place

# jax.numpy functions that have an `out` parameter and refuse it; `out=` to any other is an unexpected keyword, a
# TypeError.  For NumPy functions, `out=` a jax array is a TypeError.
OUT_ARGUMENT: dict[str, str] = dict.fromkeys(
    _names(
        "jax.numpy",
        """
        add all amax amin any argmax argmin around bitwise_and bitwise_or bitwise_xor choose compress cumprod cumsum
        einsum isneginf isposinf logaddexp logaddexp2 logical_and logical_or logical_xor max maximum mean min
        minimum modf multiply nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmin
        nanprod nanstd nansum nanvar negative outer prod ptp round stack std subtract
        sum take trace var
        """,
    ),
    "NotImplementedError",
) | dict.fromkeys(
    _names("jax.numpy", "median nanmedian percentile nanpercentile quantile nanquantile"),
    "ValueError",
)

# jax.numpy functions that must be called with `inplace=False`: the error of leaving it out.
INPLACE_KEYWORD: dict[str, str] = {
    "jax.numpy.fill_diagonal": "NotImplementedError",
    "jax.numpy.put": "ValueError",
    "jax.numpy.place": "ValueError",
    "jax.numpy.put_along_axis": "ValueError",
}
# `jnp.add.at(x, i, v)`: the `at` method of the ufunc objects of jax.numpy.
UFUNCS: frozenset[str] = _names(
    "jax.numpy",
    """
    add bitwise_and bitwise_or bitwise_xor logaddexp logaddexp2 logical_and logical_or logical_xor maximum minimum
    multiply negative subtract
    """,
)
UFUNC_AT_ERROR = "NotImplementedError"

# Host functions that write into their first argument: the error when that is a jax array.
HOST_INPLACE: dict[str, str] = {
    **dict.fromkeys(
        _names("numpy", "put place putmask copyto put_along_axis add.at subtract.at multiply.at maximum.at minimum.at"),
        "TypeError",
    ),
    "numpy.fill_diagonal": "NotImplementedError",
    "numpy.random.shuffle": "TypeError",
    "random.shuffle": "TypeError",
}

# ---------------------------------------------------------------------------------------------------------------
# Making arrays

# Calls that return a concrete jax array outside every trace, also when all they are given lives on the host.
# A name ending in `.*` stands for the functions of a namespace that no table above says otherwise about.
ARRAY_CREATORS: frozenset[str] = frozenset(f"{namespace}.*" for namespace in ARRAY_NAMESPACES) | frozenset(
    {
        "jax.device_put",
        "jax.make_array_from_callback",
        "jax.make_array_from_process_local_data",
        "jax.make_array_from_single_device_arrays",
        "jax.dlpack.from_dlpack",
    }
)

# Functions that return a list or tuple of arrays, of a length that depends on the call.
SEQUENCE_RESULTS: frozenset[str] = _names(
    "jax.numpy",
    "split array_split hsplit vsplit dsplit meshgrid unstack broadcast_arrays "
    "atleast_1d atleast_2d atleast_3d gradient",
) | frozenset({"jax.lax.split"})
# Functions of an array namespace that are called for what they do.
EFFECT_FUNCTIONS: frozenset[str] = _names("jax.numpy", "save savez set_printoptions")
