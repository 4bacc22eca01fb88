"""Transforms, functions that run others under a trace, and what libraries run there."""
