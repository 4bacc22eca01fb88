"""Python's attributes, items and builtins."""
