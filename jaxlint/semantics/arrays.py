"""What the array functions of JAX return, by qualified name.

Names are the public spelling without import alias: ``jax.numpy.sum``, ``jax.lax.add``.  A function of
``ARRAY_NAMESPACES`` returns an array (a tracer inside a staging trace) unless a table below says otherwise.
"""

from __future__ import annotations

from jaxlint.semantics.model import names

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

OF_FLAX = (
    "celu elu gelu glu hard_sigmoid hard_silu hard_swish hard_tanh leaky_relu log_sigmoid log_softmax logsumexp "
    "one_hot relu relu6 selu sigmoid silu soft_sign softmax softplus standardize swish tanh"
).split()
"""Functions of `jax.nn` that flax has, too."""

ALIASES: dict[str, str] = {
    **{f"flax.{module}.{name}": f"jax.nn.{name}" for module in ("linen", "nnx") for name in OF_FLAX},
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

STATIC_RESULTS: frozenset[str] = (
    names(
        "jax.numpy",
        """
        shape ndim size result_type promote_types issubdtype isdtype can_cast finfo iinfo dtype isscalar iscomplexobj
        isrealobj iterable broadcast_shapes get_printoptions set_printoptions printoptions einsum_path
        """,
    )
    | names(
        "jax.lax",
        """
        axis_size broadcast_shapes dce_sink conv_dimension_numbers conv_general_permutations conv_general_shape_tuple
        conv_shape_tuple conv_transpose_shape_tuple padtype_to_pads dtype
        ConvDimensionNumbers GatherDimensionNumbers ScatterDimensionNumbers GatherScatterMode Precision
        DotAlgorithm DotAlgorithmPreset RandomAlgorithm RoundingMethod RaggedDotDimensionNumbers FftType
        ConvGeneralDilatedDimensionNumbers AccuracyMode Tolerance
        """,
    )
    | names("jax.random", "key_impl key_dtype")
    | names(
        "jax",
        """
        eval_shape typeof device_count local_device_count process_count process_index process_indices devices
        local_devices default_backend live_arrays host_id host_count host_ids ShapeDtypeStruct make_jaxpr
        check_tracer_leaks print_environment_info make_mesh
        """,
    )
    | names("jax.tree", "structure all")
    | names("jax.tree_util", "tree_structure treedef_is_leaf all_leaves keystr tree_all")
    | names("jax.core", "is_concrete")
    | names(
        "jax.dtypes", "result_type issubdtype canonicalize_dtype scalar_type_of finfo iinfo prng_key float0 bfloat16"
    )
    | names("jax.image", "ResizeMethod")
)

# Scalar types of jax.numpy: static objects, though calling one makes an array.
DTYPES: frozenset[str] = names(
    "jax.numpy",
    """
    bool bool_ int1 int2 int4 int8 int16 int32 int64 int_ uint1 uint2 uint4 uint8 uint16 uint32 uint64 uint bfloat16
    float16 float32 float64 float_ double single complex64 complex128 complex_ csingle cdouble
    float4_e2m1fn float6_e2m3fn float6_e3m2fn float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn
    float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu
    character complexfloating flexible floating generic inexact integer number object_ signedinteger unsignedinteger
    """,
)

ARRAY_FUNCTIONS: frozenset[str] = frozenset(("jax.experimental.pallas.program_id",))
"""Functions elsewhere that return an array."""

OF_THE_PLACE: frozenset[str] = ARRAY_FUNCTIONS | {"jax.lax.axis_index"}
"""What these return is another value at each place that runs the program, whatever they are given."""

CONSTANTS: frozenset[str] = (
    DTYPES
    | names("jax.numpy", "pi e inf nan newaxis euler_gamma index_exp s_ mgrid ogrid r_ c_ ndarray ufunc")
    | names("jax.dtypes", "bfloat16 float0 prng_key extended")
)

NUMBERS: frozenset[str] = frozenset(
    f"{module}.{name}" for module in ("math", "numpy", "jax.numpy") for name in "pi e inf nan tau euler_gamma".split()
)
"""Constants that are floats of Python."""

NEW_AXES: frozenset[str] = frozenset(("jax.numpy.newaxis", "numpy.newaxis"))
"""Names of None."""

BOOL_RESULTS: frozenset[str] = (
    names(
        "jax.numpy",
        """
        all any isnan isinf isfinite isneginf isposinf isreal iscomplex isclose allclose array_equal array_equiv isin
        equal not_equal greater greater_equal less less_equal logical_and logical_or logical_not logical_xor signbit
        bool bool_
        """,
    )
    | names("jax.lax", "eq ne lt le gt ge is_finite reduce_and reduce_or")
    | names("jax.random", "bernoulli")
)

INT_RESULTS: frozenset[str] = (
    names(
        "jax.numpy",
        """
        argmax argmin nanargmax nanargmin argsort argpartition argwhere nonzero flatnonzero searchsorted digitize
        count_nonzero bincount indices tril_indices triu_indices tril_indices_from triu_indices_from
        diag_indices diag_indices_from mask_indices ravel_multi_index unravel_index lexsort packbits unpackbits
        bitwise_count linalg.matrix_rank gcd lcm left_shift right_shift bitwise_left_shift bitwise_right_shift
        int8 int16 int32 int64 uint8 uint16 uint32 uint64 int_ uint
        """,
    )
    | names(
        "jax.lax",
        "argmax argmin clz population_count axis_index mulhi shift_left shift_right_arithmetic shift_right_logical",
    )
    | names("jax.random", "randint categorical poisson geometric bits rademacher key_data")
)

# Under plain grad/vjp/jvp the result on a differentiated value is concrete, with nothing to differentiate:
# `if jnp.floor(x) > 0`, `float(jnp.argmax(x))` work there.
NON_FLOAT_RESULTS: frozenset[str] = (
    BOOL_RESULTS
    | INT_RESULTS
    | names(
        "jax.numpy",
        "floor ceil round rint trunc sign fix around floor_divide zeros_like ones_like empty_like",
    )
    | names("jax.lax", "floor ceil round sign stop_gradient bitcast_convert_type")
    | {"jax.nn.one_hot", "jax.scipy.special.gammasgn", "jax.scipy.stats.rankdata"}
)

# Of this parameter of theirs they take the shape and the dtype alone: under vmap the result is no tracer.
OF_SHAPE_ALONE: dict[str, str] = {
    "jax.numpy.zeros_like": "a",
    "jax.numpy.ones_like": "a",
    "jax.numpy.full_like": "a",
    "jax.numpy.empty_like": "prototype",
    "jax.numpy.diag_indices_from": "arr",
    "jax.numpy.tril_indices_from": "arr",
    "jax.numpy.triu_indices_from": "arr",
    "jax.lax.full_like": "x",
}

# Collectives of a Python number multiply by the axis size: `lax.psum(1, "i")` is an int.
STATIC_ON_STATIC: frozenset[str] = names("jax.lax", "psum pmean pmax pmin")

# These work on each leaf of a pytree and give back the tree: of a dict they make a dict.  What they give back of a
# leaf is that leaf, as far as anyone can tell,
FORWARDED_TREES: frozenset[str] = names("jax", "device_put block_until_ready copy_to_host_async reshard") | names(
    "jax.lax", "optimization_barrier with_sharding_constraint stop_gradient pcast pvary"
)
# (these copy it elsewhere, and do nothing to the one that they are given)
MOVING: frozenset[str] = names("jax", "device_put reshard")
# or one for each device, with an axis for them: the second is given a list of trees,
PUT_ON_DEVICES: frozenset[str] = names("jax", "device_put_replicated device_put_sharded")
# or another array.
COMPUTED_TREES: frozenset[str] = names(
    "jax.lax",
    "psum pmean pmax pmin psum_scatter all_gather all_to_all ppermute pshuffle pswapaxes pbroadcast",
)

# Functions that return a list or tuple of arrays, of a length that depends on the call.
SEQUENCE_RESULTS: frozenset[str] = names(
    "jax.numpy",
    "split array_split hsplit vsplit dsplit meshgrid unstack broadcast_arrays",
) | frozenset({"jax.lax.split"})

# These give back one array of one argument, a list of several.
AS_MANY_AS_ARGUMENTS: frozenset[str] = names("jax.numpy", "atleast_1d atleast_2d atleast_3d")

# Functions of an array namespace that are called for what they do.
EFFECT_FUNCTIONS: frozenset[str] = names("jax.numpy", "save savez set_printoptions")
