"""A rule in a package, as docs/custom-rules.md has it: packaged, installed by pip, tested and run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxlint.command.cli import main
from jaxlint.settings import own_rules
from tests.visitors.documented import blocks, write

REPOSITORY = Path(__file__).parents[2]
FILES = ("house_rules/__init__.py", "house_rules/HOUSE101.md", "pyproject.toml")

TRAIN = """\
import jax


@jax.jit
def f(x):
    return jax.pure_callback(abs, x, x)
"""


class Command:
    """`jaxlint` in a project, with the package installed beside it."""

    def __init__(self, project: Path, installed: Path) -> None:
        self.project, self.installed = project, installed

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run(*arguments)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(REPOSITORY), str(self.installed)])
        environment = {**os.environ, "PYTHONPATH": path, "XDG_CONFIG_HOME": str(self.project)}
        command = [sys.executable, "-c", "from jaxlint.command.cli import command; command()", *arguments]
        return subprocess.run(command, cwd=self.project, env=environment, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pip has put the package; it takes 3 s."""
    source, target = tmp_path_factory.mktemp("house-rules"), tmp_path_factory.mktemp("installed")
    lines = write(source, *FILES)
    assert len(lines) < 40
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", str(target), str(source)], check=True, timeout=120)
    return target


@pytest.fixture
def jaxlint(installed: Path, tmp_path: Path) -> Command:
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "jaxlint.toml").write_text("")
    return Command(tmp_path, installed)


def test_the_session_of_the_page(jaxlint: Command) -> None:
    (session,) = [text for language, text in blocks() if language == "console"]
    for command, output in re.findall(r"^\$ jaxlint (.*)\n((?:[^$].*\n)+)", session, re.MULTILINE):
        assert jaxlint(*command.split()).stdout == output


@pytest.fixture
def here(jaxlint: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Command]:
    """The same in this process."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        capsys.readouterr()
        code = main(arguments)
        output = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, output.out, output.err)

    monkeypatch.syspath_prepend(jaxlint.installed)
    monkeypatch.chdir(jaxlint.project)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(jaxlint.project))
    monkeypatch.setattr(jaxlint, "run", run)
    yield jaxlint
    monkeypatch.undo()
    own_rules.know_of()


def test_it_is_configured_and_silenced_like_the_others(here: Command) -> None:
    def codes(*arguments: str) -> list[str]:
        outcome = here(*arguments, "--output-format", "json", "train.py")
        assert outcome.stderr == ""
        return [row["code"] for row in json.loads(outcome.stdout)]

    assert codes() == ["HOUSE101"]
    assert codes("--select", "HOUSE") == codes("--select", "no-host-callback") == ["HOUSE101"]
    assert codes("--select", "JAX") == codes("--ignore", "HOUSE101") == []
    assert codes("--per-file-ignores", "train.py:HOUSE") == []
    (here.project / "train.py").write_text(TRAIN.rstrip() + "  # jaxlint: ignore[no-host-callback] once a day\n")
    assert codes() == []
    (here.project / "train.py").write_text("x = 1  # jaxlint: ignore[HOUSE101]\n")
    assert codes() == ["JAX003"]


def test_sarif_has_its_card_and_the_listing_its_line(here: Command) -> None:
    run = json.loads(here("--output-format", "sarif", "train.py").stdout)["runs"][0]
    (rule,) = run["tool"]["driver"]["rules"]
    assert (rule["id"], rule["shortDescription"]["text"][:17]) == ("HOUSE101", "A traced function")
    assert run["results"][0]["ruleId"] == "HOUSE101"
    assert re.search(r"^HOUSE101  no-host-callback +certain +warning$", here("rule").stdout, re.MULTILINE)
    assert here("rule", "house101").stdout.startswith("# HOUSE101 no-host-callback\n")


def test_a_rule_that_cannot_be_loaded_is_one_line_whatever_is_kept(jaxlint: Command) -> None:
    module = jaxlint.installed / "house_rules" / "__init__.py"
    before = module.read_text()
    assert "waits for the host" in jaxlint("train.py").stdout
    try:
        module.write_text("raise ImportError('gone')\n")
        outcome = jaxlint("train.py")
        assert (outcome.returncode, outcome.stdout) == (2, "")
        line = "jaxlint: house_rules-1.0: the rule HOUSE101 cannot be loaded: ImportError: gone\n"
        assert outcome.stderr == line
    finally:
        module.write_text(before)


def test_code_is_loaded_only_for_a_rule_that_is_on(jaxlint: Command) -> None:
    module = jaxlint.installed / "house_rules" / "__init__.py"
    before = module.read_text()
    try:
        module.write_text("raise SystemExit('loaded')\n")
        assert jaxlint("--ignore", "HOUSE", "--no-cache", "train.py").returncode == 0
        assert jaxlint("rule", "HOUSE101").returncode == 0
    finally:
        module.write_text(before)


def test_what_lies_in_the_current_folder_is_not_installed(jaxlint: Command) -> None:
    """`python -m jaxlint` looks into the current folder: a project that is linted must not be able to run code."""
    project = jaxlint.project
    (project / "evil-1.0.dist-info").mkdir()
    (project / "evil-1.0.dist-info" / "entry_points.txt").write_text("[jaxlint.rules]\nEVIL101 = evil:Evil\n")
    (project / "evil.py").write_text("open('it_ran', 'w')\n")
    (project / "EVIL101.md").write_text("---\ncode: EVIL101\nname: evil-rule\n---\n")
    (project / "house_rules").mkdir()
    (project / "house_rules" / "__init__.py").write_text("open('it_ran', 'w')\n")
    path = os.pathsep.join([str(REPOSITORY), str(jaxlint.installed)])
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-m", "jaxlint", "train.py", "--no-cache"]
    outcome = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, timeout=120)
    assert "HOUSE101" in outcome.stdout
    assert "EVIL101" not in outcome.stdout + outcome.stderr
    assert not (project / "it_ran").exists()
