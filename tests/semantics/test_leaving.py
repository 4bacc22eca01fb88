"""Calls that never return: each name is there, and raises what nobody catches by accident, or ends the process."""

from __future__ import annotations

import argparse
import importlib
import typing
from collections.abc import Callable

import pytest

from jaxlint.semantics.leaving import METHODS_NEVER_RETURN, NEVER_RETURN

ARGUMENTS: dict[str, tuple[object, ...]] = {
    "pytest.exit": ("reason",),
    "pytest.skip": ("reason",),
    "typing.assert_never": (1,),
}
OF_THE_PROCESS = frozenset(name for name in NEVER_RETURN if name.startswith(("os.", "absl.")))
"""What ends the process, or becomes another one, at once: no test outlives it."""


def _named(name: str) -> Callable[..., object]:
    module, _, function = name.rpartition(".")
    if module == "absl.logging":
        pytest.importorskip("absl")
    return typing.cast(Callable[..., object], getattr(importlib.import_module(module), function))


@pytest.mark.parametrize("name", sorted(NEVER_RETURN - {"typing.assert_never"}))
def test_each_is_there(name: str) -> None:
    assert callable(_named(name))


@pytest.mark.parametrize("name", sorted(NEVER_RETURN - OF_THE_PROCESS))
def test_what_raises(name: str) -> None:
    if not hasattr(typing, "assert_never") and name == "typing.assert_never":
        pytest.skip("of Python 3.11")
    with pytest.raises(BaseException):  # noqa: B017, PT011 - SystemExit, and outcomes of pytest that are no Exception
        _named(name)(*ARGUMENTS.get(name, ()))


@pytest.mark.parametrize("method", sorted(METHODS_NEVER_RETURN["argparse.ArgumentParser"]))
def test_methods(method: str) -> None:
    arguments = ("message",) if method == "error" else ()
    with pytest.raises(SystemExit):
        getattr(argparse.ArgumentParser(), method)(*arguments)
