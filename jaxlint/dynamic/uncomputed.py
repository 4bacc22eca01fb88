"""Scripts are followed without computing: what a jitted function returns to a script has a type and no value.

The function is traced, which is all that is wanted of it; a compilation that takes minutes and an epoch that takes
hours are left out.  What a script hands from one jitted function to the next is used by its type alone.  Where it looks
at a value, there is a zero, and from there on all that is seen is seen under that assumption.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import MethodType
from typing import Any

import jax
import numpy as np

from jaxlint.dynamic import private
from jaxlint.dynamic.observations import Kind, Traced
from jaxlint.dynamic.recording import RECORDER


class Uncomputed:
    """An array that a jitted function would have returned; `jax.ShapeDtypeStruct` says all that is known of it."""

    def __init__(self, aval: Any, maker: str) -> None:
        self.aval = aval
        self.shape, self.dtype = aval.shape, aval.dtype
        self.ndim, self.size = len(aval.shape), int(np.prod(aval.shape))
        self._maker = maker

    def value(self) -> Any:
        """Zeros; somebody looks at them."""
        assumption = f"what `{self._maker}` returns is zero"
        if RECORDER.active and assumption not in RECORDER.session.assumptions:
            RECORDER.session.assumptions += (assumption,)
        if private.key_dtype(self.aval):
            return jax.numpy.broadcast_to(jax.random.key(0), self.shape)
        return jax.device_put(np.zeros(self.shape, self.dtype))

    def block_until_ready(self) -> Uncomputed:
        return self

    def __jax_array__(self) -> Any:
        return self.value()

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        return np.asarray(self.value(), *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.value(), name)

    def __format__(self, spec: str) -> str:
        return repr(self)  # text for people decides nothing

    def __repr__(self) -> str:
        return f"<uncomputed {private.aval_text(self.aval)}>"

    def __len__(self) -> int:
        return len(self.aval)

    __hash__ = None  # type: ignore[assignment]


def _by_value(name: str) -> Callable[..., Any]:
    def method(self: Uncomputed, *args: Any) -> Any:
        made = [each.value() if isinstance(each, Uncomputed) else each for each in args]
        return getattr(self.value(), name)(*made)

    return method


_ARITHMETIC = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()
_OTHERS = "bool int float complex index iter getitem neg pos abs invert lt le eq ne gt ge contains".split()
for _name in [*_OTHERS, *_ARITHMETIC, *(f"r{each}" for each in _ARITHMETIC)]:
    setattr(Uncomputed, f"__{_name}__", _by_value(f"__{_name}__"))


class Jitted:
    """A jitted function of the project: called from outside of any trace it is traced and not run."""

    def __init__(self, function: Any, answered: list[str]) -> None:
        self._function = function
        self._answered = answered
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if private.tracing() or not RECORDER.active:
            return self._function(*args, **kwargs)
        args, kwargs = jax.tree_util.tree_map(_as_type, (args, kwargs))
        name = getattr(self, "__name__", "a jitted function")
        types = self._function.trace(*args, **kwargs).out_info
        self._answered.append(name)
        return jax.tree_util.tree_map(lambda aval: Uncomputed(aval, name), types)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)


def _as_type(leaf: Any) -> Any:
    return jax.ShapeDtypeStruct(leaf.shape, leaf.dtype) if isinstance(leaf, Uncomputed) else leaf  # type: ignore[no-untyped-call]


@contextlib.contextmanager
def uncomputed(traced: Traced) -> Iterator[None]:
    """While the block runs, what the project jits is not computed.  ``traced`` is what fills meanwhile."""
    real, answered = jax.jit, list[str]()

    @functools.wraps(real)
    def jit(*args: Any, **kwargs: Any) -> Any:
        if not RECORDER.sources.path_of(sys._getframe(1).f_code):
            return real(*args, **kwargs)
        made = real(*args, **kwargs)
        return Jitted(made, answered) if hasattr(made, "trace") else lambda function: Jitted(made(function), answered)

    jax.jit = jit
    try:
        yield
    finally:
        jax.jit = real
        if answered:  # an exception may be about a value that is missing
            words = (f"what `{answered[0]}` returns is zero",)
            traced.observations[:] = [
                replace(seen, assumptions=seen.assumptions or words) if seen.kind is Kind.ERROR else seen
                for seen in traced.observations
            ]
