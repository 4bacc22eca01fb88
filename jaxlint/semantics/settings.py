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

IMPORTING = frozenset(
    "jax flax optax haiku equinox numpyro chex distrax jaxopt diffrax optimistix lineax blackjax brax rlax jraph objax "
    "evosax gymnax".split()
)
"""Packages whose import imports JAX."""

STARTING_OTHERS = frozenset("subprocess multiprocessing ray joblib concurrent mpi4py torch".split())
"""Packages that start other processes, which get the environment and import JAX themselves."""
