"""The cards' examples in dynamic mode: each is a project whose check is recorded and whose findings are then traced."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from jaxlint.api import Settings
from jaxlint.checks.run import analyse
from jaxlint.dynamic.broker import Options, jax_versions, run_jobs
from jaxlint.dynamic.launch import environment
from jaxlint.dynamic.observations import Result
from jaxlint.dynamic.plan import Plan, plan
from jaxlint.dynamic.verdicts import EXPECTED, Judge
from jaxlint.project.program import Program, load_program
from jaxlint.vocabulary.findings import Certainty, Finding, Verdict
from tests.cards_support import Block, Card, cards

ROOT = Path(__file__).parents[2]
CARDS = cards()
ALL = "JAXLINT_ALL_EXAMPLES" in os.environ
"""Whether all examples are tried, or of each card the first bad one, the fourth, …, and as many of the good ones."""


def _blocks() -> Iterator[tuple[Card, Block]]:
    for card in CARDS:
        for kind in ("bad", "good") if card.meta["code"] in EXPECTED else ():
            traced = [one for one in card.blocks if one.kind == kind and not _UNTRACED & one.excuses.keys()]
            yield from ((card, block) for block in (traced if ALL else traced[::3]))


_UNTRACED = {"not run", "not traced"}
BLOCKS = [*_blocks()]


@dataclass
class Tried:
    """One example after its run."""

    program: Program
    findings: list[Finding]
    plan: Plan
    judge: Judge

    def verdicts(self) -> list[tuple[Finding, Verdict]]:
        return [(finding, self.judge.verdict(finding, self.plan.targets[finding])) for finding in self.findings]


def tried(folder: Path, options: Options) -> dict[str, Tried]:
    """All recorded examples below ``folder`` by name, after they were traced on the platform of ``options``."""
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


def record(folder: Path, platform: str = "cpu", recorders: int = 2, variables: Mapping[str, str] | None = None) -> str:
    """Writes the examples below ``folder`` and records what their checks do; what the checks that failed say.

    ``variables`` are added to those that the recorders start with.
    """
    for _, block in BLOCKS:
        block.write(folder / str(block))
    names = [str(block) for _, block in BLOCKS]
    more = {"PYTHONPATH": _path(), **(variables or {})}
    started = environment(Options(platform=platform), {**os.environ, **more})
    command = [sys.executable, "-m", "tests.dynamic.record_examples", str(folder)]
    running = [
        subprocess.Popen([*command, *names[first::recorders]], env=started, cwd=ROOT, stdout=subprocess.PIPE)
        for first in range(recorders)
    ]
    said = [process.communicate(timeout=900)[0].decode() for process in running]
    ended = [process.returncode for process in running]
    if any(ended):
        raise RuntimeError(f"the recorders ended with {ended}")
    return "".join(said)


def _path() -> str:
    return os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])


def planned(card: Card, block: Block, folder: Path) -> tuple[Program, list[Finding], Plan]:
    shown = Certainty.POSSIBLE if card.meta["certainty"] == "possible" else Certainty.LIKELY
    program = load_program(
        str(folder), Settings(certainty=shown, preview=True), [str(folder / path) for path in block.files], {}
    )
    traced: set[object] = set()
    found = analyse(program, program.settings, traced=traced)  # type: ignore[arg-type]
    findings = [finding for finding in found if finding.certainty >= shown]
    return program, findings, plan(program, findings, sorted(traced))  # type: ignore[type-var, arg-type]
