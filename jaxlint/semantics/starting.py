"""What starts JAX's backend, which settings are read then, and what copies the process that it runs in."""

from __future__ import annotations

from jaxlint.semantics.model import names

STARTING: frozenset[str] = names(
    "jax",
    """
    devices local_devices device_count local_device_count default_backend process_index process_count device_put
    host_id host_count
    """,
)
"""Functions outside the packages of arrays that need devices."""

OF_ARRAYS: frozenset[str] = frozenset("jax.numpy jax.numpy.linalg jax.numpy.fft jax.lax jax.nn jax.random".split())
"""Packages whose functions compute, or make arrays."""

FORGETTING = "clear_backends"
"""The function of `jax.extend.backend` after which the next use starts a backend anew."""

VARIABLES: frozenset[str] = frozenset(
    "XLA_FLAGS XLA_PYTHON_CLIENT_ALLOCATOR XLA_CLIENT_MEM_FRACTION XLA_PYTHON_CLIENT_MEM_FRACTION "
    "XLA_PYTHON_CLIENT_PREALLOCATE".split()
)
"""Variables of the environment that are read when the backend starts."""

OPTIONS: frozenset[str] = frozenset(
    "jax_platforms jax_num_cpu_devices jax_cpu_collectives_implementation jax_cpu_enable_async_dispatch "
    "jax_pjrt_client_create_options jax_mock_gpu_topology".split()
)
"""Options of `jax.config` that are read then."""

REFUSED: frozenset[str] = frozenset(("jax_num_cpu_devices", "jax.distributed.initialize"))
"""What raises afterwards; the others have no effect."""

FORKING: frozenset[str] = frozenset(
    "os.fork os.forkpty multiprocessing.context.ForkContext.Process multiprocessing.context.ForkContext.Pool "
    "multiprocessing.context.ForkContext.Manager".split()
)
"""What copies the process, wherever that can be done."""

FORKING_BY_DEFAULT: frozenset[str] = frozenset(
    "multiprocessing.Process multiprocessing.Pool multiprocessing.Manager multiprocessing.pool.Pool "
    "concurrent.futures.ProcessPoolExecutor concurrent.futures.process.ProcessPoolExecutor".split()
)
"""What does so on Linux up to Python 3.13, unless another way to start processes is chosen."""

CHOOSING = frozenset(("mp_context", "context", "ctx"))
"""Keywords that choose it for one pool."""

SET_START_METHOD = "set_start_method"
"""The function of `multiprocessing` that chooses it for all."""
