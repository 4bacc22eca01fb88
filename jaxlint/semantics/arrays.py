"""What the array functions of JAX and NumPy return, refuse and need to know, by qualified name.

Names are the public spelling without import alias: ``jax.numpy.sum``, ``jax.lax.add``.  A function of
``ARRAY_NAMESPACES`` returns an array (a tracer inside a staging trace) unless a table below says otherwise.
Error names are exception classes: of ``jax.errors`` where such a class exists, else builtins.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StaticArgument:
    """An argument that must be known at trace time; ``position`` is None when it is keyword only.

    ``starts_varargs``: from ``position`` on, every positional argument is one (``x.reshape(2, n)``).
    """

    position: int | None
    keyword: str
    error: str
    starts_varargs: bool = False


@dataclass(frozen=True, slots=True)
class DataDependent:
    """A function whose result's shape depends on values.

    It works under a trace once one of ``sized_by`` (keyword to position, None for keyword only) is given.
    ``only_with_args``: so only when called with exactly this many arguments (`where(cond)`).
    ``unless``: or once a keyword has this constant (`roots(strip_zeros=False)`).
    ``values``: position and keyword of the argument whose *values* set the shape; a static one is fine.
    """

    sized_by: tuple[tuple[str, int | None], ...]
    error: str
    only_with_args: int | None = None
    unless: tuple[str, object] | None = None
    values: tuple[int, str] = (0, "x")


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
        isrealobj iterable broadcast_shapes get_printoptions set_printoptions printoptions array_repr array_str
        array2string save savez einsum_path
        """,
    )
    | _names(
        "jax.lax",
        """
        axis_size broadcast_shapes conv_dimension_numbers conv_general_permutations conv_general_shape_tuple
        conv_shape_tuple conv_transpose_shape_tuple padtype_to_pads dtype dtypes shape_as_value
        ConvDimensionNumbers GatherDimensionNumbers ScatterDimensionNumbers GatherScatterMode Precision
        DotAlgorithm DotAlgorithmPreset RandomAlgorithm RoundingMethod RaggedDotDimensionNumbers FftType
        ConvGeneralDilatedDimensionNumbers AccuracyMode Tolerance AxisSize
        """,
    )
    | _names("jax.random", "key_impl key_dtype")
    | _names(
        "jax",
        """
        eval_shape typeof device_count local_device_count process_count process_index process_indices devices
        local_devices default_backend live_arrays host_id host_count host_ids ShapeDtypeStruct make_jaxpr
        check_tracer_leaks print_environment_info is_initialized make_mesh
        """,
    )
    | _names("jax.tree", "structure all")
    | _names("jax.tree_util", "tree_structure treedef_is_leaf all_leaves keystr tree_all")
    | _names("jax.core", "is_concrete")
    | _names("jax.dtypes", "result_type issubdtype canonicalize_dtype scalar_type_of finfo iinfo prng_key float0 bfloat16")
    | _names("jax.image", "ResizeMethod")
)

CONSTANTS: frozenset[str] = (
    _names("jax.numpy", "pi e inf nan newaxis euler_gamma NINF NAN Inf index_exp s_ mgrid ogrid r_ c_")
    | _names(
        "jax.numpy",
        """
        bool_ int4 int8 int16 int32 int64 int_ uint2 int2 uint4 uint8 uint16 uint32 uint64 uint bfloat16 float16
        float32 float64 float_ double single complex64 complex128 complex_ csingle cdouble
        float4_e2m1fn float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2
        float8_e5m2fnuz float8_e8m0fnu
        character complexfloating flexible floating generic inexact integer number object_ signedinteger
        unsignedinteger ndarray ufunc
        """,
    )
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
        bool_
        """,
    )
    | _names("jax.lax", "eq ne lt le gt ge is_finite reduce_and reduce_or eq_to le_to lt_to")
    | _names("jax.random", "bernoulli")
)

INT_RESULTS: frozenset[str] = (
    _names(
        "jax.numpy",
        """
        argmax argmin nanargmax nanargmin argsort argpartition argwhere nonzero flatnonzero searchsorted digitize
        count_nonzero bincount indices tri_indices tril_indices triu_indices tril_indices_from triu_indices_from
        diag_indices diag_indices_from mask_indices ravel_multi_index unravel_index lexsort packbits unpackbits
        bitwise_count int8 int16 int32 int64 uint8 uint16 uint32 uint64 int_ uint
        """,
    )
    | _names("jax.lax", "argmax argmin clz population_count iota axis_index")
    | _names("jax.random", "randint categorical poisson binomial geometric bits rademacher multinomial key_data")
)

# Under plain grad/vjp/jvp the result on a differentiated value is concrete, with nothing to differentiate:
# `if jnp.floor(x) > 0`, `float(jnp.argmax(x))` work there.
NON_FLOAT_RESULTS: frozenset[str] = (
    BOOL_RESULTS
    | INT_RESULTS
    | _names("jax.numpy", "floor ceil round rint trunc sign fix around floor_divide heaviside zeros_like ones_like full_like empty_like")
    | _names("jax.lax", "floor ceil round sign stop_gradient")
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
    "jax.numpy.trim_zeros": DataDependent((), _SIZE, values=(0, "filt")),
    "jax.numpy.roots": DataDependent((), _SIZE, unless=("strip_zeros", False), values=(0, "p")),
    "jax.numpy.bincount": DataDependent((("length", None),), _SIZE),
    "jax.numpy.repeat": DataDependent((("total_repeat_length", None),), _SIZE, values=(1, "repeats")),
    "jax.numpy.delete": DataDependent((), _SIZE, unless=("assume_unique_indices", True), values=(1, "obj")),
    "jax.numpy.extract": DataDependent((("size", None),), _SIZE, values=(0, "condition")),
    "jax.numpy.compress": DataDependent((("size", None),), "TracerBoolConversionError", values=(0, "condition")),
    "jax.ops.segment_sum": DataDependent((("num_segments", 2),), _SIZE, values=(1, "segment_ids")),
    "jax.ops.segment_prod": DataDependent((("num_segments", 2),), _SIZE, values=(1, "segment_ids")),
    "jax.ops.segment_max": DataDependent((("num_segments", 2),), _SIZE, values=(1, "segment_ids")),
    "jax.ops.segment_min": DataDependent((("num_segments", 2),), _SIZE, values=(1, "segment_ids")),
}

# The same for methods of an array.
DATA_DEPENDENT_METHODS: dict[str, DataDependent] = {
    "nonzero": DataDependent((("size", None),), _SIZE),
    "compress": DataDependent((("size", None),), "TracerBoolConversionError"),
    "repeat": DataDependent((("total_repeat_length", None),), _SIZE, values=(0, "repeats")),
}

STATIC_ARGUMENTS: dict[str, tuple[StaticArgument, ...]] = {}
STATIC_METHOD_ARGUMENTS: dict[str, tuple[StaticArgument, ...]] = {}

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

NUMPY_TO_JNP: dict[str, str] = {}
MATH_TO_JNP: dict[str, str] = {}

HOST_LIBRARIES: tuple[str, ...] = ("math", "cmath", "statistics", "scipy", "sklearn", "pandas", "torch", "cv2", "PIL", "matplotlib")
HOST_LIBRARY_EXCEPTIONS: frozenset[str] = frozenset({"math.prod"})

# ---------------------------------------------------------------------------------------------------------------
# Writing in place

OUT_ARGUMENT: dict[str, str] = {}
INPLACE_KEYWORD: dict[str, str] = {}

# ---------------------------------------------------------------------------------------------------------------
# Making arrays

ARRAY_CREATORS: frozenset[str] = frozenset()
