"""The table of newer names against the installed jax, which has what came before it and lacks what came later."""

from __future__ import annotations

import pytest

from jaxlint.semantics import added, removed
from jaxlint.semantics.added import Added
from jaxlint.semantics.removed import happened
from tests.semantics.examples import INSTALLED
from tests.semantics.test_removed import exists


@pytest.mark.parametrize("entry", added.NAMES.values(), ids=str)
def test_newer_names_are_there_from_their_release_on(entry: Added) -> None:
    assert exists(entry.name) == happened(entry.since, INSTALLED)


def test_no_name_is_new_and_removed() -> None:
    assert added.NAMES.keys().isdisjoint(removed.NAMES)
    assert added.NAMES.keys() >= added.MODULES
