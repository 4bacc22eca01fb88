"""The action for GitHub and the examples in docs/ci.md: of the right form, and their commands run."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from ruamel.yaml import YAML

from tests.command.conftest import IMPURE, Jaxlint

Write = Callable[[dict[str, str]], None]

TOP = Path(__file__).parents[2]
GUIDE = (TOP / "docs/ci.md").read_text(encoding="utf-8")


def schema(name: str) -> Any:
    return json.loads((files("check_jsonschema") / f"builtin_schemas/vendor/{name}.json").read_text(encoding="utf-8"))


def valid(data: Any, name: str) -> Any:
    """The data, which obeys a schema of the SchemaStore."""
    known = schema(name)
    jsonschema.validators.validator_for(known)(known).validate(data)
    return data


@pytest.fixture
def action() -> dict[str, Any]:
    data: dict[str, Any] = valid(YAML(typ="safe").load(TOP / "action.yml"), "github-actions")
    return data


class Runner:
    """What GitHub's runner does for a step with a script."""

    def __init__(self, action: dict[str, Any], temp: Path) -> None:
        self.action = action
        self.temp = temp
        self.outputs = temp / "outputs"
        self.outputs.touch()

    def run(self, name: str, path: str = "", **inputs: str) -> subprocess.CompletedProcess[str]:
        (step,) = (step for step in self.action["runs"]["steps"] if step["name"] == name)
        assert step["shell"] == "bash"
        values = {name: default["default"] for name, default in self.action["inputs"].items()}
        values |= {name.replace("_", "-"): value for name, value in inputs.items()}

        def value(match: re.Match[str]) -> str:
            return "/action" if match[1] == "github.action_path" else values[match[1].removeprefix("inputs.")]

        set_here = {key: re.sub(r"\$\{\{ (\S+) \}\}", value, text) for key, text in step["env"].items()}
        given = {"RUNNER_TEMP": str(self.temp), "GITHUB_OUTPUT": str(self.outputs), "CI": "true"}
        environment = os.environ | given | set_here | {"PATH": path + os.environ["PATH"]}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.fixture
def runner(action: dict[str, Any], tmp_path_factory: pytest.TempPathFactory, project: Path) -> Runner:
    """A runner on which jaxlint has been installed; it is this one."""
    temp = tmp_path_factory.mktemp("runner")
    program = temp / "jaxlint/bin/jaxlint"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m jaxlint "$@"\n')
    program.chmod(0o755)
    return Runner(action, temp)


def test_no_input_becomes_code(action: dict[str, Any]) -> None:
    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_annotations(runner: Runner, write: Write) -> None:
    write({"a.py": IMPURE, "with space/b.py": IMPURE, "clean.py": ""})
    found = runner.run("Run jaxlint")
    assert (found.returncode, found.stderr) == (1, "")
    assert [line.split(" ")[0] for line in found.stdout.splitlines()] == ["::warning", "::warning"]
    assert runner.run("Run jaxlint", paths="clean.py").returncode == 0
    spaced = runner.run("Run jaxlint", paths="'with space/' clean.py", format="concise", args="--quiet\n--select JAX1")
    assert spaced.stdout.startswith("with space/b.py:6:5: JAX101 ")
    assert spaced.stdout.count("\n") == 1
    assert runner.outputs.read_text() == ""


def test_inputs_are_words_only(runner: Runner, write: Write, project: Path) -> None:
    write({"a.py": IMPURE, "$(touch hacked)/b.py": IMPURE})
    for paths in ("$(touch hacked) ; touch hacked", "`touch hacked` '$(touch hacked)/b.py'"):
        runner.run("Run jaxlint", paths=paths)
        assert not (project / "hacked").exists()
    broken = runner.run("Run jaxlint", paths="'a.py")
    assert (broken.returncode, broken.stdout) == (2, "::error::jaxlint: a quote in the inputs has no end\n")


