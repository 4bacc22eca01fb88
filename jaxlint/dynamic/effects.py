"""Host effects under a trace: output, input, files, clocks, randomness and the environment.

The functions that cause them are replaced, before the project is imported so that `from time import time` gets the
replacement.  A call counts if project code makes it itself and a trace is active.  Text counts only if it shows a
tracer: a print of a shape says something true, even if it says it once.
"""

from __future__ import annotations

import builtins
import logging
import os
import pathlib
import random
import secrets
import sys
import time
import uuid
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from functools import wraps
from typing import Any

import jax
import numpy as np

from jaxlint.dynamic import compiled, eager_keys, places
from jaxlint.dynamic.observations import Kind, Observation
from jaxlint.dynamic.recording import RECORDER, holds_tracer
from jaxlint.dynamic.retracing import RETRACES
from jaxlint.dynamic.unfinished import looked_at_the_clock

_ALWAYS: list[tuple[Any, Kind, str]] = [
    (builtins, Kind.INPUT, "input"),
    (builtins, Kind.FILE, "open"),
    (pathlib.Path, Kind.FILE, "open read_text read_bytes write_text write_bytes unlink mkdir touch rename"),
    (np, Kind.FILE, "load save savez savez_compressed savetxt loadtxt genfromtxt"),
    (os, Kind.FILE, "remove rename makedirs mkdir rmdir listdir"),
    (time, Kind.TIME, "time time_ns perf_counter perf_counter_ns monotonic monotonic_ns process_time sleep strftime"),
    (random, Kind.RANDOM, "random randint randrange uniform choice choices sample shuffle gauss normalvariate"),
    (random, Kind.RANDOM, "betavariate expovariate getrandbits seed triangular"),
    (np.random, Kind.RANDOM, "rand randn randint random random_sample uniform normal standard_normal choice seed"),
    (np.random, Kind.RANDOM, "permutation shuffle exponential poisson binomial beta gamma default_rng"),
    (os, Kind.RANDOM, "urandom"),
    (uuid, Kind.RANDOM, "uuid1 uuid4"),
    (secrets, Kind.RANDOM, "token_bytes token_hex token_urlsafe randbelow choice randbits"),
    (os, Kind.ENVIRON, "getenv putenv"),
    (type(os.environ), Kind.ENVIRON, "__getitem__ __setitem__ __delitem__ __contains__ get pop setdefault"),
]
"""Owners, what their functions do, and the functions; those of one name that an owner lacks are left out."""

_TEXT: list[tuple[Any, Kind, str]] = [
    (builtins, Kind.PRINT, "print"),
    (logging.Logger, Kind.LOG, "debug info warning error critical exception log"),
    (logging, Kind.LOG, "debug info warning error critical exception log"),
]

_undo: ExitStack | None = None


def install() -> None:
    """Replaces the functions.  Call it before the project is imported; a second call does nothing."""
    global _undo
    if _undo is None:
        _undo = ExitStack()
        for owners, replacement in ((_ALWAYS, _counted), (_TEXT, _counted_with_tracer)):
            for owner, kind, names in owners:
                for name in names.split():
                    if hasattr(owner, name):
                        _replace(_undo, owner, name, replacement(kind, name, getattr(owner, name)))
        warned = (warnings, "warn", _warned(warnings.warn))
        for owner, name, new in (*eager_keys.replacements(), *compiled.replacements(), warned):
            _replace(_undo, owner, name, new)
        for name in ("jit", "pmap"):
            _replace(_undo, jax, name, RETRACES.noting(getattr(jax, name)))


def uninstall() -> None:
    """Puts the original functions back where they were; names that the project has bound keep the replacements."""
    global _undo
    if _undo is not None:
        _undo.close()
        _undo = None


def _replace(undo: ExitStack, owner: Any, name: str, new: Callable[..., Any]) -> None:
    if name in vars(owner):
        undo.callback(setattr, owner, name, vars(owner)[name])
    else:
        undo.callback(delattr, owner, name)  # it was inherited
    setattr(owner, name, new)


def _warned(original: Callable[..., Any]) -> Callable[..., Any]:
    """`warnings.warn` that notes what JAX says of the code, also where nobody gets to read it."""

    @wraps(original)
    def warn(message: Any, category: Any = None, stacklevel: int = 1, *args: Any, **kwargs: Any) -> Any:
        frame = sys._getframe(1)
        kind = type(message) if isinstance(message, Warning) else category or UserWarning
        if RECORDER.active and (told := _told_by(kind, str(message))) is not None and places.of_jax(frame):
            if (user := RECORDER.sources.innermost(frame)) is not None:
                text = f"{kind.__name__}: {(str(message).splitlines() or [''])[0][:200]}"
                RECORDER.seen(Observation(told, RECORDER.sources.span(user), text, kind.__name__))
        elif RECORDER.watching() and RECORDER.sources.path_of(frame.f_code) and RECORDER.shows_tracer(str(message)):
            RECORDER.effect(Kind.LOG, frame, f"`warn` shows a tracer: {str(message)[:80]}")
        return original(message, category, stacklevel + 1, *args, **kwargs)

    return warn


def _told_by(kind: Any, text: str) -> Kind | None:
    """What a warning of JAX says of the code, if it is one of those that say something."""
    if isinstance(kind, type) and issubclass(kind, DeprecationWarning):
        return Kind.WARNING
    return Kind.NARROWED if text.startswith("Explicitly requested dtype") else None


def _counted(kind: Kind, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose call is an effect."""

    @wraps(original)
    def effect(*args: Any, **kwargs: Any) -> Any:
        if RECORDER.watching() and not (name == "default_rng" and args):
            frame = sys._getframe(1)
            if RECORDER.sources.path_of(frame.f_code):
                RECORDER.effect(kind, frame, f"`{name}` ran while tracing, not when the compiled function runs")
        elif kind is Kind.TIME and RECORDER.active:
            looked_at_the_clock(sys._getframe(1))
        return original(*args, **kwargs)

    return effect


def _counted_with_tracer(kind: Kind, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose call is an effect if it shows a tracer."""

    @wraps(original)
    def effect(*args: Any, **kwargs: Any) -> Any:
        if not RECORDER.watching():
            return original(*args, **kwargs)
        frame = sys._getframe(1)
        if not RECORDER.sources.path_of(frame.f_code):
            return original(*args, **kwargs)
        before = RECORDER.shown_tracers
        result = original(*args, **kwargs)
        if RECORDER.shown_tracers > before or holds_tracer(args) or RECORDER.shows_tracer(*args):
            texts = [arg for arg in args if isinstance(arg, str)]
            RECORDER.effect(kind, frame, f"`{name}` shows a tracer: {' '.join(texts)[:80]}".rstrip(": "))
        return result

    return effect
