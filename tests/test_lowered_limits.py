"""Of what is found with any limit lowered, nothing is new: meeting a limit only loses claims.

python -m tests.test_lowered_limits [PART PARTS]    tries all programs, which takes minutes; prints what is new
"""

from __future__ import annotations

import functools
import sys
from zlib import crc32

import pytest

from jaxlint.api import lint_source
from jaxlint.flow.limits import LIMITS
from tests.cards_support import cards
from tests.limits_support import limited
from tests.programs_support import MAIN, programs
from tests.test_constant_shapes import SILENT as MANY_CONSTANTS
from tests.test_constant_shapes import filled

SAMPLE = 12
"""Programs for each limit, others for each."""

Found = frozenset[tuple[int, str]]


def _programs() -> dict[str, str]:
    """The programs of the tests that are one file, and such examples of the cards."""
    found = {str(program): program.files[MAIN] for program in programs() if [*program.files] == [MAIN]}
    found.update({f"constants/{name}": filled(text) for name, text in MANY_CONSTANTS.items()})
    found.update({str(block): block.source for card in cards() for block in card.blocks if len(block.files) == 1})
    return found


PROGRAMS = _programs()

NOT_FOLLOWED = "a key that is given to a call that is not followed counts as handed on"
CUT_LOOP = "the passes of a loop that is not run to its end are not told apart"
LESS_KNOWN = "what is not known to be harmless is told"

EXCEPTIONS = {
    **dict.fromkeys(
        (
            "MAX_DEPTH",
            "MAX_LAYERS",
            "MOST_METHODS",
            "MOST_CALLS",
            "SHARED_DEPTH",
            "ASKED_DEPTH",
        ),
        ({"JAX402"}, NOT_FOLLOWED),
    ),
    "WORK_LIMIT": ({"JAX402", "JAX509"}, NOT_FOLLOWED),  # and what it waits for is not seen
    "ASKED_PARTS": ({"JAX401", "JAX402"}, NOT_FOLLOWED),  # a property that gives another key at each access
    **dict.fromkeys(("MOST_CALLEES", "MOST_CALLABLES", "MOST_CLASSES"), ({"JAX402"}, NOT_FOLLOWED)),
    **dict.fromkeys(("MAX_PASSES", "PASS_LIMIT"), ({"JAX101", "JAX213", "JAX401"}, CUT_LOOP)),
    "FEW_EVALUATIONS": (
        {"JAX101", "JAX213", "JAX317", "JAX401"},  # that none of several is one of another class is not known
        CUT_LOOP,
    ),
    "UNROLL_LIMIT": ({"JAX213", "JAX403"}, CUT_LOOP),
    "COUNTED_ITEMS": ({"JAX403"}, CUT_LOOP),
    "KNOWN_ARGUMENTS": ({"JAX705"}, LESS_KNOWN),
    "KNOWN_ITEMS": ({"JAX101", "JAX105", "JAX202", "JAX402", "JAX403"}, LESS_KNOWN),
    "MAX_PARTS": ({"JAX202"}, LESS_KNOWN),
    "MOST_OPTIONS": ({"JAX402"}, LESS_KNOWN),
    "REMEMBERED": ({"JAX401", "JAX403"}, LESS_KNOWN),
    "RESULT_PARTS": (
        {"JAX201", "JAX402"},  # an option that a decorator does not pass on, and what is made of the key again
        NOT_FOLLOWED,
    ),
    "RETURNED_DEPTH": ({"JAX403"}, LESS_KNOWN),
    "UNKNOWN_PASSES": ({"JAX211"}, LESS_KNOWN),  # that a flag of a dict is off is known of what it was made with
}
"""Where the law does not hold, in some 100 pairs of a program and a limit: the codes that may be new, and why."""


@functools.cache
def found(name: str) -> Found:
    return frozenset((finding.location.line, finding.code) for finding in lint_source(PROGRAMS[name]))


def new(limit: str, name: str) -> Found:
    """What is found only with the limit lowered, beside the word that an entry was given up, or that a comment silences
    nothing any more."""
    before = found(name)
    with limited([LIMITS[limit]], 1):
        after = found.__wrapped__(name)
    return frozenset(one for one in after - before if one[1] not in ("JAX003", "JAX004"))


def drawn(limit: str) -> list[str]:
    """Programs to try a limit on.  Another program makes it no other ones."""
    every = len(PROGRAMS) // SAMPLE
    return [name for name in PROGRAMS if crc32(name.encode()) % every == crc32(limit.encode()) % every]


LOWERED = [name for name, limit in LIMITS.items() if limit.value > 1]


@pytest.mark.parametrize("limit", LOWERED)
def test_a_lower_limit_finds_nothing_new(limit: str) -> None:
    allowed, _ = EXCEPTIONS.get(limit, (set(), ""))
    more = {name: {one for one in new(limit, name) if one[1] not in allowed} for name in drawn(limit)}
    assert not {name: ones for name, ones in more.items() if ones}


BROKEN = {
    NOT_FOLLOWED: ("MOST_METHODS", "keys/ignored/wrappers-around-what-draws-nothing"),
    CUT_LOOP: ("PASS_LIMIT", "keys/one_pass/in-one-pass-and-in-another"),
    LESS_KNOWN: ("RETURNED_DEPTH", "keys/carried/kept-by-replace"),
}
"""For each reason a limit and a program."""


@pytest.mark.parametrize("reason", BROKEN)
@pytest.mark.xfail(strict=True)
def test_where_the_law_does_not_hold(reason: str) -> None:
    assert not new(*BROKEN[reason])


def test_a_call_that_lacks_an_argument_ends_its_path_also_where_it_is_not_followed() -> None:
    assert new("WORK_LIMIT", "values/failing/function-without-an-argument") == set()


def test_a_key_that_is_not_looked_for_is_moved_on_all_the_same() -> None:
    name = "certainty/moved_on/a-step-that-returns-the-successor-of-the-key-after-something-else-had-it"
    assert new("KEY_PARTS", name) == set()


if __name__ == "__main__":
    part, parts = (int(word) for word in sys.argv[1:] or (0, 1))
    for limit in LOWERED:
        for name in sorted(PROGRAMS)[part::parts]:
            if more := new(limit, name):
                print(f"{limit}\t{name}\t{sorted(more)}", flush=True)
        print("#", limit, flush=True)
