"""The functions of the project that call a function: what cannot be entered itself may be reached through them."""

from __future__ import annotations

import ast
import functools
import os
import sys
from collections.abc import Collection, Iterator
from types import ModuleType

from jaxlint.dynamic.inputs.usage import MOST_FILES, functions

MOST_CALLERS = 6


def callers(path: str, qualname: str, sources: Collection[str]) -> Iterator[tuple[ModuleType, str]]:
    """Functions and methods, by the module they are in, whose text calls the function, and then those that call these.

    Only modules that are imported; those that other people call come before those that are private.
    """
    loaded = _loaded(sources)
    seen = {(path, qualname)}
    level = [(path, qualname)]
    for _ in range(2):
        found = [one for target in level for one in _callers_of(*target, tuple(loaded)) if one not in seen]
        level = sorted(dict.fromkeys(found), key=lambda one: (_is_private(one[1]), one[0] != path))
        seen.update(level)
        for where, name in level:
            yield loaded[where], name


def _callers_of(path: str, qualname: str, paths: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    outer, _, name = qualname.rpartition(".")
    is_method = bool(outer)
    if name in ("__init__", "__new__", "__post_init__"):
        outer, _, name = outer.rpartition(".")
        is_method = False
    for where in paths:
        # A method's name says little elsewhere.
        if not is_method or where == path:
            yield from ((where, caller) for caller in readers_in(where).get(name, ()))


@functools.lru_cache(maxsize=MOST_FILES)
def readers_in(path: str) -> dict[str, list[str]]:
    """The name of each attribute and variable that a file's functions read -> those functions, outermost ones."""
    found: dict[str, dict[str, None]] = {}
    for qualname, node in functions(path).items():
        outermost = qualname.partition(".<locals>")[0]
        for part in ast.walk(node):
            name = part.attr if isinstance(part, ast.Attribute) else part.id if isinstance(part, ast.Name) else ""
            if name and name != outermost:
                found.setdefault(name, {})[outermost] = None
    return {name: list(names) for name, names in found.items()}


def _is_private(qualname: str) -> bool:
    return any(part.startswith("_") and not part.endswith("__") for part in qualname.split("."))


def _loaded(sources: Collection[str]) -> dict[str, ModuleType]:
    """The project's modules that are imported, by the real path of their file."""
    own = set(sources)
    found: dict[str, ModuleType] = {}
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and (path := _real_path(file)) in own:
            found[path] = module
    return found


def _real_path(file: str) -> str:
    """That of one of a thousand modules, most of which are in the same folders."""
    folder, name = os.path.split(file)
    path = os.path.join(_real_folder(folder), name)
    return os.path.realpath(path) if os.path.islink(path) else path


_real_folder = functools.cache(os.path.realpath)
