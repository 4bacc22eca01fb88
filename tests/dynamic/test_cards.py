"""The cards' promises about dynamic mode, kept by the real workers: what is bad is confirmed, what is good never is.

Each example is a project of its own.  Its check runs under the recorder, which is how somebody's tests are recorded,
and what is planned for the example's findings then runs in the workers with that recording.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from jaxlint.api import Settings
from jaxlint.checks.run import analyse
from jaxlint.dynamic.broker import Options, jax_versions, run_jobs
from jaxlint.dynamic.names import CODES
from jaxlint.dynamic.observations import Result
from jaxlint.dynamic.plan import ABOUT_SLOPES, Plan, plan
from jaxlint.dynamic.prove import CLAIMED_BY, only_traced
from jaxlint.dynamic.verdicts import EXPECTED, Judge
from jaxlint.project.program import Program, load_program
from jaxlint.vocabulary.findings import Certainty, Finding, Proof, Verdict
from tests.cards_support import Block, Card, cards

ROOT = Path(__file__).parents[2]
CARDS = cards()
BLOCKS = [
    (card, block)
    for card in CARDS
    for block in card.blocks
    if card.meta["code"] in EXPECTED and not {"not run", "not traced"} & block.excuses.keys()
]
_RECORDERS = 2


@dataclass
class Tried:
    """One example after its run."""

    program: Program
    findings: list[Finding]
    plan: Plan
    judge: Judge

    def verdicts(self) -> list[tuple[Finding, Verdict]]:
        return [(finding, self.judge.verdict(finding, self.plan.targets[finding])) for finding in self.findings]


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Tried]:
    """All examples, by name."""
    folder = tmp_path_factory.mktemp("cards").resolve()
    recorded(folder)
    options = Options()
    jax = jax_versions(options)["jax"]
    examples = {str(block): planned(card, block, folder / str(block)) for card, block in BLOCKS}
    # Results are told apart by the names of modules, and every example calls its module "program".
    jobs, owner = [], {}
    for name, (_, _, ours) in examples.items():
        for job in ours.jobs:
            unique = f"{len(jobs)}:{job.module}"
            owner[unique] = name
            jobs.append(replace(job, module=unique, search=(*job.search, str(folder / name))))
    results: dict[str, list[Result]] = {name: [] for name in examples}
    for result in run_jobs(jobs, options):
        name = owner[result.module]
        results[name].append(replace(result, module=result.module.partition(":")[2]))
    return {name: Tried(*example, Judge(results[name], jax)) for name, example in examples.items()}


def recorded(folder: Path) -> None:
    """Writes the examples below ``folder`` and records what their checks do."""
    for _, block in BLOCKS:
        block.write(folder / str(block))
    names = [str(block) for _, block in BLOCKS]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, "-m", "tests.dynamic.record_examples", str(folder)]
    running = [
        subprocess.Popen([*command, *names[first::_RECORDERS]], env=environment, cwd=ROOT, stdout=subprocess.PIPE)
        for first in range(_RECORDERS)
    ]
    for process in running:
        said, _ = process.communicate(timeout=900)
        assert process.returncode == 0
        assert "Traceback" not in said.decode(), said.decode()


def planned(card: Card, block: Block, folder: Path) -> tuple[Program, list[Finding], Plan]:
    shown = Certainty.POSSIBLE if card.meta["certainty"] == "possible" else Certainty.LIKELY
    program = load_program(
        str(folder), Settings(certainty=shown, preview=True), [str(folder / path) for path in block.files], {}
    )
    traced: set[object] = set()
    found = analyse(program, program.settings, traced=traced)  # type: ignore[arg-type]
    findings = [finding for finding in found if finding.certainty >= shown]
    return program, findings, plan(program, findings, sorted(traced))  # type: ignore[type-var, arg-type]


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
