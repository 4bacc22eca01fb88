"""`jaxlint init`: what it proposes, what it writes when it may, and what it leaves alone."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command.conftest import IMPURE, Jaxlint

Write = Callable[[dict[str, str]], None]

PATIENCE = 60
"""Seconds after which a process that does not answer is ended, so that its test fails and does not hang."""

PYPROJECT = '[project]\r\nname = "x"  # ours\r\nversion = "1"'
HOOKS = """\
# ours
repos:
- repo: local
  hooks:
  - id: other
    name: other
    entry: "true"
    language: system

# what follows
fail_fast: true
"""


@pytest.fixture
def repository(project: Path) -> Path:
    """A git repository without a configuration of jaxlint."""
    (project / "jaxlint.toml").unlink()
    subprocess.run(["git", "init", "--quiet", str(project)], check=True)
    return project


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and not {".git", ".jaxlint_cache"} & set(path.parts))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_an_empty_project_gets_files_of_its_own(jaxlint: Jaxlint, repository: Path) -> None:
    outcome = jaxlint("init", "--yes")
    assert (outcome.code, outcome.err) == (0, "")
    assert set(contents(repository)) == {"jaxlint.toml", ".pre-commit-config.yaml"}
    assert outcome.out.endswith("nothing is found: no baseline is needed\n")
    assert jaxlint("--show-settings", "-q").err == ""


def test_files_that_are_there_gain_lines(jaxlint: Jaxlint, repository: Path) -> None:
    (repository / "pyproject.toml").write_bytes(PYPROJECT.encode())
    (repository / ".pre-commit-config.yaml").write_text(HOOKS)
    (repository / "a.py").write_text(IMPURE)
    assert jaxlint("init", "-y").code == 0
    made = contents(repository)
    assert set(made) == {"pyproject.toml", ".pre-commit-config.yaml", "a.py", ".jaxlint-baseline.json"}
    table = made["pyproject.toml"].decode()
    assert table.startswith(PYPROJECT + "\r\n\r\n[tool.jaxlint]\r\n")
    assert table.count("\n") == table.count("\r\n")
    hooks = made[".pre-commit-config.yaml"].decode()
    before, _, after = HOOKS.partition("\n\n")
    assert hooks.startswith(before + "\n- repo: local\n  hooks:\n    - id: jaxlint\n")
    assert hooks.endswith("\n\n" + after)
    assert jaxlint().out == "All checks passed!\n"

    again = jaxlint("init", "-y")
    assert contents(repository) == made
    assert again.out.splitlines() == [
        "pyproject.toml: configures jaxlint already",
        ".pre-commit-config.yaml: runs jaxlint already",
        "there is a baseline already",
    ]


def test_every_setting_that_is_commented_out_is_one(jaxlint: Jaxlint, repository: Path) -> None:
    jaxlint("init", "-y")
    text = (repository / "jaxlint.toml").read_text()
    lines = [line.removeprefix("# ") for line in text.splitlines()]
    settings = "\n".join(line for line in lines if line.startswith("[") or " = " in line)
    (repository / "jaxlint.toml").write_text(settings)
    outcome = jaxlint("--show-settings")
    assert outcome.code == 0, outcome.err
    assert outcome.out.count(" jaxlint.toml\n") == settings.count(" = ")


def test_without_a_terminal_it_only_says_what_it_would_do(jaxlint: Jaxlint, repository: Path) -> None:
    (repository / "a.py").write_text(IMPURE)
    before = contents(repository)
    outcome = jaxlint("init")
    assert outcome.code == 0
    assert contents(repository) == before
    assert outcome.out.startswith("Nothing is written without a terminal to ask on, or --yes. This is what would be:\n")
    for told in (
        "jaxlint.toml: the settings of jaxlint",
        ".pre-commit-config.yaml: a hook for pre-commit",
        ".jaxlint-baseline.json: a baseline of 1 finding, so that only new ones are reported",
    ):
        assert told in outcome.out.splitlines()


LEFT_ALONE = {
    "pyproject.toml": "tool = {ruff = {}}\n",
    ".pre-commit-config.yaml": "repos: []\n",
}


def test_what_cannot_be_amended_is_left_alone(jaxlint: Jaxlint, repository: Path) -> None:
    for name, text in LEFT_ALONE.items():
        (repository / name).write_text(text)
    outcome = jaxlint("init", "-y")
    assert {name: (repository / name).read_text() for name in LEFT_ALONE} == LEFT_ALONE
    assert (repository / "jaxlint.toml").exists()
    told = ".pre-commit-config.yaml: has no list `repos:` that takes another entry, which would be:"
    assert told in outcome.out


def test_each_thing_is_asked_for_on_a_terminal(repository: Path) -> None:
    (repository / "a.py").write_text(IMPURE)
    terminal, end = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "jaxlint", "init"]
    process = subprocess.Popen(
        command, cwd=repository, env=environment, stdin=end, stdout=end, stderr=end, start_new_session=True
    )
    os.close(end)
    guard = threading.Timer(PATIENCE, process.kill)
    guard.start()
    for answer in (b"\n", b"n\n", b"y\n"):
        screen = b""
        while b"Write this? [Y/n] " not in screen:
            screen += os.read(terminal, 4096)
        os.write(terminal, answer)
    assert process.wait() == 0
    guard.cancel()
    assert set(contents(repository)) == {"jaxlint.toml", "a.py", ".jaxlint-baseline.json"}


def test_the_hook_runs(jaxlint: Jaxlint, repository: Path) -> None:
    pytest.importorskip("pre_commit")
    (repository / ".pre-commit-config.yaml").write_text(HOOKS)
    jaxlint("init", "-y")
    (repository / "a.py").write_text(IMPURE)
    subprocess.run(["git", "-C", str(repository), "add", "--all"], check=True)
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "pre_commit", "run", "jaxlint", "--color=never"]
    run = subprocess.run(command, cwd=repository, env=environment, capture_output=True, text=True)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "JAX101" in run.stdout
