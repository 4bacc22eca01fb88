"""Which imports mean an installed package though a folder of the program has its name.

A package wins over a folder without `__init__.py`, wherever the two are found: Python takes such a folder, a part of
a namespace package, only when no module and no regular package has the name.  What is installed is not known here; a
library that jaxlint has a model of is taken to be.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from jaxlint.project.roots import is_package
from jaxlint.semantics.host import HOST_EFFECTS
from jaxlint.semantics.host_libraries import HOST_LIBRARIES

JAX_PACKAGES = frozenset(
    """
    blackjax brax chex diffrax distrax equinox evosax flax gymnax haiku jax jaxlib jaxopt jraph lineax mctx
    numpyro objax optax optimistix orbax rlax tensorflow_probability tfp
    """.split()
)
"""The outside packages in which tracers, keys and transforms come from; so does any whose name has `jax` in it."""

LIBRARIES = (
    JAX_PACKAGES
    | frozenset(name.partition(".")[0] for name in (*HOST_EFFECTS, *HOST_LIBRARIES) if "." in name)
    | frozenset(name for name in HOST_LIBRARIES if "." not in name)
)
"""Outside packages that mean something to the analysis."""


def is_library(name: str) -> bool:
    """Whether a top-level name is that of a library with a model, or of Python's own."""
    return name in LIBRARIES or name in sys.stdlib_module_names


def hidden_folders(root: str, paths: Iterable[str]) -> frozenset[str]:
    """The folders around a program's files, given by their paths, that no import finds: a library has their name."""
    files = set(paths)
    folders: set[str] = set()
    for path in files:
        folder = os.path.dirname(path)
        while folder not in folders and folder.startswith(root + os.sep):
            folders.add(folder)
            folder = os.path.dirname(folder)
    named = (folder for folder in folders if is_library(os.path.basename(folder)))
    return frozenset(folder for folder in named if f"{folder}.py" not in files and not is_package(folder))
