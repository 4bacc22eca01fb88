"""Programs are made small, whatever is tried on the way."""

from __future__ import annotations

import gc

from tests.dynamic.shrinking import BYTES, Elsewhere, shrunk


def _shows(text: str) -> bool:
    """What a program says of itself, once it is run."""
    names: dict[str, object] = {}
    exec(text, names)
    return bool(names.get("shown"))


def test_what_never_ends_shows_nothing_and_ends_nothing() -> None:
    with Elsewhere(gc.collect, seconds=5.0) as elsewhere:
        assert elsewhere.says(_shows, "shown = True")
        assert not elsewhere.says(_shows, "shown = True\nwhile True:\n    pass")
        assert not elsewhere.says(_shows, f"shown = bytes({BYTES})")
        assert not elsewhere.says(_shows, "import os\nos._exit(1)")
        assert elsewhere.says(_shows, "shown = True")


def test_what_matters_is_left() -> None:
    text = "one = 1\nif one:\n    two = 2\n    shown = one\nelse:\n    shown = 0"
    assert shrunk(text, _shows_or_not) == "one = 1\nshown = one"


def _shows_or_not(text: str) -> bool:
    try:
        return _shows(text)
    except NameError:
        return False
