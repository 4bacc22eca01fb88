"""What JAX compiles while code runs by itself: each jaxpr is searched like that of a trace.

A call of a compiled function inside a script or a recorded test is no trace of jaxlint's, but JAX traces it all the
same, with the real arguments.  What it compiles is looked at once, after it has run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any
from weakref import WeakSet

from jaxlint.dynamic import keys, private, twice
from jaxlint.dynamic.recording import RECORDER

_searched: WeakSet[Any] = WeakSet()


def replacements() -> Iterator[tuple[Any, str, Callable[..., Any]]]:
    """What runs a jaxpr for `jax.jit`, with what searches it: owner, name and the new function."""
    place = private.runner()
    if place is not None:
        owner, name = place
        yield owner, name, _searching(getattr(owner, name))


def _searching(original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def run(*args: Any, **parameters: Any) -> Any:
        result = original(*args, **parameters)
        if RECORDER.active and not RECORDER.session.paused and not private.tracing():
            _search(parameters.get("jaxpr"))
        return result

    return run


def _search(jaxpr: Any) -> None:
    if jaxpr is None or jaxpr in _searched:
        return
    _searched.add(jaxpr)
    for observation in (*keys.check(jaxpr, RECORDER.sources), *twice.captured(jaxpr, RECORDER.sources)):
        RECORDER.seen(observation)
