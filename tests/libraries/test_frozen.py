"""What the tables call frozen refuses, in the installed libraries, that an attribute is set."""

from __future__ import annotations

import dataclasses

import pytest

from jaxlint.semantics.libraries import LIBRARIES
from tests.libraries.test_tables import resolve

BASES = {"equinox": "equinox.Module", "linen": "flax.linen.Module", "record": "flax.struct.PyTreeNode"}


@pytest.mark.parametrize(("name", "kind"), sorted(row for one in LIBRARIES for row in one.frozen_bases.items()))
def test_a_class_is_of_the_kind_that_the_table_says(name: str, kind: str) -> None:
    assert issubclass(resolve(name), resolve(BASES[kind]))


@pytest.mark.parametrize(("name", "freezes"), sorted(row for one in LIBRARIES for row in one.frozen_decorators.items()))
def test_a_decorator_freezes_where_nothing_says_so(name: str, freezes: bool) -> None:
    made = resolve(name)(type("Record", (), {"__annotations__": {"size": int}}))(size=3)
    if freezes:
        with pytest.raises(dataclasses.FrozenInstanceError):
            made.size = 4
    else:
        made.size = 4
