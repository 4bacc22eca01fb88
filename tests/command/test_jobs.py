"""`-j`: units of work in several processes find what one process finds, and leave nothing behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.processes import jaxlint

NOISE = """\
import jax

def drawn(key, shape):
    return jax.random.normal(key, shape)

def scaled(x, by):
    if by > 0:
        return x * by
    return x
"""

SCRIPT = """\
import jax
import noise

@jax.jit
def step(x):
    return noise.scaled(x, x.sum())

def main(key):
    first = noise.drawn(key, (2,))
    return first + noise.drawn(key, (2,))

if __name__ == "__main__":
    main(jax.random.key({number}))
"""

LONG = '"""' + "A long docstring that costs nothing to analyse. " * 1000 + '"""\n'
"""Ten of them are more text than one process is left alone with."""

needs_forks = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")


def project(folder: Path) -> Path:
    (folder / "noise.py").write_text(NOISE)
    for number in range(10):
        (folder / f"script_{number}.py").write_text(LONG + SCRIPT.format(number=number))
    return folder


def found(folder: Path, *arguments: str) -> list[dict[str, object]]:
    run = jaxlint(folder, "check", "--no-cache", "--output-format", "json", *arguments, ".")
    assert run.stderr == ""
    return json.loads(run.stdout)


def test_any_number_of_jobs_finds_the_same(tmp_path: Path) -> None:
    project(tmp_path)
    alone = found(tmp_path, "-j", "1")
    assert found(tmp_path, "-j", "3") == alone
    assert sorted({str(row["code"]) for row in alone}) == ["JAX201", "JAX401"]
    # What ten scripts lead to is told once, with the other ways.
    assert sum(row["code"] == "JAX201" for row in alone) == 1


@pytest.mark.parametrize("number", ["0", "-1", "two", "1.5"])
def test_a_number_of_jobs_is_a_number_from_1_up(tmp_path: Path, number: str) -> None:
    run = jaxlint(tmp_path, "check", f"--jobs={number}", ".")
    assert run.returncode == 2
    assert run.stderr.strip() == f"jaxlint: argument -j/--jobs: a number from 1 up, not '{number}'"


RUNS_ELSEWHERE = """\
import os, signal, sys, time
from jaxlint.checks.processes import forked
from jaxlint.checks.spread import run_units
from jaxlint.checks.units import Found
from jaxlint.project.documents import Document
from jaxlint.project.program import Program
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary.findings import Location
from jaxlint.vocabulary.work import SILENT

first = os.getpid()

class Runner:
    names = ["a", "b", "c"]
    is_noting = False
    program = Program("/x", Settings(), [Document(f"/x/{{name}}.py", "pass\\n") for name in names], {{}})

    def run(self, names):
        if os.getpid() != first:
            {in_a_process}
        return Found(traced=[Location(f"{{name}}.py", 1) for name in names])

runner, found = Runner(), []
run_units(runner, forked(runner, 2), SILENT, lambda one: found.extend(one.traced))
print(sorted(place.path for place in found), flush=True)
"""


@needs_forks
def test_what_a_killed_process_leaves_is_run_by_the_first(tmp_path: Path) -> None:
    dies = "'b' in names and os.kill(os.getpid(), signal.SIGKILL)"
    script = RUNS_ELSEWHERE.format(in_a_process=dies)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert (run.stdout.strip(), run.stderr) == ("['a.py', 'b.py', 'c.py']", "")


@needs_forks
def test_without_a_process_to_be_had_the_first_runs_all(tmp_path: Path) -> None:
    # Limits do not bind root, which tests may be run as: so the call itself fails as it does at a limit.
    refused = (
        "def fork():\n    raise BlockingIOError(11, 'Resource temporarily unavailable')\n\nimport os\nos.fork = fork\n"
    )
    script = refused + RUNS_ELSEWHERE.format(in_a_process="pass")
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert (run.stdout.strip(), run.stderr) == ("['a.py', 'b.py', 'c.py']", "")


COUNTED = """\
import sys
from jaxlint.checks import processes
from jaxlint.checks.run import UnitRunner
from jaxlint.running.once import Run
from jaxlint.settings.configuration import Configuration

sys.platform = {platform!r}
(program,) = Run.over(["."], Configuration(".")).programs()
runner = UnitRunner(program)
for runner.names in list(program.modules), ["noise"]:
    begun = processes.processes(runner, 3)
    print(begun and begun.func.__name__)
"""


@pytest.mark.parametrize(("platform", "begun"), [("linux", "forked"), ("darwin", "None"), ("win32", "None")])
def test_a_large_program_is_worth_processes(tmp_path: Path, platform: str, begun: str) -> None:
    # Ten scripts are too little for processes that have to read them once more.
    run = subprocess.run(
        [sys.executable, "-c", COUNTED.format(platform=platform)],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=project(tmp_path),
    )
    assert (run.stdout.split(), run.stderr) == ([begun, "None"], "")


SPAWNED = """\
import sys
from jaxlint.checks import processes
from jaxlint.command.cli import main

processes.forked = processes.spawned

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
"""


def test_where_nothing_is_forked_processes_are_given_the_program(tmp_path: Path) -> None:
    (folder := tmp_path / "project").mkdir()
    project(folder)
    (tmp_path / "start.py").write_text(SPAWNED)
    arguments = ["check", "--no-cache", "--output-format", "json", "-j", "2", "."]
    run = subprocess.run(
        [sys.executable, tmp_path / "start.py", *arguments], capture_output=True, text=True, timeout=60, cwd=folder
    )
    assert run.stderr == ""
    assert json.loads(run.stdout) == found(folder, "-j", "1")


@needs_forks
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_processes_end_with_the_first_one(tmp_path: Path, how: signal.Signals) -> None:
    # One write for each process: without a buffer, print() writes the end of the line by itself.
    script = RUNS_ELSEWHERE.format(in_a_process='os.write(1, b"begun\\n"); time.sleep(120)')
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=tmp_path) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "begun\n"
        run.send_signal(how)
        # Whoever is left holds the pipe open for two minutes.
        out, _ = run.communicate(timeout=60)
        assert set(out.split()) <= {"begun"}


@needs_forks
def test_ctrl_c_ends_all_of_them(tmp_path: Path) -> None:
    project(tmp_path)
    command = [sys.executable, "-m", "jaxlint", "check", "--no-cache", "-j", "2", "."]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as run:
        time.sleep(0.5)
        os.killpg(run.pid, signal.SIGINT)
        out, err = run.communicate(timeout=60)
    assert "Traceback" not in out + err
    assert run.returncode in (1, 130)
