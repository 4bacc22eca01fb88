"""JAX7: what transforms and loops ask of their functions and arguments."""
