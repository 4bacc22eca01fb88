"""Variables that a program sets for JAX before it imports JAX, which the recorder has imported by then.

JAX reads them once, when it is imported: `os.environ["JAX_ENABLE_X64"] = "1"` at the top of a script or of conftest.py.
So the first import of JAX that is the program's own is waited for, and what was set until then is told to `jax.config`.
No jax is imported here before it is asked for.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.machinery import ModuleSpec
from types import FrameType
from typing import Any

_OURS = ("jax", "jaxlib", "jaxlint")
_TRUE = ("y", "yes", "t", "true", "on", "1")  # as JAX reads them
_PLATFORM = ("JAX_PLATFORMS", "JAX_PLATFORM_NAME")


def import_jax(*, keeps_platform: bool = False) -> None:
    """Imports JAX as if the program had not done so yet.  ``keeps_platform``: it has no say in what runs where."""
    if "jax" in sys.modules:
        return
    before = _variables()
    import jax

    def first() -> None:
        for module, spec in specs:
            module.__spec__ = spec
        unwanted = _PLATFORM if keeps_platform else ()
        for name, text in _variables().items():
            if before.get(name) != text and name not in unwanted:
                _set(jax, name.lower(), text)

    loaded = [each for name, each in sys.modules.items() if _is_ours(name) and getattr(each, "__spec__", None)]
    specs = [(module, module.__spec__) for module in loaded]
    for module, spec in specs:
        module.__spec__ = _Noticing(spec, first)


def _variables() -> dict[str, str]:
    return {name: text for name, text in os.environ.items() if name.startswith("JAX_")}


def _set(jax: Any, name: str, text: str) -> None:
    """Sets an option to what JAX would have read from its variable; what JAX would not take stays as it is."""
    known = jax.config.values
    if name in known:
        kind = type(known[name])
        with suppress(Exception):
            value = text.lower() in _TRUE if kind is bool else kind(text) if kind in (int, float) else text
            jax.config.update(name, value)


class _Noticing(ModuleSpec):
    """The spec of a module that says when somebody imports it: Python asks whether the module is still being made."""

    def __init__(self, spec: Any, first: Callable[[], None]) -> None:
        vars(self).update(vars(spec))
        self._first = first

    @property
    def _initializing(self) -> bool:
        if not _is_ours(str(_importing(sys._getframe(1)).f_globals.get("__name__"))):
            self._first()
        return False

    @_initializing.setter
    def _initializing(self, value: bool) -> None:
        pass


def _importing(frame: FrameType) -> FrameType:
    """The frame that imports something, by a statement or a function of importlib."""
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == "importlib":
        frame = frame.f_back
    return frame


def _is_ours(name: str) -> bool:
    return name.partition(".")[0] in _OURS
