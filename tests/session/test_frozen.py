"""What the garbage collector does not look through, each time in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

FROZEN = "bool(gc.get_freeze_count())"


@pytest.mark.parametrize(
    ("before", "told"),
    [
        pytest.param("", "False True False", id="what an analysis finds is thawed when it ends"),
        pytest.param("gc.freeze()", "True True True", id="what the program around it has frozen stays so"),
        pytest.param("frozen.keep()", "True True True", id="what a session keeps stays so"),
        pytest.param("on_deep_stack(int)\nfrozen.keep()", "True True True", id="also where there was an analysis"),
    ],
)
def test_what_others_have_frozen_is_not_thawed(before: str, told: str) -> None:
    told_of = f"told.append({FROZEN})"
    program = f"""\
import gc
from jaxlint.checks import frozen
from jaxlint.checks.run import on_deep_stack
told = []
{before}
{told_of}
on_deep_stack(lambda: {told_of})
{told_of}
print(*told)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ran.stdout.strip(), ran.stderr) == (told, "")


def test_what_analyses_leave_behind_does_not_pile_up() -> None:
    program = """\
import gc
from jaxlint.checks.run import on_deep_stack
def leave():
    kept = [[] for _ in range(150_000)]
    for one in kept:
        one.append(kept)
gc.collect()
before, most = len(gc.get_objects()), 0
for _ in range(12):
    on_deep_stack(leave)
    most = max(most, len(gc.get_objects()))
print(most - before)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(ran.stdout) < 900_000
