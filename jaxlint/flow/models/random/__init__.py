"""Calls of jax.random, and what calls that are not followed do to keys."""
