"""What libcst visitors are told of a module, and the rules that users write as such visitors."""
