"""Calls of functions and methods outside the program, by their names."""
