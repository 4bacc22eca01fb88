"""No regular expression of the package takes more than a time that grows with the length of a text, whatever it says.

What is compared are the times for texts of one shape and different lengths, never a time with a clock's.
"""

from __future__ import annotations

import re

import pytest
from patterns import STEEPEST, Use, attacks, growth, uses

ALL = list(uses())


def steepest(use: Use) -> tuple[float, object]:
    """The fastest growth there is, with a text that shows it; measured again before it is believed."""
    worst: tuple[float, object] = (0.0, "")
    for text in attacks(use.pattern):
        power = growth(use, text)
        for _ in range(4):
            if power > STEEPEST:
                power = min(power, growth(use, text))
        if power > worst[0]:
            worst = (power, text(40))
        if power > STEEPEST:
            break
    return worst


@pytest.mark.parametrize("use", ALL, ids=[f"{use.where}.{use.method}" for use in ALL])
def test_time_grows_with_the_length(use: Use) -> None:
    power, text = steepest(use)
    assert power <= STEEPEST, f"{use.pattern.pattern!r} takes a time of length**{power:.1f} for texts such as {text!r}"


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(a+)+$", "match"),
        (r"\s*x?\s*$", "match"),
        (r"import\b[ ]*(\((?:[^)#]|#[^\n\r]*)*\)|[^;#\n]*)", "search"),
        (r"\w+\.py", "search"),
        (r"(?m)^\s*x", "search"),
        (r"%[ 0]*\d*d", "search"),
        (r"<a>(.*?)</a>", "finditer"),
        (rb"[a-z]*[a-m]*:", "match"),
        (r"(?:a|ab|b)*c", "match"),
    ],
)
def test_what_takes_longer_is_found(pattern: str | bytes, method: str) -> None:
    assert steepest(Use("here", re.compile(pattern), method))[0] > STEEPEST


@pytest.mark.parametrize("pattern", [r"[a-z]+\s*=", r"#[^\n]*", r"(?:[^\\]|\\.)*", r"\bkey\b|\bkeys\b", r"a{3,5}b"])
def test_what_does_not_is_not(pattern: str) -> None:
    assert steepest(Use("here", re.compile(pattern), "match"))[0] <= STEEPEST


def test_all_expressions_are_there() -> None:
    places = {use.where for use in ALL}
    assert len(ALL) > 100
    assert {
        "flow/models/keys/rng_collections.py: _MAKES",
        "silencing/suppressions.py: DIRECTIVE",
        "project/ipython.py: _SPECIAL",
    } <= places
