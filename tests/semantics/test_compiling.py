"""The table of what compiles, and which new function objects it compiles anew, as the installed libraries do it."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import pytest

from jaxlint.semantics.compiling import CLOSURE, FORGETS, FUNCTION, METHOD, PARTIAL, SEEN_THROUGH, TRANSFORMED

traces: list[int] = []


def double(x: Any) -> Any:
    traces.append(1)
    return (2 * x).sum()


class Doubler:
    def double(self, x: Any) -> Any:
        return double(x)


doubler = Doubler()


def _resolved(name: str) -> Any:
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


KINDS: dict[str, Callable[[], Any]] = {
    CLOSURE: lambda: lambda x: double(x),
    PARTIAL: lambda: functools.partial(double),
    TRANSFORMED: lambda: _resolved("jax.grad")(double),
    METHOD: lambda: doubler.double,
    FUNCTION: lambda: double,
}


def _is_compiled_anew(compiler: str, make: Callable[[], Any]) -> bool:
    """Whether a third object of a kind is traced once more."""
    jax = importlib.import_module("jax")
    jax.clear_caches()
    x = jax.numpy.ones((1, 2) if "pmap" in compiler else 2)
    for _ in range(2):
        _resolved(compiler)(make())(x)
    traces.clear()
    _resolved(compiler)(make())(x)
    return bool(traces)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("compiler", sorted(FORGETS))
def test_which_new_objects_are_compiled_anew(compiler: str, kind: str) -> None:
    assert _is_compiled_anew(compiler, KINDS[kind]) == (kind in FORGETS[compiler])


@pytest.mark.parametrize(
    ("compiler", "name"), sorted((one, name) for one, names in SEEN_THROUGH.items() for name in names)
)
def test_which_transforms_are_seen_through(compiler: str, name: str) -> None:
    assert not _is_compiled_anew(compiler, lambda: _resolved(name)(double))
