"""What draws nothing from a key that it is given, and does not hand it to others: it knows of no keys."""

from __future__ import annotations

import sys

from jaxlint.semantics.host import HOST_EFFECTS
from jaxlint.semantics.host_libraries import HOST_LIBRARIES

_LIBRARIES = frozenset(name.partition(".")[0] for name in (*HOST_EFFECTS, *HOST_LIBRARIES)) - {"jax"}

KEEPING_METHODS = frozenset(
    """
    append extend insert
    setdefault update
    replace _replace copy
    format join write
    put
    debug info warning error
    set astype reshape block_until_ready
    lower trace eval_shape
    """.split()
)
"""Methods that objects of Python and JAX have, and that keep, copy, show or move what they are given: of lists; of
dicts; of records; of texts and files; of queues; of loggers; of arrays and `x.at[i]`; of compiled functions.  Of an
object of which nothing is known the method's name is all the evidence there is, but for the methods of the program."""


def knows_no_keys(name: str) -> bool:
    """Whether a function, or the class of an object, is of Python's own library or of one that works on the host."""
    root = name.partition(".")[0]
    return root in _LIBRARIES or root in sys.stdlib_module_names
