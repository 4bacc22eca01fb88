"""pre-commit runs the hooks of a clone of this repository in a scratch repository, as a user's commit does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command.conftest import IMPURE

REPOSITORY = Path(__file__).parents[2]
NO_INDEX = ("No matching distribution", "Could not find a version", "Temporary failure", "ConnectionError")

PURE = IMPURE.replace("    print(x)\n", "")
KEYS = """

def sample(key):
    import jax

    return jax.random.normal(key) + jax.random.uniform(key)
"""
HELPER = "def show(x):\n    print(x)\n    return x\n"
WRITES = "import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx[0] = 1.0\n"
CALLER = "import jax\nfrom helper import show\n\nshown = jax.jit(show)\n"


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


class Scratch:
    """A repository that has the hooks configured."""

    def __init__(self, folder: Path, hooks: Path) -> None:
        self.folder = folder
        # What the hooks find first is the environment of the tests; pre-commit keeps its own beside the clone.
        path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
        self.environment = {**os.environ, "PATH": path, "PRE_COMMIT_HOME": str(hooks.parent / "home")}
        folder.mkdir()
        git(folder, "init", "--quiet")
        revision = git(hooks, "rev-parse", "HEAD")
        self.config = folder / ".pre-commit-config.yaml"
        self.config.write_text(f"repos:\n  - repo: {hooks}\n    rev: {revision}\n    hooks:\n      - id: jaxlint\n")

    def stage(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.folder / name).write_text(text)
        git(self.folder, "add", "--all")

    def pre_commit(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pre_commit", *arguments, "--color=never"]
        return subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of this repository, and pre-commit's own folder beside it, with the hooks' environment in it."""
    pytest.importorskip("pre_commit")
    if not (REPOSITORY / ".git").exists():
        pytest.skip("not a git checkout: there is nothing to clone the hooks from")
    folder = tmp_path_factory.mktemp("hooks")
    git(folder, "clone", "--quiet", str(REPOSITORY), "jaxlint")
    made = Scratch(folder / "first", folder / "jaxlint")
    installed = made.pre_commit("install-hooks")
    output = installed.stdout + installed.stderr
    if installed.returncode and any(sign in output for sign in NO_INDEX):
        pytest.skip("pip reaches no package index: the hooks' environment cannot be made")
    assert installed.returncode == 0, output
    return folder / "jaxlint"


@pytest.fixture
def scratch(tmp_path: Path, hooks: Path) -> Scratch:
    return Scratch(tmp_path / "project", hooks)


def test_a_bad_commit_fails_and_a_good_one_passes(scratch: Scratch) -> None:
    scratch.stage({"train.py": IMPURE, "good.py": PURE})
    bad = scratch.pre_commit("run")
    assert bad.returncode == 1
    assert "JAX101" in bad.stdout
    assert "train.py:6:5" in bad.stdout

    scratch.stage({"train.py": PURE})
    good = scratch.pre_commit("run")
    assert (good.returncode, "Passed" in good.stdout) == (0, True), good.stdout


def test_only_what_is_committed_is_reported_and_the_whole_program_is_known(scratch: Scratch) -> None:
    scratch.stage({"train.py": IMPURE, "main.py": CALLER})
    git(scratch.folder, "commit", "--quiet", "--no-verify", "-m", "as it was")
    scratch.stage({"helper.py": HELPER})  # says nothing of JAX itself
    outcome = scratch.pre_commit("run")
    assert outcome.returncode == 1
    assert "helper.py:2:5" in outcome.stdout
    assert "train.py:" not in outcome.stdout


def test_excluded_files_are_passed_over_although_they_are_named(scratch: Scratch) -> None:
    scratch.stage({"jaxlint.toml": 'exclude = ["generated.py"]\n', "generated.py": IMPURE})
    assert scratch.pre_commit("run").returncode == 0


def test_the_fixing_hook_mends_and_fails_until_the_mended_file_is_added(scratch: Scratch) -> None:
    scratch.config.write_text(scratch.config.read_text() + "      - id: jaxlint-fix\n")
    scratch.stage({"train.py": WRITES})
    first = scratch.pre_commit("run", "jaxlint-fix")
    assert first.returncode == 1
    assert "files were modified by this hook" in first.stdout
    assert (scratch.folder / "train.py").read_text() == WRITES.replace("x[0] = 1.0", "x = x.at[0].set(1.0)")

    git(scratch.folder, "add", "--all")
    again = scratch.pre_commit("run")
    assert again.returncode == 0, again.stdout


def test_both_hooks_together_report_once(scratch: Scratch) -> None:
    config = scratch.config.read_text()
    scratch.config.write_text(config.replace("      - id: jaxlint\n", "      - id: jaxlint-fix\n      - id: jaxlint\n"))
    scratch.stage({"train.py": WRITES + KEYS})
    outcome = scratch.pre_commit("run")
    assert outcome.returncode == 1
    assert "files were modified by this hook" in outcome.stdout
    assert outcome.stdout.count("JAX401 [key-reused]") == 1
    assert outcome.stdout.count("JAX301") == 1  # among what was mended
    git(scratch.folder, "add", "--all")
    again = scratch.pre_commit("run")
    assert again.stdout.count("JAX") == 1, again.stdout


def test_the_dynamic_hook_waits_to_be_asked(scratch: Scratch) -> None:
    scratch.config.write_text(scratch.config.read_text() + "      - id: jaxlint-dynamic\n")
    scratch.stage({"train.py": IMPURE})
    assert "traced by JAX" not in scratch.pre_commit("run").stdout
    asked = scratch.pre_commit("run", "--hook-stage", "manual", "jaxlint-dynamic")
    assert asked.returncode == 1
    assert "traced: confirmed" in asked.stdout
