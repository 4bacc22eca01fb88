"""Edits that mean nothing change nothing: what is said of a program depends on what it does, not on how it is laid out.

Every example of the cards and a part of the tests' programs is edited in some of the ways of `kinds_of_edits`, others
for each, always the same ones.  `python -m benchmarks.same_meaning` tries all.
"""

from __future__ import annotations

import functools
from zlib import crc32

import pytest

from tests.robustness.edited_programs import Files, of_cards, of_tests
from tests.robustness.explained_edits import EXPLAINED
from tests.robustness.judged import Said, differences, edited, said_of
from tests.robustness.kinds_of_edits import EDITS

EVERY = 6
"""One in so many kinds is tried on a program."""

EVERY_PROGRAM_OF_TESTS = 5

MOST_DIFFERENT = 0.003
"""Of the programs that are judged after an edit, this share may be judged differently, each with an explanation.

A kind that is explained as a whole (long functions) does not count.  Of all programs and all other kinds, of which
these are a part, it is at most 0.002.
"""

PROGRAMS: dict[str, Files] = of_cards() | {
    name: files for name, files in of_tests().items() if crc32(name.encode()) % EVERY_PROGRAM_OF_TESTS == 0
}


def programs(kind: str) -> list[str]:
    """Those that a kind is tried on."""
    turn = list(EDITS).index(kind)
    return [name for name in PROGRAMS if (crc32(name.encode(), 1) + turn) % EVERY == 0]


@functools.cache
def before(name: str) -> list[Said]:
    return said_of(PROGRAMS[name])


@functools.cache
def different(kind: str) -> tuple[int, dict[str, list[str]]]:
    """How many programs are judged after edits of one kind, and what is said only before or only after."""
    judged = 0
    found = {}
    for name in programs(kind):
        if (after := edited(PROGRAMS[name], kind)) is not None:
            judged += 1
            found[name] = [str(one) for one in differences(before(name), after)]
            if found[name] and (kind, "*") in EXPLAINED:
                break  # all that the kind changes has one explanation: that it still changes something
    return judged, {name: ones for name, ones in found.items() if ones}


@pytest.mark.parametrize("kind", EDITS)
def test_only_what_is_explained_is_judged_differently(kind: str) -> None:
    _, found = different(kind)
    if (kind, "*") in EXPLAINED:
        assert found, "an explanation of what is the same"
        return
    explained = {name for name in programs(kind) if (kind, name) in EXPLAINED}
    assert {name: ones for name, ones in found.items() if name not in explained} == {}
    assert explained - found.keys() == set(), "explanations of what is the same"


def test_few_are_judged_differently() -> None:
    counts = [different(kind) for kind in EDITS if (kind, "*") not in EXPLAINED]
    assert sum(len(found) for _, found in counts) <= MOST_DIFFERENT * sum(judged for judged, _ in counts)


def test_explanations_are_of_programs_and_kinds() -> None:
    tried = of_cards() | of_tests()
    unknown = [at for at in EXPLAINED if at[0] not in EDITS or (at[1] != "*" and at[1] not in tried)]
    assert unknown == []


KINDS_THAT_MOVE_LINES = {
    "long functions": "x = 0\n\n\ndef f(y):\n    return y + x\n",
    "extracted helpers": "def f(x):\n    a = x + 1\n    b = a + 1\n    return b * 2\n",
}


@pytest.mark.parametrize("kind", KINDS_THAT_MOVE_LINES)
def test_each_place_knows_the_line_that_it_comes_from(kind: str) -> None:
    text = KINDS_THAT_MOVE_LINES[kind]
    after = edited({"program.py": text}, kind)
    assert after is not None
    lines = text.splitlines()
    for number, line in enumerate(after.printed.files["program.py"].splitlines(), 1):
        if line.strip() in {one.strip() for one in lines} - {""}:
            column = len(line) - len(line.lstrip()) + 1
            (origin,) = after.printed.lines_at("program.py", number, column)
            assert lines[origin.number - 1].strip() == line.strip()
