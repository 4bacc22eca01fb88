"""Random keys outside of any trace: which are used twice, told by their bits.

The functions of `jax.random` are replaced.  Eager code has no jaxpr, but its keys have values: two uses of equal bits
in one call of the project, from its outermost function on, are the same key twice.  A key that `fold_in` makes equal
to one that `split` has made is one of these, too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from types import FrameType
from typing import Any

import jax
import numpy as np

from jaxlint.dynamic import places, private
from jaxlint.dynamic.observations import Kind, Observation, Span
from jaxlint.dynamic.recording import RECORDER

_MAKERS = frozenset("key PRNGKey wrap_key_data key_data key_impl clone default_prng_impl".split())
_VERBS = {"split": "is split", "fold_in": "is folded"}
_MOST = 10_000  # uses in one call that are remembered
_MOST_KEYS = 64  # in one array of keys that are looked at


@dataclass(slots=True)
class _Use:
    how: str
    spans: tuple[Span, ...]  # project lines, outermost first


class _Uses:
    """The uses of keys in one call of the project's outermost function."""

    def __init__(self) -> None:
        self.frame: FrameType | None = None
        self.drawn: dict[bytes, _Use] = {}
        self.made: dict[bytes, _Use] = {}
        self.is_inside = False  # of a function of `jax.random`, whose use is noted

    def within(self, frame: FrameType) -> None:
        """Forgets what belongs to another call than the one that ``frame`` is the outermost function of."""
        if frame is not self.frame or len(self.drawn) > _MOST:
            self.forget()
            self.frame = frame

    def forget(self) -> None:
        self.frame = None
        self.drawn.clear()
        self.made.clear()


_uses = _Uses()
RECORDER.at_end.append(_uses.forget)  # it holds a frame


def replacements() -> Iterator[tuple[Any, str, Callable[..., Any]]]:
    """The functions of `jax.random` that use a key, with what notes the use: owner, name and the new function."""
    for name in jax.random.__all__ if hasattr(jax.random, "__all__") else dir(jax.random):
        function = getattr(jax.random, name)
        if callable(function) and not isinstance(function, type) and name not in _MAKERS and name[0] != "_":
            yield jax.random, name, _noted(name, function)


def _noted(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def using(*args: Any, **kwargs: Any) -> Any:
        key = args[0] if args else kwargs.get("key")
        if not RECORDER.active or RECORDER.session.paused or private.tracing() or not isinstance(key, jax.Array):
            return original(*args, **kwargs)
        frame = sys._getframe(1)
        use = _used(name, key, frame)  # before the call, which raises where JAX checks the reuse of keys itself
        before, _uses.is_inside = _uses.is_inside, True
        try:
            result = original(*args, **kwargs)
        finally:
            _uses.is_inside = before
        if use is not None and name in _VERBS:
            _noted_all(_uses.made, _bits(result), use)
        return result

    return using


def spent_by_call(key: Any, how: str, frame: FrameType) -> None:
    """Notes that a compiled function, which runs for project code of ``frame``, draws from a key or splits it."""
    if not _uses.is_inside and isinstance(key, jax.Array):
        _used(how, key, frame)


def _used(name: str, key: Any, frame: FrameType) -> _Use | None:
    """Notes that a key is used, in project code; returns the use."""
    project = [each for each in places.frames(frame) if RECORDER.sources.path_of(each.f_code)]
    if not project:
        return None
    _uses.within(project[-1])
    use = _Use(name, tuple(RECORDER.sources.span(each) for each in reversed(project)))
    if name != "fold_in":
        _noted_all(_uses.drawn, _bits(key), use)
    return use


def _noted_all(known: dict[bytes, _Use], keys: list[bytes], use: _Use) -> None:
    """Adds keys that are drawn from, or that are made; reports the first that is known.

    Making a key again is only wrong in another way: the same split twice is a reuse of what was split.
    """
    for bits in keys:
        before = known.setdefault(bits, use)
        if before is not use and (known is _uses.drawn or before.how != use.how):
            _reused(use, before)
            return


def _bits(key: Any) -> list[bytes]:
    """The bits of each key in an array of keys, of the first ones in a large array."""
    typed = private.key_dtype(key)
    with jax.debug_key_reuse(False):
        data = np.asarray(jax.random.key_data(key) if typed else key)
    if not data.ndim:
        return []
    return [each.tobytes() for each in data.reshape(-1, data.shape[-1])[:_MOST_KEYS]]


def _reused(use: _Use, before: _Use) -> None:
    at, other, again = places.parting(use.spans, before.spans)
    first, second = (_VERBS.get(each.how, "is drawn from") for each in (before, use))
    related = [(span, text) for span, text in ((other, f"it {first} here first"), (use.spans[-1], f"it {second} here"))]
    detail = f"a key {second} that {first} before{again}"
    kept = tuple((span, text) for span, text in related if span != at)
    RECORDER.seen(Observation(Kind.KEY_REUSE, at, detail, related=kept))
