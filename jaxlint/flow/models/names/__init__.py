"""Imports and globals, and what the code around a value takes it for."""
