"""Fixes are proved on the rule cards: what `--fix` makes of a bad example is silent and runs as the good one does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jaxlint.api import Certainty, Finding, Settings, lint_paths
from jaxlint.command.cli import main
from tests.cards_support import Block, Card, cards, run_program

pytestmark = pytest.mark.usefixtures("compiled_once")

CARDS = cards()
BAD = [
    (card, block)
    for card in CARDS
    for block in card.blocks
    if block.kind == "bad" and "not linted" not in block.excuses
]
FIXED = [(card, block) for card, block in BAD if card.meta["fix"] != "none" and "not fixed" not in block.excuses]


@pytest.mark.parametrize(("card", "block"), FIXED, ids=[str(block) for _, block in FIXED])
def test_what_is_fixed_is_right(card: Card, block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    program = block.write(tmp_path)
    code = card.meta["code"]
    arguments = [
        "--isolated",
        "--preview",
        "--fix",
        "--unsafe-fixes",
        "--certainty",
        _shown(card).label,
        "--fixable",
        code,
        "-q",
    ]
    assert main([*arguments, "--exit-zero", "."]) == 0
    left = {(os.path.relpath(f.path, tmp_path), _line(f)) for f in _findings(card, tmp_path) if f.code == code}
    assert left == {(path, line) for path, line in block.unfixed if code in line}
    check, line = _check(card, block)
    run_program(block, program, tmp_path, check, line)


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_card_says_what_can_be_fixed(card: Card, tmp_path: Path) -> None:
    safe: set[bool] = set()
    for index, (_, block) in enumerate(entry for entry in BAD if entry[0] is card):
        folder = tmp_path / str(index)
        folder.mkdir()
        block.write(folder)
        found = [finding for finding in _findings(card, folder) if finding.code == card.meta["code"]]
        safe |= {finding.fix.applicability.is_safe for finding in found if finding.fix is not None}
    assert card.meta["fix"] == ("none" if not safe else "safe" if True in safe else "unsafe")


def _check(card: Card, block: Block) -> tuple[str, int]:
    """What the fixed program must pass: a check of its own, or that of the good example that follows the bad one."""
    if block.fixed:
        return block.fixed, block.fixed_line
    following = card.blocks[card.blocks.index(block) + 1]
    assert following.kind == "good", f"{block} needs a block `python fixed`: no good example follows it"
    return following.check, following.check_line


def _findings(card: Card, folder: Path) -> list[Finding]:
    return lint_paths([folder], settings=Settings(certainty=_shown(card), preview=True))


def _shown(card: Card) -> Certainty:
    return Certainty.POSSIBLE if card.meta["certainty"] == "possible" else Certainty.LIKELY


def _line(finding: Finding) -> str:
    return Path(finding.path).read_text(encoding="utf-8").splitlines()[finding.location.line - 1].strip()
