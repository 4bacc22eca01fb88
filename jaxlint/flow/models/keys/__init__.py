"""PRNG keys as linear resources, and what two uses of one are there for."""
