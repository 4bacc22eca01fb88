"""Lists, dicts, iterators, classes and their objects."""
