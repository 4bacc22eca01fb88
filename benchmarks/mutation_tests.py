"""What `benchmarks/mutations.py` asks of pytest: `-p mutation_tests`, with two variables of the environment.

`MUTATION_RAN` names a file to which every test that ran is written, with its outcome and its seconds.
`MUTATION_CHOSEN` names a file with the ids of the tests to run, in the order of files to run them in.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item], config: pytest.Config) -> None:
    if chosen := os.environ.get("MUTATION_CHOSEN"):
        wanted = {test: place for place, test in enumerate(Path(chosen).read_text("utf-8").split("\n"))}
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in wanted])
        items[:] = [item for item in items if item.nodeid in wanted]
        first: dict[str, int] = {}
        for item in items:
            file = item.nodeid.split("::")[0]
            first[file] = min(first.get(file, len(wanted)), wanted[item.nodeid])
        items.sort(key=lambda item: first[item.nodeid.split("::")[0]])


_setups: dict[str, float] = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    ran = os.environ.get("MUTATION_RAN")
    if report.when == "setup" and report.passed:
        _setups[report.nodeid] = report.duration  # what the tests of a file share is made for the first of them
    elif ran and (report.when == "call" or not report.passed):
        seconds = _setups.pop(report.nodeid, 0.0) + report.duration
        with open(ran, "a", encoding="utf-8") as log:
            log.write(f"{report.outcome}\t{seconds:.3f}\t{report.nodeid}\n")
