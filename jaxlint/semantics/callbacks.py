"""The parameters of functions that call back to the host: what else a call names is for the function that is called.
``tests/semantics/test_callbacks.py`` compares them with the installed JAX."""

from __future__ import annotations

OPTIONS: dict[str, frozenset[str]] = {
    "jax.pure_callback": frozenset("callback result_shape_dtypes sharding vmap_method".split()),
    "jax.experimental.io_callback": frozenset("callback result_shape_dtypes sharding ordered".split()),
    "jax.debug.callback": frozenset("callback ordered partitioned".split()),
}
