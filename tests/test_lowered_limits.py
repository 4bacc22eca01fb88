"""Of what is found with any limit lowered, nothing is new: meeting a limit only loses claims.

python -m tests.test_lowered_limits [PART PARTS]    tries all programs, which takes minutes; prints what is new
"""

from __future__ import annotations

import ast
import functools
import sys
from pathlib import Path
from zlib import crc32

import pytest

from jaxlint.api import lint_source
from jaxlint.flow.limits import LIMITS
from tests.cards_support import cards
from tests.limits_support import limited

TESTS = Path(__file__).parent
HEADER = "import jax\nimport jax.numpy as jnp\nimport numpy as np\nfrom functools import partial\n"
SAMPLE = 12
"""Programs for each limit, others for each."""

Found = frozenset[tuple[int, str]]


def _programs() -> dict[str, str]:
    """The programs of the tables, and the examples of the cards that are one file."""
    found = {}
    for path in sorted(TESTS.glob("test_*_shapes.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for key, value in zip(node.keys, node.values) if isinstance(node, ast.Dict) else ():
                if isinstance(key, ast.Constant) and isinstance(value, ast.Constant) and "\ndef " in str(value.value):
                    found[f"{path.stem}: {key.value}"] = f"{HEADER}{value.value}"
    for card in cards():
        found.update({str(block): block.source for block in card.blocks if len(block.files) == 1})
    return found


PROGRAMS = _programs()

NOT_FOLLOWED = "a key that is given to a call that is not followed counts as handed on"
CUT_LOOP = "a loop that is not run to its end leaves the values of its first pass"
LESS_KNOWN = "what is not known to be harmless is told"

EXCEPTIONS = {
    **dict.fromkeys(
        ("MAX_DEPTH", "WORK_LIMIT", "MAX_LAYERS", "MOST_METHODS", "MOST_CALLS"), ({"JAX402"}, NOT_FOLLOWED)
    ),
    "STEP_BUDGET": ({"JAX101", "JAX402"}, NOT_FOLLOWED),
    **dict.fromkeys(
        ("FEW_EVALUATIONS", "MAX_PASSES", "UNKNOWN_PASSES", "PASS_LIMIT"), ({"JAX101", "JAX401"}, CUT_LOOP)
    ),
    "UNROLL_LIMIT": ({"JAX403"}, CUT_LOOP),
    "KNOWN_ITEMS": ({"JAX101", "JAX105", "JAX202", "JAX403"}, LESS_KNOWN),
    "MAX_PARTS": ({"JAX202"}, LESS_KNOWN),
    "MOST_OPTIONS": ({"JAX402"}, LESS_KNOWN),
    "REMEMBERED": ({"JAX401", "JAX403"}, LESS_KNOWN),
    "RETURNED_DEPTH": ({"JAX403"}, LESS_KNOWN),
}
"""Where the law does not hold, in 62 pairs of a program and a limit: the codes that may be new, and why."""


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
    """Programs to try a limit on.  Another program in the tables makes it no other ones."""
    every = len(PROGRAMS) // SAMPLE
    return [name for name in PROGRAMS if crc32(name.encode()) % every == crc32(limit.encode()) % every]


LOWERED = [name for name, limit in LIMITS.items() if limit.value > 1]


@pytest.mark.parametrize("limit", LOWERED)
def test_a_lower_limit_finds_nothing_new(limit: str) -> None:
    allowed, _ = EXCEPTIONS.get(limit, (set(), ""))
    more = {name: {one for one in new(limit, name) if one[1] not in allowed} for name in drawn(limit)}
    assert not {name: ones for name, ones in more.items() if ones}


BROKEN = {
    NOT_FOLLOWED: ("MOST_METHODS", "test_key_shapes: wrappers-around-what-draws-nothing"),
    CUT_LOOP: ("UNKNOWN_PASSES", "test_traced_shapes: print-behind-a-longer-window"),
    LESS_KNOWN: ("RETURNED_DEPTH", "test_key_shapes: kept-by-replace"),
}
"""For each reason a limit and a program."""


@pytest.mark.parametrize("reason", BROKEN)
@pytest.mark.xfail(strict=True)
def test_where_the_law_does_not_hold(reason: str) -> None:
    assert not new(*BROKEN[reason])


def test_a_call_that_lacks_an_argument_ends_its_path_also_where_it_is_not_followed() -> None:
    assert new("WORK_LIMIT", "test_value_shapes: function-without-an-argument") == set()


if __name__ == "__main__":
    part, parts = (int(word) for word in sys.argv[1:] or (0, 1))
    for limit in LOWERED:
        for name in sorted(PROGRAMS)[part::parts]:
            if more := new(limit, name):
                print(f"{limit}\t{name}\t{sorted(more)}", flush=True)
        print("#", limit, flush=True)
