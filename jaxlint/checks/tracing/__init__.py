"""JAX2: Python asking tracers for values and shapes they do not have."""
