"""Every rule card keeps its promises: its form is complete, JAX does what it says, jaxlint reports what it marks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jaxlint.api import Certainty, Settings, lint_paths
from tests import jax_says
from tests.cards_support import FIELDS, RULES, SECTIONS, Block, Card, cards, run_block

pytestmark = pytest.mark.usefixtures("compiled_once")

CARDS = cards()
BLOCKS = [(card, block) for card in CARDS for block in card.blocks]

FAMILIES = {
    "0": "linter",
    "1": "purity",
    "2": "tracing",
    "3": "arrays",
    "4": "random",
    "5": "compilation",
    "6": "differentiation",
    "7": "transforms",
    "8": "versions",
}
ALLOWED = {
    "certainty": {"certain", "likely", "possible"},
    "severity": {"error", "warning", "info"},
    "fix": {"none", "safe", "unsafe"},
    "stability": {"stable", "preview"},
}

each_card = pytest.mark.parametrize("card", CARDS, ids=str)


def each_block(excuse: str) -> pytest.MarkDecorator:
    chosen = [(card, block) for card, block in BLOCKS if excuse not in block.excuses]
    return pytest.mark.parametrize(("card", "block"), chosen, ids=[str(block) for _, block in chosen])


@each_card
def test_front_matter_is_valid(card: Card) -> None:
    assert tuple(card.meta) == FIELDS
    assert card.meta["code"] == card.path.stem
    assert card.meta["family"] == FAMILIES[card.meta["code"][3]]
    assert card.title == f"{card.meta['code']} {card.meta['name']}"
    for key, values in ALLOWED.items():
        assert card.meta[key] in values, key
    assert all(card.meta.values())


@each_card
def test_sections_are_complete(card: Card) -> None:
    assert tuple(card.sections) == SECTIONS
    assert all(card.sections.values())


@each_card
def test_examples_are_complete(card: Card) -> None:
    bad = [block for block in card.blocks if block.kind == "bad"]
    good = [block for block in card.blocks if block.kind == "good"]
    code = card.meta["code"]
    assert bad
    assert len(good) >= len(bad)
    for block in card.blocks:
        assert block.check or "not run" in block.excuses, f"{card.path.name}:{block.line} has no check"
    for block in bad:
        assert any(found == code for _, _, found in block.expected), f"{card.path.name}:{block.line} marks no {code}"
    for block in good:
        assert not block.expected, f"{card.path.name}:{block.line} marks lines of a good example"


def test_names_are_unique() -> None:
    names = [card.meta["name"] for card in CARDS]
    assert len(set(names)) == len(names)


@each_block("not run")
def test_jax_does_what_the_card_says(card: Card, block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = run_block(block, tmp_path)
    told = jax_says.written(card)
    if block.kind == "bad" and told is not None:
        shown = told[jax_says.bad_examples(card).index(block)]
        assert jax_says.errors(shown or ()) == jax_says.errors(jax_says.shown(said)), "run python -m tests.jax_says"


@each_block("not linted")
def test_jaxlint_reports_exactly_the_marked_lines(card: Card, block: Block, tmp_path: Path) -> None:
    assert findings_of(card, block, tmp_path) == block.expected


def findings_of(card: Card, block: Block, folder: Path) -> set[tuple[str, int, str]]:
    """(path, line, code) of all that jaxlint says about an example, at the certainty its rule is shown at."""
    block.write(folder)
    shown = Certainty.POSSIBLE if card.meta["certainty"] == "possible" else Certainty.LIKELY
    found = lint_paths([folder], settings=Settings(certainty=shown, preview=True))
    return {
        (Path(finding.path).relative_to(folder).as_posix(), finding.location.line, finding.code) for finding in found
    }


def test_each_card_has_a_check_and_each_check_a_card() -> None:
    sources = (RULES.parent / "jaxlint").rglob("*.py")
    checked = {code for path in sources for code in re.findall(r'"(JAX\d{3})"', path.read_text(encoding="utf-8"))}
    assert checked == {card.meta["code"] for card in CARDS}