def test_sarif_is_written_beside_the_annotations(runner: Runner, write: Write, project: Path) -> None:
    write({"a.py": IMPURE})
    done = runner.run("Run jaxlint", sarif_file="out.sarif")
    assert done.returncode == 1
    assert done.stdout.startswith("::warning ")
    assert len(json.loads((project / "out.sarif").read_text())["runs"][0]["results"]) == 1
    assert runner.outputs.read_text() == "sarif-file=out.sarif\n"


def test_sarif_is_there_to_be_uploaded(runner: Runner, write: Write) -> None:
    write({"a.py": IMPURE})
    assert runner.run("Run jaxlint", upload_sarif="true").returncode == 1
    _, path = runner.outputs.read_text().strip().split("=")
    assert json.loads(Path(path).read_text())["version"] == "2.1.0"


def test_a_run_that_fails_fails_the_step(runner: Runner, write: Write) -> None:
    write({"jaxlint.toml": "selct = []", "a.py": IMPURE})
    done = runner.run("Run jaxlint", upload_sarif="true")
    assert done.returncode == 2
    assert "did you mean `select`" in done.stderr
    assert runner.outputs.read_text() == ""


@pytest.mark.parametrize(("version", "requirement"), [("", "/action"), ("0.1.0", "jaxlint-sharp-bits==0.1.0")])
def test_what_is_installed(action: dict[str, Any], tmp_path: Path, version: str, requirement: str) -> None:
    # Installing takes the network and a minute: this Python makes an environment whose pip only notes its arguments.
    tools = tmp_path / "tools"
    tools.mkdir()
    programs = {
        "python3": f'mkdir -p "$3/bin" && cp {tools}/pip "$3/bin/pip"',
        "pip": f'for word; do :; done; echo "$word" > {tmp_path}/noted',
    }
    for name, text in programs.items():
        (tools / name).write_text(f"#!/bin/sh\n{text}\n")
        (tools / name).chmod(0o755)
    done = Runner(action, tmp_path).run("Install jaxlint", path=f"{tools}:", version=version)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "noted").read_text() == f"{requirement}\n"


# -- docs/ci.md

SCHEMAS = {
    ".github/workflows/": "github-workflows",
    ".gitlab-ci.yml": "gitlab-ci",
    "azure-pipelines.yml": "azure-pipelines",
}
BLOCKS = re.findall(r"```yaml\n# (\S+)\n(.*?)```", GUIDE, re.DOTALL)


@pytest.mark.parametrize(("path", "text"), BLOCKS, ids=[path for path, _ in BLOCKS])
def test_examples_have_their_form(path: str, text: str, action: dict[str, Any]) -> None:
    (name,) = (name for start, name in SCHEMAS.items() if path.startswith(start))
    data = valid(YAML(typ="safe").load(text), name)
    for job in data.get("jobs", {}).values():
        for step in job["steps"]:
            if step.get("uses", "").startswith("OWNER/jaxlint@"):
                assert set(step["with"]) <= set(action["inputs"])


def test_every_kind_has_an_example() -> None:
    assert {next(start for start in SCHEMAS if path.startswith(start)) for path, _ in BLOCKS} == set(SCHEMAS)


def commands() -> Iterator[list[str]]:
    """Every call of jaxlint in the guide's blocks, up to a pipe."""
    for block in re.findall(r"```\w+\n(.*?)```", GUIDE, re.DOTALL):
        for call in re.findall(r"(?:^|[-$] |run: |script: |sh ')(jaxlint(?: [^|'\n]*)?)", block, re.MULTILINE):
            yield shlex.split(call)[1:]


COMMANDS = [words for words in commands() if "--dynamic" not in words]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_commands_of_the_guide_run(jaxlint: Jaxlint, write: Write, words: list[str]) -> None:
    write({"src/a.py": IMPURE})
    outcome = jaxlint(*words)
    assert (outcome.code, outcome.err) in ((0, ""), (1, ""))


def test_the_guide_has_commands() -> None:
    assert {"gitlab", "azure", "junit", "rdjson"} <= {word for words in COMMANDS for word in words}


def test_the_guide_names_every_format() -> None:
    from jaxlint.command.arguments import FORMATS

    assert all(f"`{name}`" in GUIDE for name in FORMATS)
