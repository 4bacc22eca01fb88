"""JAX6: what is differentiated, and where it has no derivative."""
