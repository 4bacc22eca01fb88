"""The language server: what `jaxlint` knows, in an editor."""
