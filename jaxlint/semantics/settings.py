"""Settings of JAX that are read from the environment once, when it is imported, and what imports it."""

from __future__ import annotations

READ_AT_IMPORT = frozenset(
    "JAX_CHECK_TRACER_LEAKS JAX_COMPILATION_CACHE_DIR JAX_CUDA_VISIBLE_DEVICES JAX_DEBUG_INFS JAX_DEBUG_KEY_REUSE "
    "JAX_DEBUG_NANS JAX_DEFAULT_MATMUL_PRECISION JAX_DEFAULT_PRNG_IMPL JAX_DISABLE_JIT JAX_DUMP_IR_TO "
    "JAX_ENABLE_CHECKS JAX_ENABLE_COMPILATION_CACHE JAX_ENABLE_CUSTOM_PRNG JAX_ENABLE_X64 "
    "JAX_EXPLAIN_CACHE_MISSES JAX_LOG_COMPILES JAX_NUMPY_DTYPE_PROMOTION JAX_NUMPY_RANK_PROMOTION "
    "JAX_NUM_CPU_DEVICES JAX_PLATFORMS JAX_PLATFORM_NAME JAX_THREEFRY_PARTITIONABLE JAX_TRACEBACK_FILTERING "
    "JAX_TRANSFER_GUARD".split()
)
"""Variables of the environment that say what a setting is to begin with: `jax_enable_x64`, and so on."""

NEWER_OPTIONS: dict[str, str] = {
    name: since
    for since, names in (
        ("0.11.0", "pallas_auto_assign_collective_ids use_cpp_shard_args use_rgv3"),
        (
            "0.11.1",
            """
            custom_jvp3 export_deserialize_expired_versions raise_on_ppermute_sort_diff remat_barrier_no_cotangents
            use_hlo_logistic_lowering
            """,
        ),
        (
            "0.11.2",
            """
            distributed_verify_secure_credentials mtls_ca_file mtls_cert_file mtls_key_file mtls_peer_uri_prefix
            pallas_auto_assign_collective_ids_limit
            """,
        ),
        ("0.12.0", "accurate_erf_inv mosaic_unzip_debug_locations"),
    )
    for name in names.split()
}
"""Options that came after JAX 0.10.2, with the first release that has them."""

OLDER_OPTIONS: dict[str, str] = {
    "exec_time_optimization_effort": "0.11.1",
    "memory_fitting_effort": "0.11.1",
    "refs_to_pins": "0.11.1",
    "pallas_use_mosaic_gpu": "0.11.2",
    "ragged_dot_use_gpu_pallas_triton_lowering": "0.12.0",
}
"""Options of JAX 0.10.2 that are gone, with the first release without them."""

OPTIONS: frozenset[str] = frozenset({*NEWER_OPTIONS, *OLDER_OPTIONS}) | frozenset(
    """
    allow_f16_reductions array_garbage_collection_guard auto_pcast backend_target bcoo_cusparse_lowering
    captured_constants_report_frames captured_constants_warn_bytes check_proxy_envs check_static_indices
    check_tracer_leaks compilation_cache_check_contents compilation_cache_dir compilation_cache_expect_pgle
    compilation_cache_include_metadata_in_key compilation_cache_max_size compiler_detailed_logging_min_ops
    compiler_enable_remat_pass cpu_collectives_implementation cpu_enable_async_dispatch
    cpu_get_global_topology_timeout_minutes cpu_get_local_topology_timeout_minutes
    cross_host_transfer_socket_address cross_host_transfer_timeout_seconds cross_host_transfer_transfer_size
    cross_host_transport_addresses cuda_visible_devices custom_vjp3 debug_infs debug_key_reuse
    debug_leaked_clients_on_clear_backends debug_log_modules debug_nans default_device default_matmul_precision
    default_prng_impl disable_bwd_checks disable_jit disable_most_optimizations disable_vmap_shmap_error
    disallow_mesh_context_manager distributed_debug dump_ir_modes dump_ir_to embedded_constants_max_bytes
    enable_checks enable_compilation_cache enable_custom_prng enable_pgle enable_preemption_service
    enable_recoverability enable_x64 error_checking_behavior_divide error_checking_behavior_nan
    error_checking_behavior_oob experimental_unsafe_xla_runtime_errors
    explain_cache_misses explicit_x64_dtypes export_calling_convention_version
    export_ignore_forward_compatibility force_dcn_cross_host_transfers high_dynamic_range_gumbel
    hlo_source_file_canonicalization_regex include_debug_info_in_dumps include_full_tracebacks_in_locations
    legacy_prng_key log_checkpoint_residuals log_compiles logging_level
    memory_fitting_level mock_gpu_topology mosaic_allow_hlo mutable_array_checks no_execution no_tracing
    num_cpu_devices numpy_dtype_promotion numpy_rank_promotion oneapi_visible_devices optimization_level
    pallas_enable_debug_checks pallas_poison_buffers pallas_verbose_errors
    persistent_cache_enable_xla_caches persistent_cache_min_compile_time_secs
    persistent_cache_min_entry_size_bytes pgle_aggregation_percentile pgle_profiling_runs
    pjrt_client_create_options platform_name platforms pprint_use_color
    ragged_dot_use_ragged_dot_instruction
    raise_persistent_cache_errors random_seed_offset remat3
    remove_custom_partitioning_ptr_from_cache_key remove_size_one_mesh_axis_from_type rocm_visible_devices scan3
    send_traceback_to_runtime serialization_version share_binary_between_hosts
    share_binary_between_hosts_timeout_ms softmax_custom_jvp sort_devices_by_process_index source_url_schema
    thread_guard threefry_gpu_kernel_lowering threefry_partitionable traceback_filtering
    traceback_in_locations_limit tracer_error_num_traceback_frames transfer_guard
    transfer_guard_device_to_device transfer_guard_device_to_host transfer_guard_host_to_device
    use_direct_linearize use_emit_pipeline_primitive use_magma use_shardy_partitioner
    use_simplified_jaxpr_constants xla_backend xla_profile_version
    """.split()
)
"""The options of `jax.config` in any of the releases, without the `jax_` that each begins with."""

IMPORTING = frozenset(
    "jax flax optax haiku equinox numpyro chex distrax jaxopt diffrax optimistix lineax blackjax brax rlax jraph objax "
    "evosax gymnax".split()
)
"""Packages whose import imports JAX."""

STARTING_OTHERS = frozenset("subprocess multiprocessing ray joblib concurrent mpi4py torch".split())
"""Packages that start other processes, which get the environment and import JAX themselves."""
