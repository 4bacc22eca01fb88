"""A rule of the real Fixit that asks for jaxlint's metadata."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.visitors.documented import write

REPOSITORY = Path(__file__).parents[2]

HELPER = """\
def check(x, limit):
    assert x.sum() > 0
    assert limit > 0
    return x
"""

TRAIN = """\
import jax

from helper import check

step = jax.jit(check, static_argnames="limit")
"""


def test_a_fixit_rule_sees_what_the_whole_program_does(tmp_path: Path) -> None:
    write(tmp_path / "rules", "house_fixit/__init__.py")
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text(
        '[tool.fixit]\nroot = true\nenable = ["house_fixit"]\ndisable = ["fixit.rules"]\n'
    )
    (project / "helper.py").write_text(HELPER)
    (project / "train.py").write_text(TRAIN)
    path = os.pathsep.join([str(REPOSITORY), str(tmp_path / "rules")])
    command = [sys.executable, "-m", "fixit", "lint", "helper.py"]
    outcome = subprocess.run(
        command, cwd=project, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=120
    )
    told = "the assertion asks a tracer for its truth"
    assert outcome.stdout.splitlines() == [f"helper.py@2:4 NoAssertOnTracer: {told}"], outcome.stderr
    assert outcome.returncode == 1
