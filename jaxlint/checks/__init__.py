"""The rules' checks: one file a rule, each subscribing to the interpreter's events."""
