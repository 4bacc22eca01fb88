"""JAX4: PRNG keys used twice, or used wrongly."""
