"""What the comments beside two uses of a key say: that it is the same key on purpose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_KEY = r"(?:(?:random|prng)[ -]?)?(?:keys?|rngs?|seeds?|noise|randomness|random numbers?)"
_SAME = re.compile(
    rf"\b(?:same|identical|common|re-?us(?:e|es|ed|ing)|shar(?:e|es|ed|ing))\b(?: \w+)?(?: \w+)? {_KEY}\b"
    rf"|\b{_KEY} (?:is |are |was )?(?:\w+ly )?(?:re-?used|shared|the same)\b",
    re.IGNORECASE,
)
_REGRETS = re.compile(
    r"\b(?:not|never|avoid\w*|prevent\w*|without|would|should|instead|bug\w*|wrong\w*|todo|fixme|xxx|hack|careful|"
    r"different|otherwise|devices?|hosts?|process(?:es)?|workers?|replicas?)\b|n't\b",
    re.IGNORECASE,
)
_MOST_LINES = 12
"""Lines of one comment that are read."""


def say_same_key(lines: list[str], spans: Iterable[tuple[int, int]]) -> bool:
    """Whether a comment above one of some statements, or behind a line of it, says so and does not complain of it.
    The same key on all devices is another matter.

    ``spans`` are the first and the last line of each, counted from 1.
    """
    return any(_SAME.search(text) and not _REGRETS.search(text) for span in spans for text in _beside(lines, *span))


def _beside(lines: list[str], first: int, last: int) -> Iterator[str]:
    """The comment that ends right above a statement, and those behind its lines or between them."""
    above: list[str] = []
    for line in reversed(lines[max(0, first - 1 - _MOST_LINES) : first - 1]):
        text = line.strip()
        if not text.startswith("#"):
            break
        above.insert(0, text.lstrip("# "))
    yield " ".join(above)
    for line in lines[first - 1 : min(last, first + _MOST_LINES)]:
        if "#" in line:
            yield line.rpartition("#")[2].strip()
