"""The functions that take logits say so, and give another result for probabilities."""

from __future__ import annotations

import importlib
import inspect

import pytest

from jaxlint.semantics.logits import LOGITS


@pytest.mark.parametrize("name", LOGITS)
def test_the_parameter_is_the_one_for_logits(name: str) -> None:
    module, _, function = name.rpartition(".")
    pytest.importorskip(module.partition(".")[0])
    parameters = list(inspect.signature(getattr(importlib.import_module(module), function)).parameters)
    assert parameters[LOGITS[name].position] == LOGITS[name].keyword == "logits"
