"""What a fix may take over from a call of NumPy or SciPy into one of its twin in JAX."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from jaxlint.semantics.host_libraries import (
    NUMPY_TO_JNP,
    SCIPY_TO_JAX,
    SHARED_DTYPE,
    SHARED_KEYWORDS,
    SHARED_POSITIONS,
)
from tests.semantics.examples import resolve

TWINS = {**NUMPY_TO_JNP, **SCIPY_TO_JAX}


@pytest.mark.parametrize("name", sorted(SCIPY_TO_JAX))
def test_twins_of_scipy_exist(name: str) -> None:
    assert resolve(name) is not None
    assert resolve(SCIPY_TO_JAX[name]) is not None


@pytest.mark.parametrize("name", sorted(TWINS))
def test_shared_arguments_are(name: str) -> None:
    if name in _GONE or isinstance(resolve(name), np.ufunc):
        return  # a ufunc has no keyword that is shared, and its operands come first
    theirs, ours = (inspect.signature(resolve(each)).parameters for each in (name, TWINS[name]))
    shared = SHARED_KEYWORDS | ({"dtype"} if name in SHARED_DTYPE else set())
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in ours.values())
    assert takes_any or shared & set(theirs) <= set(ours)
    positions = SHARED_POSITIONS.get(name, 2)
    for number, (their, our) in enumerate(zip(_positional(theirs), _positional(ours))):
        if 0 < number < positions:
            assert our == their or {our, their} in _RENAMED


_GONE = ("numpy.trapz", "numpy.in1d", "numpy.row_stack")
_RENAMED = [{"a_min", "min"}, {"a_max", "max"}]


def _positional(parameters: dict[str, inspect.Parameter]) -> list[str]:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [name for name, parameter in parameters.items() if parameter.kind in kinds]
