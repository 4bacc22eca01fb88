"""JAX1: side effects, leaks and host state in code that JAX traces."""
