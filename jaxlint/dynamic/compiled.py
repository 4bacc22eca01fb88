"""What JAX compiles while code runs by itself: each jaxpr is searched like that of a trace.

A call of a compiled function inside a script or a recorded test is no trace of jaxlint's, but JAX traces it all the
same, with the real arguments.  What it compiles is looked at once.  The keys that it spends are spent for the eager
code around it, too.  JAX's fast path shows only the first call for the types of its arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import wraps
from types import FrameType
from typing import Any
from weakref import WeakKeyDictionary

from jaxlint.dynamic import eager_keys, keys, private, twice
from jaxlint.dynamic.recording import RECORDER

_searched: WeakKeyDictionary[Any, dict[int, str]] = WeakKeyDictionary()
"""The jaxprs that were looked at: which of their inputs are spent, and how."""


def replacements() -> Iterator[tuple[Any, str, Callable[..., Any]]]:
    """What runs a jaxpr for `jax.jit`, with what searches it: owner, name and the new function."""
    place = private.runner()
    if place is not None:
        owner, name = place
        yield owner, name, _searching(getattr(owner, name))


def _searching(original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def run(*args: Any, **parameters: Any) -> Any:
        if RECORDER.active and not RECORDER.session.paused and not private.tracing():
            # A jaxpr that a newer JAX has made otherwise, or a key that is gone, is no reason to end somebody's run.
            with suppress(Exception):
                _search(parameters["jaxpr"], args, sys._getframe(1))
        return original(*args, **parameters)

    return run


def _search(jaxpr: Any, args: tuple[Any, ...], frame: FrameType) -> None:
    for position, how in _spent(jaxpr).items():
        eager_keys.spent_by_call(args[position], how, frame)


def _spent(jaxpr: Any) -> dict[int, str]:
    """The inputs that a jaxpr spends; what else it shows is told when it is new."""
    if jaxpr not in _searched:
        seen, _searched[jaxpr] = keys.search(jaxpr, RECORDER.sources)
        for observation in (*seen, *twice.captured(jaxpr, RECORDER.sources)):
            RECORDER.seen(observation)
    return _searched[jaxpr]
