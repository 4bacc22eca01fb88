"""The parameters of callbacks against the installed jax."""

from __future__ import annotations

import importlib
import inspect

import pytest

from jaxlint.semantics.callbacks import OPTIONS


@pytest.mark.parametrize("name", OPTIONS)
def test_the_parameters_are_those_of_jax(name: str) -> None:
    module, _, short = name.rpartition(".")
    parameters = inspect.signature(getattr(importlib.import_module(module), short)).parameters.values()
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    assert OPTIONS[name] == {parameter.name for parameter in parameters if parameter.kind not in variadic}
