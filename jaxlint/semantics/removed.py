"""Names, arguments and methods that JAX took away, and when.

Sources: JAX's release notes, and the public modules and their ``_deprecations`` tables in each of the 101 releases from
0.2.18 to 0.12.0.1.  ``tests/semantics/test_removed.py`` compares the table with the installed JAX.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# What a fresh `pip install jax` is taken to give when a project pins nothing.
NEWEST_VERIFIED = (0, 12, 0)


# From this release on `jnp.empty` and `jnp.empty_like` set nothing; before they gave zeros, as they do on a CPU still.
UNSET_SINCE = "0.11.0"


@dataclass(frozen=True, slots=True)
class Removed:
    """One name.  ``deprecated``: the first release that warns.  ``removed``: the first release without it.
    ``returned``: the first release after that which has it again.  None: has not happened, or is not known."""

    name: str
    replacement: str | None
    deprecated: str | None
    removed: str | None
    note: str = ""
    returned: str | None = None


@dataclass(frozen=True, slots=True)
class RemovedArgument:
    """One keyword of one function; passing it is a TypeError once it is removed.

    ``at_first``: what it raises until some release, and that release, where JAX has first refused it in another way.
    ``none_is_fine``: passing None is as good as not passing it, so that only a value that is known counts.
    """

    function: str
    keyword: str
    replacement: str | None
    deprecated: str | None
    removed: str | None
    at_first: tuple[str, str] | None = None
    none_is_fine: bool = False

    def error(self, version: tuple[int, ...]) -> str:
        """What passing it raises in this release, in which it is gone."""
        if self.at_first is not None and not happened(self.at_first[1], version):
            return self.at_first[0]
        return "TypeError"


def version_key(version: str) -> tuple[int, ...]:
    """``"0.4.30"`` as ``(0, 4, 30)``; what follows the digits (``.dev``, ``rc1``) is dropped."""
    numbers = [int(match.group()) if (match := re.match(r"\d+", part)) else 0 for part in version.split(".")[:3]]
    return tuple(numbers) + (0,) * (3 - len(numbers))


def happened(since: str | None, version: tuple[int, ...]) -> bool:
    """Whether a change made in release ``since`` is in release ``version``, a tuple of numbers of any length."""
    return since is not None and version_key(since) <= tuple(version) + (0,) * (3 - len(version))


def is_gone(entry: Removed | RemovedArgument, version: tuple[int, ...]) -> bool:
    """Whether a release is without it."""
    return happened(entry.removed, version) and not _is_back(entry, version)


def warns(entry: Removed | RemovedArgument, version: tuple[int, ...]) -> bool:
    """Whether a release says that it is deprecated, or would if it still had it."""
    return happened(entry.deprecated, version) and not _is_back(entry, version)


def _is_back(entry: Removed | RemovedArgument, version: tuple[int, ...]) -> bool:
    return isinstance(entry, Removed) and happened(entry.returned, version)


# Rows: prefix, last components, replacement (`{}` is the last component), deprecated, removed, note.
_Row = tuple[str, str, str | None, str | None, str | None, str]

_PXLA_PMAP = "Chunked NoSharding Replicated ShardedAxis ShardingSpec Unstacked spec_to_indices MapTracer PmapExecutable"

_ROWS: tuple[_Row, ...] = (
    # jax
    ("jax", "tree_map", "jax.tree.map", "0.4.26", "0.6.0", ""),
    ("jax", "tree_leaves", "jax.tree.leaves", "0.3.15", "0.6.0", ""),
    ("jax", "tree_flatten", "jax.tree.flatten", "0.3.15", "0.6.0", ""),
    ("jax", "tree_unflatten", "jax.tree.unflatten", "0.3.15", "0.6.0", ""),
    ("jax", "tree_structure", "jax.tree.structure", "0.3.15", "0.6.0", ""),
    ("jax", "tree_transpose", "jax.tree.transpose", "0.3.15", "0.6.0", ""),
    ("jax", "treedef_is_leaf", "jax.tree_util.treedef_is_leaf", "0.3.15", "0.6.0", ""),
    ("jax", "tree_multimap", "jax.tree.map", "0.3.5", "0.3.16", ""),
    ("jax.tree_util", "tree_multimap", "jax.tree.map", "0.3.5", "0.3.16", ""),
    ("jax.tree_util", "build_tree", "jax.tree.unflatten", "0.6.0", "0.7.0", ""),
    ("jax", "device_put_sharded", "jax.device_put(x, NamedSharding(...))", "0.8.1", "0.10.0", "stack the shards first"),
    ("jax", "device_put_replicated", "jax.device_put(x, NamedSharding(...))", "0.8.1", "0.10.0", "broadcast first"),
    ("jax", "xla_computation", "jax.jit(f).lower(*args).compiler_ir('hlo')", "0.4.30", "0.4.34", ""),
    ("jax", "clear_backends", "jax.clear_caches", "0.4.26", "0.4.36", ""),
    ("jax", "soft_pmap", "jax.shard_map", None, "0.3.18", ""),
    ("jax", "mask shapecheck", None, "0.3.6", "0.3.16", ""),
    ("jax", "custom_remat", "jax.custom_vjp and its defremat", None, "0.12.0", "new in 0.11.0"),
    ("jax", "array_ref", "jax.new_ref", "0.8.0", "0.9.0", ""),
    ("jax", "ArrayRef", "jax.Ref", "0.8.0", "0.9.0", ""),
    ("jax", "xla pxla partial_eval", "jax.interpreters.{}", "0.4.8", "0.4.14", ""),
    ("jax", "curry flatten_fun_nokwargs", None, "0.4.8", "0.4.14", ""),
    ("jax", "ShapedArray", "jax.core.ShapedArray", "0.4.8", "0.4.14", ""),
    ("jax.config", "config", "jax.config", "0.4.20", "0.4.25", "`from jax import config`"),
    ("jax.ad_checkpoint", "checkpoint remat", "jax.checkpoint", "0.8.2", "0.10.0", ""),
    ("jax.cloud_tpu_init", "cloud_tpu_init", None, "0.8.1", "0.10.0", "JAX calls it by itself"),
    # jax.ops
    (
        "jax.ops",
        "index index_update index_add index_mul index_min index_max",
        "x.at[i].set(v), .add(v), ...",
        "0.2.22",
        "0.3.2",
        "",
    ),
    # jax.random
    ("jax.random", "KeyArray PRNGKeyArray", "jax.Array", "0.4.16", "0.4.24", ""),
    ("jax.random", "default_prng_impl", "jax.random.key(seed, impl=...)", "0.4.20", "0.4.24", ""),
    ("jax.random", "threefry2x32_key rbg_key unsafe_rbg_key", "jax.random.key(seed, impl=...)", "0.4.17", "0.4.24", ""),
    ("jax.random", "shuffle", "jax.random.permutation(key, x, independent=True)", "0.4.21", "0.4.31", ""),
    # jax.numpy
    ("jax.numpy", "DeviceArray", "jax.Array", "0.4.7", "0.4.14", ""),
    ("jax.numpy", "in1d", "jax.numpy.isin", "0.4.15", "0.4.24", ""),
    ("jax.numpy", "row_stack", "jax.numpy.vstack", "0.4.15", "0.4.24", ""),
    ("jax.numpy", "trapz", "jax.numpy.trapezoid", "0.4.15", "0.4.24", ""),
    ("jax.numpy", "NINF", "-jax.numpy.inf", "0.4.15", "0.4.24", ""),
    ("jax.numpy", "NZERO", "-0.0", "0.4.15", "0.4.24", ""),
    ("jax.numpy", "PZERO", "0.0", "0.4.15", "0.4.24", ""),
    ("jax.numpy", "issubsctype", "jax.numpy.issubdtype", "0.4.15", "0.4.24", ""),
    ("jax.numpy", "alltrue", "jax.numpy.all", "0.4.12", "0.4.16", ""),
    ("jax.numpy", "sometrue", "jax.numpy.any", "0.4.12", "0.4.16", ""),
    ("jax.numpy", "product", "jax.numpy.prod", "0.4.12", "0.4.16", ""),
    ("jax.numpy", "cumproduct", "jax.numpy.cumprod", "0.4.12", "0.4.16", ""),
    ("jax.numpy", "msort", "jax.numpy.sort(x, axis=0)", "0.4.1", "0.4.9", ""),
    ("jax.numpy", "round_", "jax.numpy.round", "0.4.32", "0.4.38", ""),
    ("jax.numpy", "fix", "jax.numpy.trunc", "0.9.0", "0.10.0", ""),
    # jax.nn, jax.lax, jax.scipy
    ("jax.nn", "normalize", "jax.nn.standardize", "0.4.21", "0.4.29", ""),
    ("jax.lax", "tie_in", None, "0.4.24", "0.4.29", "it did nothing"),
    ("jax.lax", "prod", "math.prod", "0.4.11", "0.4.15", ""),
    ("jax.lax", "infeed outfeed", "jax.experimental.io_callback", "0.6.0", "0.7.0", ""),
    ("jax.lax", "zeros_like_array", "jax.numpy.zeros_like", "0.7.1", "0.9.0", ""),
    ("jax.lax", "pdot xeinsum", None, None, "0.4.31", ""),
    ("jax.lax", "dce_sink_p", None, None, "0.11.1", ""),
    ("jax.lax", "psend precv", None, "0.12.0", None, ""),
    ("jax.lax", "pvary", "jax.lax.pcast(x, axis, to='varying')", "0.8.2", "0.10.0", ""),
    ("jax.scipy.linalg", "tril triu", "jax.numpy.{}", "0.4.15", "0.4.24", ""),
    ("jax.scipy.linalg", "polar_unitary", "jax.scipy.linalg.polar", None, "0.4.3", ""),
    ("jax.scipy.special", "sph_harm", "jax.scipy.special.sph_harm_y", "0.7.0", "0.10.0", ""),
    ("jax.scipy.special", "lpmn lpmn_values", None, "0.5.0", None, ""),
    # sharding
    ("jax.sharding", "PositionalSharding", "jax.sharding.NamedSharding", "0.6.0", "0.7.0", ""),
    ("jax.sharding", "GSPMDSharding", "jax.sharding.NamedSharding", "0.6.0", "0.7.0", ""),
    ("jax.sharding", "PmapSharding", "jax.sharding.NamedSharding", "0.8.1", "0.10.0", ""),
    ("jax.sharding", "XLACompatibleSharding", "jax.sharding.Sharding", "0.4.29", "0.4.34", ""),
    ("jax.sharding", "MeshPspecSharding", "jax.sharding.NamedSharding", None, "0.4.8", ""),
    ("jax.sharding", "OpShardingSharding", "jax.sharding.NamedSharding", "0.4.8", "0.4.12", ""),
    ("jax.sharding", "use_mesh", "jax.set_mesh", None, "0.7.1", ""),
    # jax.experimental
    ("jax.experimental", "enable_x64", "jax.enable_x64(True)", "0.8.0", "0.9.0", ""),
    ("jax.experimental", "disable_x64", "jax.enable_x64(False)", "0.8.0", "0.9.0", ""),
    ("jax.experimental", "mutable_array", "jax.new_ref", "0.8.0", "0.9.0", ""),
    ("jax.experimental", "MutableArray", "jax.Ref", "0.8.0", "0.9.0", ""),
    ("jax.experimental", "PartitionSpec", "jax.sharding.PartitionSpec", "0.4.4", "0.4.11", ""),
    ("jax.experimental.pjit", "PartitionSpec NamedSharding", "jax.sharding.{}", "0.4.4", "0.4.11", ""),
    (
        "jax.experimental.pjit",
        "with_sharding_constraint",
        "jax.lax.with_sharding_constraint",
        "0.4.16",
        "0.4.24",
        "",
    ),
    ("jax.experimental.pjit", "pjit", "jax.jit", "0.8.0", None, ""),
    ("jax.experimental.shard_map", "shard_map", "jax.shard_map", "0.8.0", None, "`check_rep` became `check_vma`"),
    ("jax.experimental.maps", "Mesh", "jax.sharding.Mesh", "0.4.4", "0.4.11", ""),
    ("jax.experimental.maps", "xmap", "jax.shard_map", "0.4.26", "0.4.31", ""),
    ("jax.experimental.host_callback", "call", "jax.pure_callback", "0.4.26", "0.8.0", ""),
    ("jax.experimental.host_callback", "id_tap", "jax.debug.callback", "0.4.26", "0.8.0", ""),
    ("jax.experimental.host_callback", "id_print", "jax.debug.print", "0.4.26", "0.4.35", ""),
    ("jax.experimental", "cur_qdd", None, None, "0.11.1", ""),
    ("jax.experimental.compute_on", "compute_on2", "jax.experimental.compute_on.compute_on", None, "0.11.1", ""),
    ("jax.experimental.hijax", "AvalMutableQDD AvalQDD MutableHiType", None, None, "0.11.1", ""),
    (
        "jax.experimental.hijax",
        "apply_derived_linearization transpose_jvp transpose_linearized",
        None,
        None,
        "0.11.1",
        "new in 0.11.0",
    ),
    ("jax.experimental.hijax", "vjp_fwd_from_jvp", "jax.experimental.hijax.vjp_from_jvp", None, "0.11.1", ""),
    ("jax.experimental.hijax", "vjp_fwd_from_lin", "jax.experimental.hijax.vjp_from_lin", None, "0.11.1", ""),
    ("jax.experimental.hijax", "HiPrimitive VJPHiPrimitive", "jax.experimental.hijax.HiPrim", None, "0.11.2", ""),
    ("jax.experimental.overlap", "control_dep schedule", None, None, "0.12.0", "new in 0.11.1"),
    ("jax.experimental.pallas", "dot", "jax.numpy.dot", "0.10.2", "0.11.2", ""),
    ("jax.experimental.pallas", "debug_checks_enabled", "pl.enable_debug_checks.value", "0.10.2", "0.11.2", ""),
    ("jax.experimental.pallas", "core_map", "pl.kernel", "0.11.1", None, ""),
    ("jax.experimental.pallas", "reciprocal", "jax.experimental.pallas.tpu.reciprocal", "0.11.2", None, ""),
    ("jax.experimental.pallas", "DeviceIdType", None, "0.12.0", None, "the argument `device_id_type` goes with it"),
    ("jax.experimental.pallas", "load", "ref[index]", "0.7.1", "0.9.0", ""),
    ("jax.experimental.pallas", "store", "ref[index] = value", "0.7.1", "0.9.0", ""),
    ("jax.experimental.pallas", "swap", "ref[index] and ref[index] = value", "0.8.1", "0.9.0", ""),
    ("jax.experimental.pallas", "max_contiguous", "jax.experimental.pallas.triton.{}", "0.8.1", "0.9.0", ""),
    (
        "jax.experimental.pallas",
        "atomic_add atomic_and atomic_cas atomic_max atomic_min atomic_or atomic_xchg atomic_xor",
        "jax.experimental.pallas.triton.{}",
        "0.7.1",
        "0.9.0",
        "",
    ),
    ("jax.experimental.pallas.tpu", "TPUCompilerParams", "pltpu.CompilerParams", "0.6.2", "0.7.2", ""),
    ("jax.experimental.pallas.tpu", "TPUMemorySpace", "pltpu.MemorySpace", "0.6.2", "0.7.2", ""),
    ("jax.experimental.pallas.tpu", "ANY", "pl.ANY", "0.8.2", "0.10.0", ""),
    ("jax.experimental.pallas.tpu", "delay", "pl.delay", "0.8.1", "0.10.0", ""),
    ("jax.experimental.pallas.tpu", "repeat", "jax.numpy.tile", "0.9.1", "0.10.2", ""),
    ("jax.experimental.pallas.tpu", "KernelType", "pltpu.CoreType", "0.9.1", "0.10.2", ""),
    (
        "jax.experimental.pallas.tpu",
        "semaphore semaphore_read semaphore_signal semaphore_wait DeviceIdType",
        "pl.{}",
        "0.10.0",
        "0.11.0",
        "",
    ),
    ("jax.experimental.pallas.tpu", "HOST", "pl.HOST", "0.10.2", "0.11.2", ""),
    ("jax.experimental.pallas.tpu", "BufferedRefBase", None, "0.12.0", None, "internal to the pipelines"),
    ("jax.experimental.pallas.mosaic_gpu", "transpose_ref", "ref.transpose(...)", "0.11.2", None, ""),
    ("jax.experimental.pallas.mosaic_gpu", "transform_ref", None, None, "0.11.2", ""),
    ("jax.experimental.pallas.tpu", "create_tensorcore_mesh", "pltpu.TensorCoreMesh", "0.11.0", None, ""),
    ("jax.experimental.pallas.triton", "TritonCompilerParams", "plgpu.CompilerParams", "0.6.2", "0.7.2", ""),
    # jax.lib
    ("jax.lib.xla_bridge", "get_backend", "jax.extend.backend.get_backend", "0.4.32", "0.8.0", ""),
    ("jax.lib.xla_bridge", "default_backend", "jax.default_backend", "0.4.32", "0.4.38", ""),
    ("jax.lib.xla_client", "XlaRuntimeError", "jax.errors.JaxRuntimeError", "0.4.34", "0.5.0", ""),
    ("jax.lib.xla_extension", "XlaRuntimeError", "jax.errors.JaxRuntimeError", "0.4.36", "0.6.0", ""),
    ("jax.lib.xla_client", "ArrayImpl", "jax.Array", "0.4.36", "0.6.0", ""),
    ("jax.lib.xla_extension", "ArrayImpl", "jax.Array", "0.4.36", "0.6.0", ""),
    ("jax.lib.xla_client", "Device", "jax.Device", "0.4.34", "0.5.0", ""),
    ("jax.lib.xla_client", "register_custom_call_target", "jax.ffi.register_ffi_target", "0.4.35", "0.6.0", ""),
    ("jax.lib.xla_client", "ops XlaBuilder XlaComputation", None, "0.4.35", "0.6.0", ""),
    # jax.core
    (
        "jax.core",
        "Jaxpr ClosedJaxpr JaxprEqn Primitive Var Literal Token jaxpr_as_fun",
        "jax.extend.core.{}",
        "0.4.38",
        "0.6.0",
        "",
    ),
    ("jax.core", "raise_to_shaped full_lower lattice_join concrete_aval", None, "0.4.38", "0.6.0", "no-ops by then"),
    ("jax.core", "ConcreteArray thread_local_state cur_sublevel", None, None, "0.4.36", ""),
    ("jax.core", "NamedShape", None, None, "0.4.31", ""),
    (
        "jax.core",
        "axis_frame AxisName get_type trace_state_clean call_p closed_call_p typecheck typematch",
        None,
        "0.4.38",
        "0.7.0",
        "",
    ),
    ("jax.core", "ConcretizationTypeError", "jax.errors.{}", "0.4.38", "0.7.0", ""),
    (
        "jax.core",
        "TracerArrayConversionError TracerIntegerConversionError UnexpectedTracerError",
        "jax.errors.{}",
        "0.4.19",
        "0.4.24",
        "",
    ),
    ("jax.core", "safe_map safe_zip lu pp", None, "0.4.19", "0.4.24", ""),
    ("jax.core", "DimSize Shape", None, "0.4.19", "0.4.29", ""),
    (
        "jax.core",
        "canonicalize_shape definitely_equal dimension_as_value symbolic_equal_dim",
        None,
        "0.4.24",
        "0.4.31",
        "",
    ),
    ("jax.core", "non_negative_dim", None, "0.4.24", "0.4.38", ""),
    ("jax.core", "pp_aval pp_eqn pp_eqns pp_jaxpr pp_jaxprs pp_var pp_vars", None, "0.4.30", "0.4.34", ""),
    ("jax.core", "check_eqn check_type check_valid_jaxtype", None, "0.4.32", "0.4.38", ""),
    (
        "jax.core",
        """
        AxisSize EvalTrace InDBIdx InputType MapPrimitive OpaqueTraceState OutDBIdx dedup_referents escaped_tracer_error
        extend_axis_env_nd get_referent join_effects leaked_tracer_error maybe_find_leaked_tracers
        raise_to_shaped_mappings reset_trace_state str_eqn_compact typecompat used_axis_names_jaxpr
        """,
        None,
        "0.4.38",
        "0.6.0",
        "",
    ),
    ("jax.core", "get_aval", "jax.typeof", "0.8.2", "0.10.0", ""),
    (
        "jax.core",
        "mapped_aval unmapped_aval subjaxprs set_current_trace take_current_trace AbstractToken TraceTag",
        "jax.extend.core.{}",
        "0.8.2",
        "0.10.0",
        "",
    ),
    ("jax.core", "traverse_jaxpr_params", None, "0.8.2", "0.10.0", ""),
    ("jax.core", "call_impl", None, "0.8.2", "0.10.0", "jax.extend.core has it until 0.11.0"),
    ("jax.core", "CallPrimitive", None, "0.10.0", "0.11.0", "jax.extend.core has it until 0.11.0"),
    ("jax.extend.core", "call_impl CallPrimitive", None, None, "0.11.1", ""),
    (
        "jax.core",
        """
        DebugInfo DropVar Effect Effects check_jaxpr concrete_or_error find_top_trace gensym
        get_opaque_trace_state jaxprs_in_params new_jaxpr_eqn no_effects primal_dtype_to_tangent_dtype valid_jaxtype
        """,
        "jax.extend.core.{}",
        "0.10.0",
        "0.11.0",
        "",
    ),
    ("jax.core", "InconclusiveDimensionOperation JaxprTypeError", "jax.errors.{}", "0.10.0", "0.11.0", ""),
    (
        "jax.core",
        """
        nonempty_axis_env_DO_NOT_USE unsafe_am_i_under_a_jit_DO_NOT_USE unsafe_am_i_under_a_vmap_DO_NOT_USE
        unsafe_get_axis_names_DO_NOT_USE JaxprPpContext JaxprPpSettings OutputType aval_mapping_handlers
        call concretization_function_error custom_typechecks is_concrete is_constant_dim is_constant_shape
        literalable_types no_axis_name trace_ctx
        """,
        None,
        "0.10.0",
        "0.11.0",
        "",
    ),
    ("jax.core", "abstract_token", "jax.ffi.abstract_token", "0.10.0", "0.11.0", ""),
    ("jax.core", "pytype_aval_mappings", None, "0.10.0", None, ""),
    # jax.interpreters
    ("jax.interpreters.xla", "DeviceArray", "jax.Array", "0.4.4", "0.4.11", ""),
    ("jax.interpreters.xla", "canonicalize_dtype", "jax.dtypes.canonicalize_dtype", "0.7.0", "0.8.0", ""),
    ("jax.interpreters.xla", "abstractify pytype_aval_mappings", None, "0.5.0", "0.7.0", ""),
    ("jax.interpreters.xla", "Device", "jax.Device", "0.4.4", "0.4.11", ""),
    ("jax.interpreters.xla", "ShapedArray", "jax.core.ShapedArray", "0.4.15", "0.4.24", ""),
    ("jax.interpreters.xla", "ConcreteArray backend_compile AxisEnv axis_groups", None, "0.4.15", "0.4.24", ""),
    (
        "jax.interpreters.xla",
        "translations backend_specific_translations register_translation TranslationContext TranslationRule XlaOp",
        "jax.interpreters.mlir.register_lowering",
        "0.4.15",
        "0.4.29",
        "",
    ),
    ("jax.interpreters.xla", "xb xc xe", None, "0.4.31", "0.4.36", ""),
    ("jax.interpreters.mlir", "custom_call", "jax.ffi", "0.6.0", "0.8.0", ""),
    ("jax.interpreters.mlir", "hlo func_dialect", "jax.extend.mlir", None, "0.6.0", ""),
    ("jax.interpreters.pxla", "Mesh PartitionSpec", "jax.sharding.{}", "0.4.4", "0.4.11", ""),
    ("jax.interpreters.pxla", "ShardedDeviceArray make_sharded_device_array", "jax.Array", "0.4.7", "0.4.14", ""),
    ("jax.interpreters.pxla", "device_put", "jax.device_put", "0.4.7", "0.4.14", ""),
    ("jax.interpreters.pxla", _PXLA_PMAP, "jax.shard_map", "0.8.2", "0.10.0", ""),
    ("jax.interpreters.pxla", "parallel_callable shard_args", None, "0.8.2", "0.10.0", ""),
    (
        "jax.interpreters.pxla",
        "thread_resources",
        "jax.set_mesh and jax.sharding.get_mesh, in traced code get_abstract_mesh",
        "0.8.2",
        None,
        "",
    ),
    (
        "jax.interpreters.pxla",
        """
        Index MeshAxisName MeshExecutable global_aval_to_result_handler global_result_handlers are_hlo_shardings_equal
        is_hlo_sharding_replicated op_sharding_to_indices ArrayMapping _UNSPECIFIED array_mapping_to_axis_resources
        """,
        None,
        "0.8.2",
        "0.11.0",
        "",
    ),
    ("jax.interpreters.pxla", "MeshComputation global_avals_to_results_handler", None, "0.8.2", None, ""),
    ("jax.interpreters.pxla", "xla_pmap_p", None, "0.8.2", "0.10.0", ""),
    ("jax.interpreters.ad", "reducing_transposes", None, "0.9.0", "0.10.0", ""),
    ("jax.interpreters.ad", "backward_pass closed_backward_pass", None, "0.7.1", "0.8.2", ""),
    (
        "jax.interpreters.ad",
        """
        bilinear_transpose call_param_updaters call_transpose call_transpose_param_updaters custom_lin_p defjvp_zero
        f_jvp_traceable jvp_jaxpr jvp_subtrace jvp_subtrace_aux jvpfun linear_jvp linear_transpose linear_transpose2
        map_transpose nonzero_outputs nonzero_tangent_outputs rearrange_binders standard_jvp standard_jvp2 traceable
        zero_jvp zeros_like_p
        """,
        None,
        "0.7.1",
        "0.9.0",
        "",
    ),
    ("jax.interpreters.batching", "NotMapped", None, "0.7.1", "0.10.0", ""),
    (
        "jax.interpreters.batching",
        """
        Array AxisSize BatchTrace BatchTracer BatchingRule Elt FromEltHandler GetIdx MakeIotaHandler MapSpec
        ToEltHandler Vmappable ZeroIfMapped Zeros batch batch_custom_jvp_subtrace batch_custom_vjp_bwd batch_jaxpr
        batch_jaxpr_axes batch_subtrace broadcast_batcher flatten_fun_for_vmap from_elt from_elt_handlers
        is_vmappable make_iota make_iota_handlers matchaxis moveaxis reducer_batcher spec_types to_elt
        to_elt_handlers vectorized_batcher vmappables vtile zero_if_mapped
        """,
        None,
        "0.7.1",
        "0.9.0",
        "",
    ),
    (
        "jax.interpreters.partial_eval",
        """
        Const ConstFoldRule ConstVar DCERule DynamicJaxprTrace ForwardingRule FreeVar Jaxpr JaxprEqnRecipe
        JaxprStackFrame JaxprTrace JaxprTracerRecipe LambdaBinding PartialEvalCustomResult PartialEvalCustomRule
        ResAvalUpdater TracerAsName TracerId abstract_eval_fun call_param_updaters call_partial_eval_custom_rule
        call_partial_eval_rules close_jaxpr closed_call_partial_eval_custom_rule const_fold_rules
        convert_constvars_jaxpr convert_envvars_to_constvars convert_invars_to_constvars custom_staging_rules
        forwarding_rules has_effects instantiate_const_at make_jaxpr_effects move_binders_to_back
        move_binders_to_front new_eqn_recipe partial_eval_jaxpr_custom
        partial_eval_jaxpr_custom_rule_not_implemented partial_eval_jaxpr_nounits partial_eval_wrapper_nounits
        partition_pvals recipe_to_eqn trace_to_subjaxpr_nounits trace_to_subjaxpr_nounits_fwd tracers_to_jaxpr
        """,
        None,
        "0.7.2",
        "0.9.0",
        "",
    ),
    # others
    ("jax.dlpack", "to_dlpack", None, "0.6.0", "0.7.0", "pass the array itself to from_dlpack"),
    ("jax.dlpack", "SUPPORTED_DTYPES", "jax.dlpack.is_supported_dtype", "0.7.0", "0.8.0", ""),
    ("jax.tree_util", "register_keypaths", "jax.tree_util.register_pytree_with_keys", "0.4.16", "0.4.24", ""),
    ("jax.tree_util", "AttributeKeyPathEntry GetitemKeyPathEntry", "jax.tree_util.GetAttrKey", "0.4.16", "0.4.24", ""),
    ("jax.errors", "SimplifiedTraceback", None, "0.7.0", "0.8.0", ""),
    ("jax.stages", "OutInfo", "jax.ShapeDtypeStruct", None, "0.7.0", ""),
    ("jax.custom_derivatives", "custom_jvp_call_jaxpr_p", None, "0.6.1", "0.8.0", ""),
    ("jax.experimental.layout", "DeviceLocalLayout", "jax.experimental.layout.Layout", None, "0.7.0", ""),
    ("jax", "spmd_mode", None, None, "0.6.1", ""),
    ("jax", "custom_ivjp invertible", None, None, "0.3.6", ""),
    ("jax.custom_derivatives", "custom_vjp_call_jaxpr_p", None, None, "0.6.1", ""),
    ("jax.sharding", "AxisTypes", "jax.sharding.AxisType", None, "0.5.3", ""),
    ("jax.lax", "standard_primitive standard_naryop naryop standard_unop unop", None, "0.4.18", "0.4.24", ""),
    ("jax.core", "unit unitvar abstract_unit", None, None, "0.4.3", ""),
    ("jax.core", "Unit AbstractUnit", None, None, "0.3.10", ""),
    (
        "jax.core",
        "symbolic_equal_shape same_shape_sizes greater_equal_shape is_special_dim_size",
        None,
        None,
        "0.4.14",
        "",
    ),
    ("jax.core", "token", None, None, "0.4.27", ""),
    ("jax.core", "as_named_shape join_named_shapes", None, None, "0.4.31", ""),
    (
        "jax.core",
        """
        MainTrace Sublevel ThreadLocalState TraceStack TraceState apply_todos call_bind_with_continuation
        extend_axis_env jaxpr_uses_outfeed map_bind map_bind_with_continuation new_base_main new_main new_sublevel
        outfeed_primitives primitive_uses_outfeed process_env_traces_call process_env_traces_map
        raise_as_much_as_possible stash_axis_env subst_axis_names subst_axis_names_eqn subst_axis_names_jaxpr
        subst_axis_names_var used_axis_names
        """,
        None,
        None,
        "0.4.36",
        "",
    ),
    ("jax.core", "JaxprDebugInfo", "jax.extend.core.DebugInfo", None, "0.5.1", ""),
    ("jax.core", "DShapedArray UnshapedArray", None, None, "0.8.2", ""),
    ("jax.interpreters.xla", "xla_call", None, None, "0.4.7", ""),
    ("jax.interpreters.xla", "lower_fun", None, None, "0.4.4", ""),
    ("jax.interpreters.ad", "zeros_like_jaxval", "jax.numpy.zeros_like", None, "0.4.36", ""),
    ("jax.interpreters.ad", "CustomJVPException CustomVJPException", None, None, "0.4.36", ""),
    ("jax.interpreters.ad", "replace_float0s recast_to_float0", None, None, "0.4.34", ""),
    ("jax.interpreters.batching", "not_mapped", "None", None, "0.10.2", ""),
    ("jax.interpreters.mlir", "ReplicaAxisContext", None, None, "0.10.1", ""),
    (
        "jax.interpreters.partial_eval",
        "trace_to_jaxpr trace_to_jaxpr_final trace_to_subjaxpr trace_to_subjaxpr_dynamic extend_jaxpr_stack",
        None,
        None,
        "0.4.36",
        "",
    ),
    ("jax.experimental.pjit", "ParsedPartitionSpec", "jax.sharding.PartitionSpec", None, "0.4.15", ""),
    ("jax.experimental.pjit", "FROM_GDA", None, "0.4.7", "0.4.8", ""),
    ("jax.experimental.pjit", "pjit_p", None, None, "0.7.0", ""),
    ("jax.experimental.pjit", "AUTO", None, None, "0.10.1", ""),
    ("jax.experimental.shard_map", "P", "jax.sharding.PartitionSpec", None, "0.6.1", ""),
    ("jax.experimental.shard_map", "PartitionSpec NamedSharding", "jax.sharding.{}", None, "0.6.1", ""),
    ("jax.experimental.shard_map", "Mesh AbstractMesh", "jax.sharding.{}", None, "0.8.0", ""),
    ("jax.experimental.pallas.tpu", "CostEstimate run_scoped", "jax.experimental.pallas.{}", None, "0.4.36", ""),
    (
        "jax.experimental.pallas",
        "Unblocked unblocked IndexingMode",
        "jax.experimental.pallas.Element",
        None,
        "0.6.1",
        "",
    ),
    (
        "jax.experimental.compilation_cache.compilation_cache",
        "initialize_cache",
        "jax.config.update('jax_compilation_cache_dir', path)",
        "0.7.1",
        "0.8.0",
        "",
    ),
    ("jax.experimental.compilation_cache.compilation_cache", "is_initialized", None, "0.7.1", "0.8.0", ""),
    ("jax.experimental.serialize_executable", "compile_and_serialize load_compiled", None, None, "0.4.7", ""),
    (
        "jax.experimental.sparse",
        "bcoo_rdot_general bcoo_spdot_general",
        "jax.experimental.sparse.bcoo_dot_general",
        None,
        "0.3.5",
        "",
    ),
    ("jax.profiler", "TraceContext", "jax.profiler.TraceAnnotation", None, "0.3.15", ""),
    ("jax.profiler", "StepTraceContext", "jax.profiler.StepTraceAnnotation", None, "0.3.15", ""),
    ("jax.profiler", "trace_function", "jax.profiler.annotate_function", None, "0.3.15", ""),
    (
        "jax.test_util",
        """
        JaxTestCase JaxTestLoader BufferDonationTestCase cases_from_list check_close check_eq device_under_test
        format_shape_dtype_string rand_uniform skip_on_devices with_config
        """,
        None,
        None,
        "0.3.8",
        "it is private now",
    ),
    ("jax.extend.backend", "add_clear_backends_callback", None, None, "0.7.0", ""),
)

_MODULE_ROWS: tuple[_Row, ...] = (
    ("jax.numpy", "lax_numpy", "jax.numpy", None, "0.3.5", ""),
    ("jax.interpreters", "sharded_jit masking", None, None, "0.3.16", ""),
    ("jax.interpreters", "invertible_ad", None, None, "0.3.6", ""),
    ("jax.experimental", "callback", "jax.pure_callback", None, "0.4.2", ""),
    ("jax.experimental.pallas", "gpu", "jax.experimental.pallas.triton", None, "0.6.1", ""),
    ("jax", "custom_transpose", None, None, "0.10.0", ""),
    ("jax.experimental", "stax optimizers", "jax.example_libraries.{}", None, "0.3.16", ""),
    ("jax.experimental", "loops", "jax.lax.fori_loop and friends", "0.3.6", "0.3.16", ""),
    ("jax.experimental", "maps", "jax.shard_map, or jax.vmap(spmd_axis_name=...)", "0.4.26", "0.4.31", ""),
    (
        "jax.experimental",
        "host_callback",
        "jax.pure_callback, jax.experimental.io_callback or jax.debug.callback",
        "0.4.26",
        "0.8.0",
        "its functions only raise since 0.4.35",
    ),
    ("jax.experimental", "export", "jax.export", "0.4.30", "0.4.36", ""),
    ("jax.experimental", "array_api", "jax.numpy", "0.4.32", "0.5.0", ""),
    ("jax.experimental", "shard", "jax.sharding", None, "0.7.0", ""),
    ("jax.experimental", "attrs", None, None, "0.7.0", ""),
    ("jax.experimental", "custom_dce", None, None, "0.10.0", ""),
    ("jax.experimental", "control_deps", None, None, "0.11.1", ""),
    ("jax.experimental", "shard_alike", None, None, "0.11.2", ""),
    ("jax.experimental", "si_vjp", "jax.vjp", None, "0.8.2", ""),
    ("jax.experimental", "global_device_array", "jax.Array", None, "0.4.7", ""),
    ("jax.experimental", "gda_serialization", "jax.experimental.array_serialization", None, "0.4.11", ""),
    ("jax.experimental", "sharded_jit", "jax.jit", None, "0.3.16", ""),
    ("jax.experimental", "ann", "jax.lax.approx_max_k and approx_min_k", None, "0.3.2", ""),
    ("jax.experimental", "djax", None, None, "0.3.6", ""),
    ("jax", "config", "the attribute jax.config", None, "0.4.29", "the submodule only"),
    ("jax", "abstract_arrays", "jax.core.ShapedArray", "0.4.12", "0.4.17", ""),
    ("jax", "api", "jax", None, "0.2.21", ""),
    ("jax", "linear_util", "jax.extend.linear_util", "0.4.16", "0.4.24", ""),
    ("jax", "prng", "jax.extend.random", "0.4.16", "0.4.24", ""),
    ("jax", "util", None, "0.7.0", "0.8.0", "copy what you need, such as safe_zip"),
    ("jax.extend", "ffi", "jax.ffi", "0.5.0", "0.8.0", "its functions went in 0.7.0"),
    ("jax", "cloud_tpu_init", None, "0.8.1", "0.11.0", "JAX does it by itself"),
    ("jax.lib", "xla_bridge", "jax.extend.backend", "0.4.32", "0.9.0", ""),
    ("jax.lib", "xla_client xla_extension", None, "0.6.0", "0.9.0", "jax.errors.JaxRuntimeError, jax.Array, jax.ffi"),
)


# Names that JAX has made public again: the modules hand on what was private in between.
_RETURNED: tuple[tuple[str, str, str], ...] = (
    ("0.11.1", "jax.interpreters.ad", "backward_pass jvp_jaxpr"),
    ("0.11.1", "jax.interpreters.batching", "batch_jaxpr_axes batch_subtrace zero_if_mapped"),
    (
        "0.11.1",
        "jax.interpreters.partial_eval",
        """
        abstract_eval_fun close_jaxpr convert_constvars_jaxpr move_binders_to_back new_eqn_recipe
        partial_eval_jaxpr_nounits
        """,
    ),
)
_BACK_SINCE = {f"{module}.{last}": since for since, module, lasts in _RETURNED for last in lasts.split()}


def _expand(rows: tuple[_Row, ...]) -> dict[str, Removed]:
    table = {}
    for prefix, names, replacement, deprecated, removed, note in rows:
        for last in names.split():
            name = f"{prefix}.{last}"
            table[name] = Removed(
                name,
                replacement.format(last) if replacement and "{}" in replacement else replacement,
                deprecated,
                removed,
                note,
                _BACK_SINCE.get(name),
            )
    return table


# Single names.  A name below a module of MODULES goes with its module.
NAMES: dict[str, Removed] = _expand(_ROWS)
MODULES: dict[str, Removed] = _expand(_MODULE_ROWS)

# Names whose replacement is another name for the same thing, or takes the same arguments.
SAME_ARGUMENTS: frozenset[str] = frozenset(
    f"{module}.{last}"
    for module, names in {
        "jax": """
            tree_map tree_leaves tree_flatten tree_unflatten tree_structure tree_transpose treedef_is_leaf tree_multimap
            array_ref ArrayRef xla pxla partial_eval ShapedArray
            """,
        "jax.tree_util": "tree_multimap",
        "jax.config": "config",
        "jax.ad_checkpoint": "checkpoint remat",
        "jax.random": "KeyArray PRNGKeyArray",
        "jax.numpy": "DeviceArray row_stack trapz issubsctype alltrue sometrue product cumproduct round_ fix",
        "jax.nn": "normalize",
        "jax.lax": "zeros_like_array",
        "jax.scipy.linalg": "tril triu",
        "jax.sharding": "use_mesh AxisTypes XLACompatibleSharding",
        "jax.experimental": "mutable_array MutableArray PartitionSpec",
        "jax.experimental.pjit": "PartitionSpec NamedSharding with_sharding_constraint pjit",
        "jax.experimental.maps": "Mesh",
        "jax.experimental.shard_map": "P PartitionSpec NamedSharding Mesh AbstractMesh",
        "jax.lib.xla_bridge": "get_backend default_backend",
        "jax.lib.xla_client": "XlaRuntimeError ArrayImpl Device",
        "jax.lib.xla_extension": "XlaRuntimeError ArrayImpl",
        "jax.core": """
            Jaxpr ClosedJaxpr JaxprEqn Primitive Var Literal Token jaxpr_as_fun ConcretizationTypeError
            TracerArrayConversionError TracerIntegerConversionError UnexpectedTracerError get_aval
            """,
        "jax.interpreters.xla": "DeviceArray canonicalize_dtype Device ShapedArray",
        "jax.interpreters.pxla": "Mesh PartitionSpec device_put",
        "jax.profiler": "TraceContext StepTraceContext trace_function",
    }.items()
    for last in names.split()
)

# Modules that are gone while an attribute of the same name is there to stay: only importing them fails.
IMPORT_ONLY: frozenset[str] = frozenset({"jax.config"})

_NOT_IMPLEMENTED = ("NotImplementedError", "0.11.0")

_ARGUMENTS = (
    RemovedArgument("jax.jit", "fun", "the positional argument", None, "0.7.0"),
    RemovedArgument("jax.jit", "abstracted_axes", None, None, "0.8.2"),
    RemovedArgument("jax.make_jaxpr", "abstracted_axes", None, None, "0.8.2"),
    RemovedArgument("jax.ShapeDtypeStruct", "named_shape", None, None, "0.4.34"),
    RemovedArgument(
        "jax.jit",
        "device",
        "jax.device_put on the inputs, jax.default_device where there are none",
        "0.4.1",
        None,
        none_is_fine=True,
    ),
    RemovedArgument(
        "jax.jit",
        "backend",
        "jax.device_put on the inputs, jax.default_device where there are none",
        "0.4.1",
        None,
        none_is_fine=True,
    ),
    RemovedArgument("jax.checkpoint", "concrete", "static_argnums", "0.8.2", "0.10.0", _NOT_IMPLEMENTED),
    RemovedArgument("jax.remat", "concrete", "static_argnums", "0.8.2", "0.10.0", _NOT_IMPLEMENTED),
    RemovedArgument("jax.make_mesh", "axis_shapes", "the positional argument", None, "0.11.1"),
    RemovedArgument("jax.experimental.pallas.mosaic_gpu.kernel", "out_shape", "out_type", "0.10.2", "0.11.2"),
    RemovedArgument("jax.experimental.pallas.mosaic_gpu.kernel", "scratch_shapes", "scratch_types", "0.10.2", "0.11.2"),
    *(
        RemovedArgument(f"jax.experimental.{name}", "device_id_type", None, "0.12.0", None, none_is_fine=True)
        for name in (
            "pallas.semaphore_signal",
            "pallas.tpu.async_remote_copy",
            "pallas.tpu.make_async_remote_copy",
            "pallas.mosaic_gpu.remote_ref",
        )
    ),
    RemovedArgument("jax.pure_callback", "vectorized", "vmap_method", "0.4.34", "0.6.0"),
    RemovedArgument("jax.ffi.ffi_call", "vectorized", "vmap_method", "0.4.34", "0.6.0"),
    RemovedArgument("jax.numpy.clip", "a", "the positional argument", "0.4.27", "0.10.0"),
    RemovedArgument("jax.numpy.clip", "a_min", "min", "0.4.27", "0.10.0"),
    RemovedArgument("jax.numpy.clip", "a_max", "max", "0.4.27", "0.10.0"),
    RemovedArgument("jax.numpy.reshape", "newshape", "shape", "0.4.28", "0.4.36"),
    RemovedArgument("jax.numpy.sort", "kind", "stable", None, "0.4.28", none_is_fine=True),
    RemovedArgument("jax.numpy.argsort", "kind", "stable", None, "0.4.28", none_is_fine=True),
    RemovedArgument("jax.numpy.percentile", "interpolation", "method", "0.4.29", "0.8.0"),
    RemovedArgument("jax.numpy.quantile", "interpolation", "method", "0.4.29", "0.8.0"),
    RemovedArgument("jax.numpy.nanpercentile", "interpolation", "method", "0.4.29", "0.8.0"),
    RemovedArgument("jax.numpy.nanquantile", "interpolation", "method", "0.4.29", "0.8.0"),
    RemovedArgument("jax.numpy.where", "condition", "the positional argument", None, "0.4.27"),
    RemovedArgument("jax.numpy.where", "x", "the positional argument", None, "0.4.27"),
    RemovedArgument("jax.numpy.where", "y", "the positional argument", None, "0.4.27"),
    RemovedArgument("jax.nn.softmax", "initial", None, None, "0.4.36"),
    RemovedArgument("jax.nn.log_softmax", "initial", None, None, "0.4.36"),
)
ARGUMENTS: dict[str, tuple[RemovedArgument, ...]] = {
    function: tuple(argument for argument in _ARGUMENTS if argument.function == function)
    for function in dict.fromkeys(argument.function for argument in _ARGUMENTS)
}

# Attributes and methods that jax arrays had once; `device()` is an attribute that was a method.
ARRAY_ATTRIBUTES: dict[str, Removed] = {
    entry.name: entry
    for entry in (
        Removed("device_buffer", "x.addressable_data(0)", "0.4.22", "0.4.27"),
        Removed("device_buffers", "[s.data for s in x.addressable_shards]", "0.4.22", "0.4.27"),
        Removed("device()", "x.devices()", "0.4.21", "0.4.27"),
        Removed("to_py", "numpy.asarray(x)", "0.3.17", "0.4.8"),
        Removed("block_host_until_ready", "x.block_until_ready()", None, "0.4.1"),
        Removed("broadcast", "jax.lax.broadcast(x, sizes)", None, "0.4.14"),
        Removed("broadcast_in_dim", "jax.lax.broadcast_in_dim(x, ...)", None, "0.4.14"),
        Removed("split", "jax.numpy.split(x, ...)", None, "0.4.14"),
        Removed("unsafe_raw_array", "jax.random.key_data(key)", None, "0.4.24"),
    )
}
