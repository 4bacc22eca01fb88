"""`docs/limits.md` has the limits that the engine has, and no number of the engine is a limit without a name.

python -m tests.project.test_limits_page    writes the page's table anew
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jaxlint.flow.limits import LIMITS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "limits.md"
HEAD = "| at most | of these | not known where there are more | counted |"

ENGINE = sorted((ROOT / "jaxlint" / "flow").rglob("*.py"))
NO_LIMITS = {"PASS_COST", "CONCRETE", "_LONGEST", "FEW", "LEAST_TRACED_PASSES"}
"""Weights, names for levels, the length of a shown text, how an edit is gone about, and what is done in any case."""


def table() -> list[str]:
    """The page's table as it has to be."""
    rows = [
        f"| {limit.value:,} {limit.unit} | {limit.name} | {limit.lost} | {'yes' if limit.counted else ''} |"
        for limit in LIMITS.values()
    ]
    return [HEAD, "|---|---|---|---|", *rows]


def test_the_page_shows_every_limit() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert lines[lines.index(HEAD) :] == table(), "python -m tests.project.test_limits_page"


def test_limits_have_names_of_their_own() -> None:
    assert len({limit.name for limit in LIMITS.values()}) == len(LIMITS)


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_other_file_has_limits(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    numbers = re.findall(r"^(\w+)(?:: \w+)? = [\d_]+$", text, re.MULTILINE)
    assert NO_LIMITS.issuperset(numbers)
    assert not re.search(r"\bdepth [<>]=? [1-9]|known_items\(.*, \d+\)", text)


@pytest.mark.parametrize("name", LIMITS)
def test_what_is_counted_is_noted_somewhere(name: str) -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in ENGINE)
    noted = re.search(rf"meets\({name}\b|return {name}\b", text) is not None
    assert noted == LIMITS[name].counted


if __name__ == "__main__":
    before = PAGE.read_text(encoding="utf-8").partition(HEAD)[0]
    PAGE.write_text("\n".join([before.rstrip("\n"), "", *table(), ""]), encoding="utf-8")
