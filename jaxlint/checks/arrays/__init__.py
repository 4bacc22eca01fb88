"""JAX3: jax arrays treated as if they could be changed."""
