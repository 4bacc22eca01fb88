"""The cards' promises about dynamic mode, kept by the real workers: what is bad is confirmed, what is good never is.

Each example is a project of its own.  Its check, which calls it with real values, stands at the end of its last file,
so that importing that file is how these calls are observed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from jaxlint.api import Settings, lint_paths
from jaxlint.dynamic.broker import Options, jax_versions, run_jobs
from jaxlint.dynamic.observations import Job
from jaxlint.dynamic.plan import span_of
from jaxlint.dynamic.verdicts import EXPECTED, Judge
from jaxlint.findings import Certainty, Finding, Proof
from tests.cards_support import Block, Card, cards

ROOT = Path(__file__).parents[2]
BLOCKS = [
    (card, block) for card in cards() for block in card.blocks if card.meta["code"] in EXPECTED and not block.excuses
]


@dataclass
class Tried:
    """All examples after their run: the findings in each, by its name, and what can be said of them."""

    findings: dict[str, list[Finding]]
    judge: Judge


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Tried:
    findings: dict[str, list[Finding]] = {}
    jobs: list[Job] = []
    for card, block in BLOCKS:
        folder = tmp_path_factory.mktemp(str(block))
        main = block.write(folder)
        shown = Certainty.POSSIBLE if card.meta["certainty"] == "possible" else Certainty.LIKELY
        findings[str(block)] = lint_paths([folder], Settings(certainty=shown))
        jobs.append(with_check(block, folder, main, findings[str(block)]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        results = list(run_jobs(jobs, Options()))
        return Tried(findings, Judge(results, jax_versions(Options())["jax"]))


def with_check(block: Block, folder: Path, main: Path, findings: list[Finding]) -> Job:
    """The import of an example's last file, which makes its check."""
    marked = {(str(folder / path), line) for path, line, _ in block.expected}
    with main.open("a", encoding="utf-8") as file:
        file.write(f"\nfrom tests.cards_support import helpers\nglobals().update(helpers({marked}, {str(folder)!r}))\n")
        file.write(block.check)
    return Job(
        module=".".join(main.relative_to(folder).with_suffix("").parts),
        path=str(main),
        search=(str(folder),),
        targets=(),
        probes=tuple(span_of(finding.location) for finding in findings),
        sources=tuple(str(folder / path) for path in block.files),
    )


def blocks(kind: str) -> pytest.MarkDecorator:
    chosen = [(card, block) for card, block in BLOCKS if block.kind == kind]
    return pytest.mark.parametrize(("card", "block"), chosen, ids=[str(block) for _, block in chosen])


@blocks("bad")
def test_what_is_bad_is_confirmed(card: Card, block: Block, tried: Tried) -> None:
    code = card.meta["code"]
    proofs = {
        finding.location.line: tried.judge.verdict(finding, [])
        for finding in tried.findings[str(block)]
        if finding.code == code
    }
    assert {line: verdict.state for line, verdict in proofs.items()} == dict.fromkeys(proofs, Proof.CONFIRMED), proofs


@blocks("good")
def test_what_is_good_is_never_confirmed(card: Card, block: Block, tried: Tried) -> None:
    folders = {f"/{block}0/"}
    seen = [
        (traced.inputs, observation)
        for traced, observation in tried.judge.unclaimed()
        if any(folder in observation.at.path for folder in folders)
    ]
    assert seen == []
