"""What a run loads before it can answer: a budget of modules, which says the same on every machine.

A process is started without `site`, whose own imports are none of ours, and tells what it has loaded.
"""

from __future__ import annotations

import os
import site
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command.conftest import IMPURE

Write = Callable[[dict[str, str]], None]

REPOSITORY = str(Path(__file__).parents[2])
PROGRAM = """\
import sys
before = set(sys.modules)
from jaxlint.command.cli import main
try:
    main({arguments})
except SystemExit:
    pass
print(*sorted(set(sys.modules) - before))
"""

HEAVY = set(
    "jax numpy libcst distributed pygls markdown_it pygments watchfiles asyncio concurrent multiprocessing".split()
)
"""Libraries, ours and Python's, that no start may wait for."""

COMMAND = {"command", "command.arguments", "command.cli", "command.streams"}
WITHOUT_ANALYSIS = (
    "command",
    "files",
    "project",
    "report",
    "running",
    "semantics",
    "settings",
    "silencing",
    "vocabulary",
)

BUDGET = {
    "--version": 70,
    "--help": 75,
    "rule JAX101": 105,
    "": 175,
}
"""How many modules may be loaded, a fifth more than are under Python 3.11 when this was written."""


def loaded(folder: Path, arguments: str) -> set[str]:
    path = os.pathsep.join([REPOSITORY, *site.getsitepackages()])
    code = PROGRAM.format(arguments=arguments.split())
    command = [sys.executable, "-S", "-c", code]
    run = subprocess.run(
        command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True
    )
    return set(run.stdout.splitlines()[-1].split())


def ours(names: set[str]) -> set[str]:
    return {name.removeprefix("jaxlint.") for name in names if name.startswith("jaxlint.")}


def tops(names: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("arguments", ["--version", "--help", "rule JAX101"])
def test_what_needs_no_file_loads_no_linter(project: Path, arguments: str) -> None:
    names = loaded(project, arguments)
    assert not tops(names) & (HEAVY | {"pathspec"})
    assert tops(ours(names)) <= {"command", "vocabulary", "report"}
    assert len(names) <= BUDGET[arguments], sorted(names)


def test_the_version_loads_the_command_alone(project: Path) -> None:
    names = loaded(project, "--version")
    assert ours(names) == COMMAND
    assert not names & {"dataclasses", "inspect", "ast", "json"}


def test_a_run_that_remembers_loads_no_analysis(project: Path, write: Write) -> None:
    write({"a.py": IMPURE})
    first = loaded(project, "")
    assert "flow.engine.entries" in ours(first)
    assert not tops(first) & {"jax", "numpy", "a"}
    names = loaded(project, "")
    assert not tops(names) & HEAVY
    assert tops(ours(names)) <= set(WITHOUT_ANALYSIS)
    assert not names & {"tempfile", "configparser", "difflib", "pathlib", "pathspec"}
    assert len(names) <= BUDGET[""], sorted(names)


def test_what_has_nothing_to_fix_loads_no_libcst(project: Path, write: Write) -> None:
    write({"a.py": "import jax\n"})
    assert "libcst" not in loaded(project, "--no-cache")


INTERRUPTED = """\
import runpy, sys

class Interrupt:
    @staticmethod
    def find_spec(name, *_):
        if name == "jaxlint.command.cli":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt)
runpy.run_module("jaxlint", run_name="__main__")
"""


def test_ctrl_c_while_the_command_is_loaded_ends_it_in_silence() -> None:
    ran = subprocess.run([sys.executable, "-c", INTERRUPTED], cwd=REPOSITORY, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")
