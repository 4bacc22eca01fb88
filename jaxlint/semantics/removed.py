"""Names, arguments and methods that JAX took away, and when.

Sources: JAX's release notes, the ``_deprecations`` tables inside its modules, and probes of nine releases from 0.4.30
to 0.11.1.  ``tests/semantics/test_removed.py`` compares the table with the installed JAX.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# What a fresh `pip install jax` is taken to give when a project pins nothing.
NEWEST_VERIFIED = (0, 10, 2)


@dataclass(frozen=True, slots=True)
class Removed:
    """One name.  ``deprecated``: the first release that warns.  ``removed``: the first release without it, or, when
    ``at_latest`` is set, a release in which it is known to be gone.  None: has not happened, or is not known."""

    name: str
    replacement: str | None
    deprecated: str | None
    removed: str | None
    note: str = ""
    at_latest: bool = False


@dataclass(frozen=True, slots=True)
class RemovedArgument:
    """One keyword of one function; ``error`` is what passing it raises once it is removed."""

    function: str
    keyword: str
    replacement: str | None
    deprecated: str | None
    removed: str | None
    error: str = "TypeError"


def version_key(version: str) -> tuple[int, ...]:
    """``"0.4.30"`` as ``(0, 4, 30)``; what follows the digits (``.dev``, ``rc1``) is dropped."""
    numbers = [int(match.group()) if (match := re.match(r"\d+", part)) else 0 for part in version.split(".")[:3]]
    return tuple(numbers) + (0,) * (3 - len(numbers))


def happened(since: str | None, version: tuple[int, ...]) -> bool:
    """Whether a change made in release ``since`` is in release ``version``, a tuple of numbers of any length."""
    return since is not None and version_key(since) <= tuple(version) + (0,) * (3 - len(version))


# Rows: prefix, last components, replacement (`{}` is the last component), deprecated, removed, note.
# A removed version that starts with `<=` is one in which the name is known to be gone.
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
    ("jax.tree_util", "build_tree", "jax.tree.unflatten", "0.6.0", "<=0.7.2", ""),
    ("jax", "device_put_sharded", "jax.device_put(x, NamedSharding(...))", "0.8.1", "0.10.0", "stack the shards first"),
    ("jax", "device_put_replicated", "jax.device_put(x, NamedSharding(...))", "0.8.1", "0.10.0", "broadcast first"),
    ("jax", "xla_computation", "jax.jit(f).lower(*args).compiler_ir('hlo')", "0.4.30", "0.4.34", ""),
    ("jax", "clear_backends", "jax.clear_caches", "0.4.26", "0.4.36", ""),
    ("jax", "soft_pmap", "jax.shard_map", None, "0.3.18", ""),
    ("jax", "mask shapecheck", None, "0.3.6", "0.3.16", ""),
    ("jax", "array_ref", "jax.new_ref", "0.8.0", "<=0.9.0", ""),
    ("jax", "xla pxla partial_eval", "jax.interpreters.{}", None, "0.4.14", ""),
    ("jax", "curry", None, None, "0.4.14", ""),
    ("jax", "ShapedArray", "jax.core.ShapedArray", None, "0.4.14", ""),
    ("jax.config", "config", "jax.config", None, "0.4.25", "`from jax import config`"),
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
    ("jax.random", "default_prng_impl", "jax.random.key(seed, impl=...)", "0.4.17", "0.4.24", ""),
    ("jax.random", "threefry2x32_key rbg_key unsafe_rbg_key", "jax.random.key(seed, impl=...)", "0.4.17", "0.4.24", ""),
    ("jax.random", "shuffle", "jax.random.permutation(key, x, independent=True)", None, "0.4.31", ""),
    # jax.numpy
    ("jax.numpy", "DeviceArray", "jax.Array", "0.4.7", "0.4.14", ""),
    ("jax.numpy", "in1d", "jax.numpy.isin", "0.4.16", "0.4.24", ""),
    ("jax.numpy", "row_stack", "jax.numpy.vstack", "0.4.16", "0.4.24", ""),
    ("jax.numpy", "trapz", "jax.numpy.trapezoid", "0.4.16", "0.4.24", ""),
    ("jax.numpy", "NINF", "-jax.numpy.inf", "0.4.16", "0.4.24", ""),
    ("jax.numpy", "NZERO", "-0.0", "0.4.16", "0.4.24", ""),
    ("jax.numpy", "PZERO", "0.0", "0.4.16", "0.4.24", ""),
    ("jax.numpy", "issubsctype", "jax.numpy.issubdtype", "0.4.16", "0.4.24", ""),
    ("jax.numpy", "alltrue", "jax.numpy.all", "0.4.12", "0.4.16", ""),
    ("jax.numpy", "sometrue", "jax.numpy.any", "0.4.12", "0.4.16", ""),
    ("jax.numpy", "product", "jax.numpy.prod", "0.4.12", "0.4.16", ""),
    ("jax.numpy", "cumproduct", "jax.numpy.cumprod", "0.4.12", "0.4.16", ""),
    ("jax.numpy", "msort", "jax.numpy.sort(x, axis=0)", "0.4.1", "0.4.9", ""),
    ("jax.numpy", "round_", "jax.numpy.round", "0.4.32", "0.4.38", ""),
    ("jax.numpy", "fix", "jax.numpy.trunc", "0.9.0", "0.10.0", ""),
    # jax.nn, jax.lax, jax.scipy
    ("jax.nn", "normalize", "jax.nn.standardize", "0.3.5", "0.4.29", ""),
    ("jax.lax", "tie_in", None, None, "0.4.29", "it did nothing"),
    ("jax.lax", "prod", "math.prod", None, "0.4.16", ""),
    ("jax.lax", "infeed outfeed", "jax.experimental.io_callback", None, "0.7.0", ""),
    ("jax.lax", "zeros_like_array", "jax.numpy.zeros_like", "0.7.1", "<=0.10.2", ""),
    ("jax.lax", "pdot xeinsum", None, None, "<=0.4.38", ""),
    ("jax.lax", "pvary", "jax.lax.pcast(x, axis, to='varying')", "0.8.2", "0.10.0", ""),
    ("jax.scipy.linalg", "tril triu", "jax.numpy.{}", "0.4.16", "0.4.24", ""),
    ("jax.scipy.linalg", "polar_unitary", "jax.scipy.linalg.polar", "0.4.16", "0.4.3", ""),
    ("jax.scipy.special", "sph_harm", "jax.scipy.special.sph_harm_y", "0.7.0", "0.10.0", ""),
    ("jax.scipy.special", "lpmn lpmn_values", None, "0.5.0", None, ""),
    # sharding
    ("jax.sharding", "PositionalSharding", "jax.sharding.NamedSharding", "0.6.0", "<=0.7.2", ""),
    ("jax.sharding", "GSPMDSharding", "jax.sharding.NamedSharding", None, "<=0.7.2", ""),
    ("jax.sharding", "PmapSharding", "jax.sharding.NamedSharding", "0.8.1", "0.10.0", ""),
    ("jax.sharding", "XLACompatibleSharding", "jax.sharding.Sharding", "0.4.29", "0.4.34", ""),
    ("jax.sharding", "MeshPspecSharding", "jax.sharding.NamedSharding", "0.3.24", "<=0.4.30", ""),
    ("jax.sharding", "OpShardingSharding", "jax.sharding.NamedSharding", "0.4.5", "0.4.12", ""),
    ("jax.sharding", "use_mesh", "jax.set_mesh", None, "0.7.1", ""),
    # jax.experimental
    ("jax.experimental", "enable_x64", "jax.enable_x64(True)", "0.8.0", "0.9.0", ""),
    ("jax.experimental", "disable_x64", "jax.enable_x64(False)", "0.8.0", "0.9.0", ""),
    ("jax.experimental", "mutable_array", "jax.new_ref", "0.8.0", "<=0.9.0", ""),
    ("jax.experimental", "PartitionSpec", "jax.sharding.PartitionSpec", None, "0.4.11", ""),
    ("jax.experimental.pjit", "PartitionSpec NamedSharding", "jax.sharding.{}", None, "0.4.11", ""),
    (
        "jax.experimental.pjit",
        "with_sharding_constraint",
        "jax.lax.with_sharding_constraint",
        "0.4.16",
        "<=0.4.30",
        "",
    ),
    ("jax.experimental.pjit", "pjit", "jax.jit", "0.8.0", None, ""),
    ("jax.experimental.shard_map", "shard_map", "jax.shard_map", "0.8.0", None, "`check_rep` became `check_vma`"),
    ("jax.experimental.maps", "Mesh", "jax.sharding.Mesh", None, "0.4.11", ""),
    ("jax.experimental.maps", "xmap", "jax.shard_map", "0.4.26", "0.4.31", ""),
    ("jax.experimental.host_callback", "call", "jax.pure_callback", "0.4.26", "0.4.35", ""),
    ("jax.experimental.host_callback", "id_tap", "jax.debug.callback", "0.4.26", "0.4.35", ""),
    ("jax.experimental.host_callback", "id_print", "jax.debug.print", "0.4.26", "0.4.35", ""),
    ("jax.experimental.pallas", "dot", "jax.numpy.dot or pallas.triton.dot", "0.9.0", None, ""),
    ("jax.experimental.pallas", "debug_checks_enabled", "pl.enable_debug_checks.value", "0.9.0", None, ""),
    # jax.core
    (
        "jax.core",
        "Jaxpr ClosedJaxpr JaxprEqn Primitive Var Literal Token jaxpr_as_fun",
        "jax.extend.core.{}",
        "0.4.36",
        "0.6.0",
        "",
    ),
    ("jax.core", "raise_to_shaped full_lower lattice_join concrete_aval", None, "0.4.36", "0.6.0", "no-ops by then"),
    ("jax.core", "ConcreteArray NamedShape thread_local_state cur_sublevel", None, None, "<=0.4.38", ""),
    ("jax.core", "axis_frame AxisName get_type trace_state_clean call_p typecheck", None, "<=0.4.38", "0.7.0", ""),
    ("jax.core", "ConcretizationTypeError", "jax.errors.ConcretizationTypeError", "<=0.4.38", "0.7.0", ""),
    ("jax.core", "get_aval", "jax.typeof", "0.8.2", "0.10.0", ""),
    (
        "jax.core",
        "mapped_aval unmapped_aval subjaxprs call_impl set_current_trace take_current_trace AbstractToken TraceTag",
        "jax.extend.core.{}",
        "0.8.2",
        "0.10.0",
        "",
    ),
    ("jax.core", "traverse_jaxpr_params", None, "0.8.2", "0.10.0", ""),
    (
        "jax.core",
        """
        CallPrimitive DebugInfo DropVar Effect Effects check_jaxpr concrete_or_error find_top_trace gensym
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
        unsafe_get_axis_names_DO_NOT_USE JaxprPpContext JaxprPpSettings OutputType abstract_token aval_mapping_handlers
        call concretization_function_error custom_typechecks is_concrete is_constant_dim is_constant_shape
        literalable_types no_axis_name pytype_aval_mappings trace_ctx
        """,
        None,
        "0.10.0",
        "0.11.0",
        "",
    ),
    # jax.interpreters
    ("jax.interpreters.xla", "DeviceArray", "jax.Array", "0.4.7", "0.4.14", ""),
    ("jax.interpreters.xla", "canonicalize_dtype", "jax.dtypes.canonicalize_dtype", "0.5.0", "<=0.8.0", ""),
    ("jax.interpreters.xla", "abstractify pytype_aval_mappings", None, "0.5.0", "<=0.8.0", ""),
    ("jax.interpreters.mlir", "custom_call", "jax.ffi", "0.6.0", "0.8.0", ""),
    ("jax.interpreters.mlir", "hlo func_dialect", "jax.extend.mlir", None, "<=0.8.0", ""),
    ("jax.interpreters.pxla", "Mesh PartitionSpec", "jax.sharding.{}", None, "0.4.11", ""),
    ("jax.interpreters.pxla", "ShardedDeviceArray", "jax.Array", "0.4.7", "0.4.11", ""),
    ("jax.interpreters.pxla", _PXLA_PMAP, "jax.shard_map", "0.8.2", "0.10.0", ""),
    ("jax.interpreters.pxla", "parallel_callable shard_args", None, "0.8.2", "0.10.0", ""),
    ("jax.interpreters.pxla", "thread_resources", "jax.sharding.get_abstract_mesh", "0.8.2", None, ""),
    (
        "jax.interpreters.pxla",
        """
        Index MeshAxisName MeshComputation MeshExecutable global_aval_to_result_handler
        global_avals_to_results_handler global_result_handlers are_hlo_shardings_equal is_hlo_sharding_replicated
        op_sharding_to_indices ArrayMapping _UNSPECIFIED array_mapping_to_axis_resources
        """,
        None,
        "0.8.2",
        None,
        "",
    ),
    ("jax.interpreters.ad", "reducing_transposes", None, "0.9.0", "0.10.0", ""),
    ("jax.interpreters.batching", "NotMapped", None, "0.7.1", "<=0.9.0", ""),
    ("jax.interpreters.batching", "BatchTracer", None, "0.7.1", "<=0.9.0", ""),
    # others
    ("jax.dlpack", "to_dlpack", None, "0.6.0", "<=0.7.2", "pass the array itself to from_dlpack"),
    ("jax.dlpack", "SUPPORTED_DTYPES", "jax.dlpack.is_supported_dtype", "0.7.0", "<=0.8.1", ""),
    ("jax.stages", "OutInfo", "jax.ShapeDtypeStruct", None, "0.7.0", ""),
    ("jax.custom_derivatives", "custom_jvp_call_jaxpr_p", None, None, "0.8.0", ""),
    ("jax.experimental.layout", "DeviceLocalLayout", "jax.experimental.layout.Layout", None, "0.7.0", ""),
)

_MODULE_ROWS: tuple[_Row, ...] = (
    ("jax.experimental", "stax optimizers", "jax.example_libraries.{}", None, "0.3.16", ""),
    ("jax.experimental", "loops", "jax.lax.fori_loop and friends", "0.3.6", "0.3.16", ""),
    ("jax.experimental", "maps", "jax.shard_map, or jax.vmap(spmd_axis_name=...)", "0.4.26", "0.4.31", ""),
    (
        "jax.experimental",
        "host_callback",
        "jax.pure_callback, jax.experimental.io_callback or jax.debug.callback",
        "0.4.26",
        "0.8.0",
        "its functions went in 0.4.35",
    ),
    ("jax.experimental", "export", "jax.export", "0.4.30", "0.4.36", ""),
    ("jax.experimental", "array_api", "jax.numpy", "0.4.32", "0.5.0", ""),
    ("jax.experimental", "shard", "jax.sharding", None, "0.7.0", ""),
    ("jax.experimental", "attrs", None, None, "<=0.7.2", ""),
    ("jax.experimental", "custom_dce", None, None, "0.10.0", ""),
    ("jax.experimental", "si_vjp", "jax.vjp", None, "0.8.2", ""),
    ("jax.experimental", "global_device_array", "jax.Array", None, "<=0.4.30", ""),
    ("jax.experimental", "gda_serialization", "jax.experimental.array_serialization", None, "<=0.4.30", ""),
    ("jax.experimental", "sharded_jit", "jax.jit", None, "<=0.4.30", ""),
    ("jax.experimental", "ann", "jax.lax.approx_max_k and approx_min_k", None, "<=0.4.30", ""),
    ("jax.experimental", "djax doubledouble", None, None, "<=0.4.30", ""),
    ("jax", "config", "the attribute jax.config", None, "0.4.29", "the submodule only"),
    ("jax", "abstract_arrays", "jax.core.ShapedArray", "0.4.12", "0.4.17", ""),
    ("jax", "api", "jax", None, "0.2.21", ""),
    ("jax", "linear_util", "jax.extend.linear_util", "0.4.16", "0.4.24", ""),
    ("jax", "prng", "jax.extend.random", "0.4.16", "0.4.24", ""),
    ("jax", "util", None, "0.6.0", "0.8.0", "copy what you need, such as safe_zip"),
    ("jax.extend", "ffi", "jax.ffi", "0.5.0", "0.7.0", ""),
    ("jax", "cloud_tpu_init", None, "0.8.1", "0.11.0", "JAX does it by itself"),
    ("jax.lib", "xla_bridge", "jax.extend.backend", "0.4.32", "0.9.0", ""),
    ("jax.lib", "xla_client xla_extension", None, "0.6.0", "0.9.0", "jax.errors.JaxRuntimeError, jax.Array, jax.ffi"),
)


def _expand(rows: tuple[_Row, ...]) -> dict[str, Removed]:
    table = {}
    for prefix, names, replacement, deprecated, removed, note in rows:
        for last in names.split():
            name = f"{prefix}.{last}"
            table[name] = Removed(
                name,
                replacement.format(last) if replacement and "{}" in replacement else replacement,
                deprecated.lstrip("<=") if deprecated else None,
                removed.lstrip("<=") if removed else None,
                note,
                at_latest=removed is not None and removed.startswith("<="),
            )
    return table


# Single names.  A name below a module of MODULES goes with its module.
NAMES: dict[str, Removed] = _expand(_ROWS)
MODULES: dict[str, Removed] = _expand(_MODULE_ROWS)

# Modules that are gone while an attribute of the same name is there to stay: only importing them fails.
IMPORT_ONLY: frozenset[str] = frozenset({"jax.config"})

_ARGUMENTS = (
    RemovedArgument("jax.jit", "fun", "the positional argument", None, "0.7.0"),
    RemovedArgument("jax.jit", "device", "jax.device_put on the inputs", "0.4.1", None),
    RemovedArgument("jax.jit", "backend", "jax.device_put on the inputs", "0.4.1", None),
    RemovedArgument("jax.checkpoint", "concrete", "static_argnums", "0.8.2", "0.10.0", "NotImplementedError"),
    RemovedArgument("jax.remat", "concrete", "static_argnums", "0.8.2", "0.10.0", "NotImplementedError"),
    RemovedArgument("jax.pure_callback", "vectorized", "vmap_method", "0.4.34", "0.6.0"),
    RemovedArgument("jax.ffi.ffi_call", "vectorized", "vmap_method", "0.4.34", "0.6.0"),
    RemovedArgument("jax.numpy.clip", "a", "the positional argument", "0.4.27", "0.10.0"),
    RemovedArgument("jax.numpy.clip", "a_min", "min", "0.4.27", "0.10.0"),
    RemovedArgument("jax.numpy.clip", "a_max", "max", "0.4.27", "0.10.0"),
    RemovedArgument("jax.numpy.reshape", "newshape", "shape", "0.4.28", "0.10.2"),
    RemovedArgument("jax.numpy.sort", "kind", "stable", None, "0.4.28"),
    RemovedArgument("jax.numpy.argsort", "kind", "stable", None, "0.4.28"),
    RemovedArgument("jax.numpy.percentile", "interpolation", "method", None, "0.8.0"),
    RemovedArgument("jax.numpy.quantile", "interpolation", "method", None, "0.8.0"),
    RemovedArgument("jax.numpy.nanpercentile", "interpolation", "method", None, "0.8.0"),
    RemovedArgument("jax.numpy.nanquantile", "interpolation", "method", None, "0.8.0"),
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

# Attributes and methods that jax arrays had once.
ARRAY_ATTRIBUTES: dict[str, Removed] = {
    entry.name: entry
    for entry in (
        Removed("device_buffer", "x.addressable_data(0)", "0.4.22", "0.4.27"),
        Removed("device_buffers", "[s.data for s in x.addressable_shards]", "0.4.22", "0.4.27"),
        Removed("to_py", "numpy.asarray(x)", None, "0.4.30", at_latest=True),
        Removed("block_host_until_ready", "x.block_until_ready()", None, "0.4.1"),
        Removed("broadcast", "jax.lax.broadcast(x, sizes)", None, "0.4.14"),
        Removed("broadcast_in_dim", "jax.lax.broadcast_in_dim(x, ...)", None, "0.4.14"),
        Removed("split", "jax.numpy.split(x, ...)", None, "0.4.14"),
        Removed("unsafe_raw_array", "jax.random.key_data(key)", None, "0.4.24"),
    )
}
