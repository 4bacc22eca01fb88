"""The cards' promises about dynamic mode, kept by the real workers: what is bad is confirmed, what is good never is.

Each example is a project of its own.  Its check runs under the recorder, which is how somebody's tests are recorded,
and what is planned for the example's findings then runs in the workers with that recording.
"""

from __future__ import annotations

import pytest

from jaxlint.dynamic.broker import Options
from jaxlint.dynamic.names import CODES
from jaxlint.dynamic.plan import ABOUT_SLOPES
from jaxlint.dynamic.prove import CLAIMED_BY, only_traced
from jaxlint.dynamic.verdicts import EXPECTED
from jaxlint.vocabulary.findings import Certainty, Proof, Verdict
from tests.cards_support import Block, Card
from tests.dynamic import card_runs
from tests.dynamic.card_runs import BLOCKS, CARDS, Tried


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory, compilations: dict[str, str]) -> dict[str, Tried]:
    """All examples, by name."""
    folder = tmp_path_factory.mktemp("cards").resolve()
    failed = card_runs.record(folder, variables=compilations)
    assert "Traceback" not in failed, failed
    return card_runs.tried(folder, Options())


def blocks(kind: str) -> pytest.MarkDecorator:
    chosen = [(card, block) for card, block in BLOCKS if block.kind == kind]
    return pytest.mark.parametrize(("card", "block"), chosen, ids=[str(block) for _, block in chosen])


@blocks("bad")
def test_what_is_bad_is_confirmed(card: Card, block: Block, tried: dict[str, Tried]) -> None:
    judged = [pair for pair in tried[str(block)].verdicts() if pair[0].code == card.meta["code"]]
    if card.meta["code"] in ABOUT_SLOPES:  # what is recorded of arrays are their types: the point is made up
        assert {verdict.state for _, verdict in judged} <= {Proof.CONFIRMED_IF, Proof.NO_CHECK}
        assert sum(verdict.state is Proof.CONFIRMED_IF for _, verdict in judged) > len(judged) / 2
        return
    assert any(verdict.state is Proof.CONFIRMED for _, verdict in judged)
    marked = {line for _, line, _ in block.expected}
    for finding, verdict in judged:
        assert verdict.state is Proof.CONFIRMED or _is_behind(verdict, marked), (finding.location.line, verdict)


def _is_behind(verdict: Verdict, marked: set[int]) -> bool:
    """Whether all that is assumed is that something went well on a marked line, where plain JAX stops."""
    lines = [assumed.partition(":")[0].removeprefix("line ") for assumed in verdict.assumptions]
    return verdict.state is Proof.CONFIRMED_IF and all(line.isdigit() and int(line) in marked for line in lines)


@blocks("good")
def test_what_is_good_is_never_confirmed(card: Card, block: Block, tried: dict[str, Tried]) -> None:
    example = tried[str(block)]
    confirmed = [pair for pair in example.verdicts() if pair[1].state is Proof.CONFIRMED]
    shown = [found for found in only_traced(example.judge, example.program) if found.certainty is Certainty.CERTAIN]
    assert confirmed == []
    assert shown == []


def test_each_card_that_names_a_check_has_one() -> None:
    named = {card.meta["code"] for card in CARDS if not card.meta["dynamic"].startswith("none")}
    only_seen = {code for code, _ in CLAIMED_BY.values()}  # such a rule has no finding without tracing
    assert named == EXPECTED.keys() | only_seen | CODES
