"""The command `jaxlint`: its options, its streams, and what it does."""
