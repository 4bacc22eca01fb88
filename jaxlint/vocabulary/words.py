"""Words of a user's, in messages of one line."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable

LONGEST_WORD = 60


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`, did you mean …?` when something similar is known, else nothing."""
    import difflib

    close = difflib.get_close_matches(word[:LONGEST_WORD], list(known), n=1)
    return f", did you mean `{close[0]}`?" if close else ""


def shown(value: object) -> str:
    """A value as a short piece of one line."""
    return shortened(reprlib.repr(value) if isinstance(value, (dict, list)) else repr(value))  # tables may be deep


def shortened(text: str) -> str:
    """The text, without its end where it is long."""
    return text if len(text) <= LONGEST_WORD else text[: LONGEST_WORD - 3] + "..."
