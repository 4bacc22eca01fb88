"""The abstract interpreter: what a program does to tracers, keys and arrays, as events."""
