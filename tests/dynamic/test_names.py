"""Names of JAX are looked up in the installed one, and the verdict says for which version and project it holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jax
import pytest

from jaxlint.api import Settings
from jaxlint.checks.run import analyse
from jaxlint.dynamic import names
from jaxlint.dynamic.broker import Options, look_up
from jaxlint.dynamic.names import Answer, Question
from jaxlint.project.program import load_program
from jaxlint.vocabulary.findings import Certainty, Finding, Proof, Verdict

TEXT = """\
import jax
import jax.numpy as jnp
from jax.config import config
from jax.experimental import host_callback


def f(params):
    return jax.tree_map(lambda p: p * 2, params), jnp.clip(params, a_min=0)


def g():
    y = jnp.ones(3)
    return y.device_buffer, y.device(), jax.core.pytype_aval_mappings


mapped = jax.shard_map
"""

PASSED = """\
import jax


def compiled(f, chosen):
    return jax.jit(f, backend="cpu"), jax.jit(f, device=jax.devices()[chosen]), jax.jit(f, device=None)
"""


TAKEN_BACK = """\
import jax
from jax.interpreters import ad


def f(g):
    return jax.checkpoint(g, concrete=True), ad.backward_pass
"""


def judged(folder: Path, project: str | None, jax: str, answer: str = "", text: str = TEXT) -> dict[str, Verdict]:
    """The verdicts by what the message is about, under a version of JAX, which is asked where no answer is given."""
    folder.joinpath("program.py").write_text(text)
    settings = Settings(preview=True, certainty=Certainty.POSSIBLE, jax_version=project)
    program = load_program(str(folder), settings, [str(folder / "program.py")], {})
    found = analyse(program, program.settings)

    def ask(questions: list[Question]) -> list[Answer]:
        return look_up(questions, Options())

    # No other JAX can be installed beside this one: what it would answer is given.
    verdicts = names.verdicts(program, found, jax, (lambda asked: [(answer, "")] * len(asked)) if answer else ask)
    return {subject(finding): verdict for finding, verdict in verdicts.items()}


def subject(finding: Finding) -> str:
    return finding.message.split("`")[1]


def test_the_installed_jax_is_asked(tmp_path: Path) -> None:
    found = judged(tmp_path, None, jax.__version__)
    assert {name: verdict.state for name, verdict in found.items()} == {
        "jax.config": Proof.CONFIRMED,
        "jax.experimental.host_callback": Proof.CONFIRMED,
        "jax.tree_map": Proof.CONFIRMED,
        "a_min": Proof.CONFIRMED,
        "device_buffer": Proof.CONFIRMED_IF,
        "device()": Proof.CONFIRMED_IF,
        "jax.core.pytype_aval_mappings": Proof.CONFIRMED,
    }
    assert found["jax.config"].evidence[1] == "ModuleNotFoundError: No module named 'jax.config'"
    assert "AttributeError" in found["jax.tree_map"].evidence[1]
    assert "DeprecationWarning" in found["jax.core.pytype_aval_mappings"].evidence[1]
    assert found["device()"].assumptions == ("it is a JAX array that is asked",)
    assert [name for name, verdict in found.items() if not names.is_final(verdict)] == ["device_buffer", "device()"]


def test_an_argument_that_jax_warns_of_is_passed_once(tmp_path: Path) -> None:
    found = judged(tmp_path, None, jax.__version__, text=PASSED)
    assert {name: (verdict.state, verdict.assumptions) for name, verdict in found.items()} == {
        "backend": (Proof.CONFIRMED, ()),
        "device": (Proof.CONFIRMED_IF, ("what is passed is not None",)),
    }
    assert all("DeprecationWarning" in verdict.evidence[1] for verdict in found.values())


def test_another_version_than_the_projects_is_an_assumption(tmp_path: Path) -> None:
    found = judged(tmp_path, ">=0.4.20,<0.6.2", "0.10.2", "absent")
    assert {found[name].state for name in ("jax.config", "jax.tree_map", "a_min")} == {Proof.CONFIRMED_IF}
    assert found["jax.tree_map"].assumptions == ("it runs with jax 0.10.2; the project asks for jax 0.4.20 to 0.6.2",)
    pinned = judged(tmp_path, "0.4.28", "0.10.2", "absent")["jax.tree_map"]
    assert pinned.assumptions[0].endswith("asks for jax 0.4.28")


@pytest.mark.parametrize(
    ("project", "installed", "name", "answer", "state"),
    [
        ("0.6.1", "0.6.1", "jax.tree_map", "there", Proof.REFUTED_FOR),
        ("0.6.1", "0.6.1", "jax.tree_map", "absent", Proof.CONFIRMED),
        ("0.4.30", "0.4.30", "jax.tree_map", "warns", Proof.CONFIRMED),
        ("0.4.30", "0.4.30", "jax.tree_map", "there", None),  # whether using it warns
        ("0.6.1", "0.6.1", "jax.tree_map", "unknown", None),
        (">=0.4.20", "0.4.30", "jax.tree_map", "warns", Proof.NO_CHECK),  # it is gone in later ones
        ("0.4.30", "0.4.30", "jax.shard_map", "absent", Proof.CONFIRMED),
        ("0.4.30", "0.4.30", "jax.shard_map", "there", Proof.REFUTED_FOR),
        (">=0.4.20", "0.10.2", "jax.shard_map", "there", Proof.NO_CHECK),
    ],
)
def test_what_an_answer_means(
    tmp_path: Path, project: str, installed: str, name: str, answer: str, state: Proof | None
) -> None:
    verdict = judged(tmp_path, project, installed, answer).get(name)
    assert (verdict and verdict.state) == state


@pytest.mark.parametrize(
    ("project", "installed", "name", "answer", "state"),
    [
        ("0.9.0", "0.9.0", "jax.interpreters.ad.backward_pass", "absent", Proof.CONFIRMED),
        ("0.9.0", "0.9.0", "jax.interpreters.ad.backward_pass", "there", Proof.REFUTED_FOR),
        ("0.9.0", "0.12.0", "jax.interpreters.ad.backward_pass", "there", Proof.NO_CHECK),
        ("0.12.0", "0.12.0", "concrete", "absent", Proof.CONFIRMED),
        ("0.10.2", "0.10.2", "concrete", "there", None),  # the signature has it, to refuse it
    ],
)
def test_what_jax_took_back_and_what_its_signature_hides(
    tmp_path: Path, project: str, installed: str, name: str, answer: str, state: Proof | None
) -> None:
    verdict = judged(tmp_path, project, installed, answer, TAKEN_BACK).get(name)
    assert (verdict and verdict.state) == state


def test_the_command_looks_names_up_and_runs_nothing_for_them(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import jax\nopen('ran', 'w')\njax.core.pytype_aval_mappings, jax.tree_map\n")
    command = [sys.executable, "-m", "jaxlint", "--isolated", "--dynamic", "--output-format", "json", "."]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    found = {each["code"]: each for each in json.loads(done.stdout)}
    assert {code: each["verdict"]["state"] for code, each in found.items()} == dict.fromkeys(
        ("JAX801", "JAX802"), "confirmed"
    )
    assert found["JAX802"]["severity"] == "warning"
    assert found["JAX801"]["severity"] == "error"
    assert not (tmp_path / "ran").exists()
    (kept,) = (tmp_path / ".jaxlint_cache" / "dynamic").glob("*")
    assert kept.name.startswith("names-")
