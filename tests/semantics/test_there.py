"""The names of the modules of JAX that compute with arrays, against the installed JAX."""

from __future__ import annotations

import importlib

import pytest

from jaxlint.semantics import added, removed
from jaxlint.semantics.arrays import ARRAY_NAMESPACES
from jaxlint.semantics.there import THERE


@pytest.mark.parametrize("module", ARRAY_NAMESPACES)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_names_are_those_of_the_module_and_of_its_other_releases(module: str) -> None:
    found = importlib.import_module(module)
    public = [name for name in dir(found) if not name.startswith("_")]
    has = {f"{module}.{name}" for name in public if callable(getattr(found, name))}
    known = {name for name in THERE if name.rpartition(".")[0] == module}
    assert has <= known
    assert known - has <= added.NAMES.keys() | removed.NAMES.keys()
