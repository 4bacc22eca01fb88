"""JAX5: what is compiled, how often and with what in it."""
