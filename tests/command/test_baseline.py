"""`jaxlint baseline`: only new findings are reported, and what is gone leaves the file."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.command.conftest import IMPURE, Jaxlint

Write = Callable[[dict[str, str]], None]

FILE = ".jaxlint-baseline.json"

TWO = """\
import jax


@jax.jit
def f(x):
    print(x)
    return x


@jax.jit
def g(x):
    print("g", x)
    return x
"""


@pytest.fixture(autouse=True)
def no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CI", "TF_BUILD", "JENKINS_URL"):
        monkeypatch.delenv(name, raising=False)


def entries(path: Path | str = FILE) -> list[tuple[str, str, str, str, int]]:
    rows: list[dict[str, Any]] = json.loads(Path(path).read_text())["findings"]
    return [tuple(row.values()) for row in rows]  # type: ignore[misc]


def test_a_project_adopts_jaxlint_in_two_commands(jaxlint: Jaxlint, write: Write) -> None:
    write({"src/a.py": TWO, "src/b.py": IMPURE})
    first = jaxlint("baseline")
    assert (first.code, first.out, first.err) == (0, f"{FILE}: written, 3 findings\n", "")
    assert entries() == [
        ("src/a.py", "JAX101", "f", "print(x)", 1),
        ("src/a.py", "JAX101", "g", 'print("g", x)', 1),
        ("src/b.py", "JAX101", "f", "print(x)", 1),
    ]
    after = jaxlint()
    assert (after.code, after.out) == (0, "All checks passed!\n")
    assert after.err == "3 findings in the baseline are not shown\n"
    assert jaxlint("-q").err == ""
    assert jaxlint("--no-baseline", "--output-format", "concise").found == [
        "src/a.py:6 JAX101",
        "src/a.py:12 JAX101",
        "src/b.py:6 JAX101",
    ]


SECOND = TWO.index("@jax.jit\ndef g")

MOVES = {
    "lines above": lambda text: "import os\n\n\n" + text,
    "another layout": lambda text: text.replace("print(x)", "print(\n        x,  # why\n    )"),
    "another order": lambda text: "import jax\n" + text[SECOND:] + text[:SECOND],
    "windows": lambda text: text.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
def test_moved_code_is_known(jaxlint: Jaxlint, project: Path, move: Callable[[str], str]) -> None:
    (project / "a.py").write_text(TWO)
    jaxlint("baseline")
    before = (project / FILE).read_text()
    (project / "a.py").write_bytes(move(TWO).encode())
    assert jaxlint().code == 0
    assert (project / FILE).read_text() == before


def test_cells_of_a_notebook_may_move(jaxlint: Jaxlint, project: Path) -> None:
    def write(*cells: str) -> None:
        data = [{"cell_type": "code", "source": text, "metadata": {}, "outputs": []} for text in cells]
        text = json.dumps({"cells": data, "metadata": {}, "nbformat": 4, "nbformat_minor": 4})
        (project / "n.ipynb").write_text(text)

    write(IMPURE)
    jaxlint("baseline")
    write("%time 1", "x = 1", IMPURE.replace("import jax\n", "import jax\n\n"))
    assert jaxlint().code == 0
    write(IMPURE + "\nf(1.0)\n", IMPURE)  # a function that is replaced before it is called is not judged
    assert [row["cell"] for row in jaxlint("--output-format", "json").rows] == [2]


NEW = {
    "another function": ("def g", "def h", 12),
    "another statement": ('print("g", x)', 'print("h", x)', 12),
    "one more of the same": ('    print("g", x)\n', '    print("g", x)\n    print("g", x)\n', 13),
}


@pytest.mark.parametrize(("old", "new", "line"), NEW.values(), ids=NEW)
def test_new_code_is_reported(jaxlint: Jaxlint, write: Write, old: str, new: str, line: int) -> None:
    write({"a.py": TWO})
    jaxlint("baseline")
    write({"a.py": TWO.replace(old, new)})
    outcome = jaxlint("--output-format", "concise")
    assert outcome.code == 1
    assert outcome.found == [f"a.py:{line} JAX101"]


# -- it shrinks by itself


def test_what_is_mended_leaves_the_baseline(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": TWO, "b.py": IMPURE})
    jaxlint("baseline")
    write({"a.py": TWO.replace("    print(x)\n", "")})
    outcome = jaxlint()
    assert outcome.code == 0
    assert outcome.err.splitlines() == [
        "2 findings in the baseline are not shown",
        f"1 finding in {FILE} no longer occurs: taken out, 2 left",
    ]
    assert [entry[:3] for entry in entries()] == [("a.py", "JAX101", "g"), ("b.py", "JAX101", "f")]
    write({"a.py": TWO})
    assert jaxlint("--output-format", "concise").found == ["a.py:6 JAX101"]


def test_a_file_that_is_gone_leaves_the_baseline(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": TWO, "sub/b.py": IMPURE})
    jaxlint("baseline")
    (project / "sub/b.py").unlink()
    jaxlint("a.py")
    assert len(entries()) == 3  # nobody asked for that folder
    jaxlint(".")
    assert {entry[0] for entry in entries()} == {"a.py"}


NOT_THE_WHOLE_TRUTH: dict[str, list[str]] = {
    "another file": ["b.py"],
    "other rules": ["--select", "JAX4"],
    "fewer rules": ["--ignore", "JAX101"],
    "higher certainty": ["--certainty", "certain"],
    "no configuration": ["--isolated"],
    "standard input": ["-", "--stdin-filename", "a.py"],
    "no baseline": ["--no-baseline"],
    "a diff": ["--diff"],
    "dynamic mode": ["--dynamic"],
}


@pytest.mark.parametrize("arguments", NOT_THE_WHOLE_TRUTH.values(), ids=NOT_THE_WHOLE_TRUTH)
def test_a_run_that_cannot_know_takes_nothing_out(jaxlint: Jaxlint, write: Write, arguments: list[str]) -> None:
    write({"a.py": TWO, "b.py": ""})
    jaxlint("baseline")
    write({"a.py": "x = 1\n"})
    assert jaxlint(*arguments, stdin=b"").code == 0
    assert len(entries()) == 2


def test_a_broken_file_takes_nothing_out(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": TWO})
    jaxlint("baseline")
    write({"a.py": TWO + "x = (\n"})
    assert jaxlint("--output-format", "concise").found == ["a.py:14 JAX001"]
    assert len(entries()) == 2


@pytest.mark.parametrize("variable", ["CI", "TF_BUILD", "JENKINS_URL"])
def test_ci_changes_no_file(jaxlint: Jaxlint, write: Write, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    write({"a.py": TWO})
    jaxlint("baseline")
    write({"a.py": ""})
    monkeypatch.setenv(variable, "true")
    outcome = jaxlint()
    assert outcome.code == 0
    assert outcome.err == f"2 findings in {FILE} no longer occur: `jaxlint baseline` takes them out\n"
    assert len(entries()) == 2


def test_a_baseline_that_cannot_be_written_loses_no_report(
    jaxlint: Jaxlint, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"a.py": TWO})
    jaxlint("baseline")
    write({"a.py": IMPURE.replace("print(x)", 'print("new", x)')})

    def refuse(source: str, target: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)  # tests may run as root, who is refused nothing
    outcome = jaxlint("--output-format", "concise")
    assert (outcome.code, outcome.found) == (1, ["a.py:6 JAX101"])
    assert outcome.err == f"2 findings in {FILE} no longer occur, but it cannot be written: Permission denied\n"
    assert len(entries()) == 2


# -- it grows only when told to


def test_growing_takes_a_flag(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": IMPURE})
    jaxlint("baseline")
    write({"a.py": TWO.replace("    print(x)\n", "")})
    refused = jaxlint("baseline")
    assert refused.code == 1
    assert refused.out.splitlines()[0] == f"{FILE}: written, 0 findings; `--grow` would add 1 finding"
    assert refused.found == ["a.py:11 JAX101"]
    assert entries() == []
    grown = jaxlint("baseline", "--grow")
    assert (grown.code, grown.out) == (0, f"{FILE}: written, 1 finding\n")
    assert jaxlint().code == 0
    assert jaxlint("baseline", "--grow").out == f"{FILE}: unchanged, 1 finding\n"


def test_growing_by_one_file_keeps_the_others(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": IMPURE, "b.py": ""})
    jaxlint("baseline")
    write({"b.py": IMPURE})
    assert jaxlint("baseline", "--grow", "b.py").code == 0
    assert [entry[0] for entry in entries()] == ["a.py", "b.py"]


def test_what_was_not_analysed_is_never_known(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": "x = (\n", "b.py": IMPURE})
    outcome = jaxlint("baseline")
    assert outcome.code == 1
    told = f"{FILE}: written, 1 finding; 1 finding cannot be in a baseline: the file was not analysed"
    assert outcome.out.splitlines()[0] == told
    assert jaxlint("--output-format", "concise").found == ["a.py:1 JAX001"]
    (project / "a.py").write_bytes(b"x = '\xe9'\n")
    assert (jaxlint("baseline").code, jaxlint().code, jaxlint("-e").code) == (2, 2, 2)


def test_nothing_found_needs_no_baseline(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": "x = 1\n"})
    assert jaxlint("baseline").out == f"{FILE}: not needed, nothing is found\n"
    assert not (project / FILE).exists()


# -- which file


def test_the_setting_names_the_file(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"jaxlint.toml": 'baseline = "ci/known.json"', "src/a.py": IMPURE, "ci/x": ""})
    missing = jaxlint()
    assert (missing.code, missing.out) == (2, "")
    assert missing.err.endswith("known.json: no such baseline; `jaxlint baseline` writes one\n")
    assert jaxlint("baseline").code == 0
    assert entries("ci/known.json") == [("../src/a.py", "JAX101", "f", "print(x)", 1)]
    assert jaxlint().code == 0


def test_the_flag_names_the_file(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": IMPURE})
    assert jaxlint("baseline", "--baseline", "known.json").code == 0
    assert jaxlint().code == 1
    assert jaxlint("--baseline", "known.json").code == 0
    assert jaxlint("--baseline", "gone.json").code == 2


def test_it_is_found_from_any_folder(
    jaxlint: Jaxlint, write: Write, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"src/a.py": IMPURE})
    monkeypatch.chdir(project / "src")
    assert jaxlint("baseline").out.startswith(str(project / FILE))
    assert jaxlint("a.py").code == 0
    monkeypatch.chdir(project)
    assert jaxlint().code == 0


def test_without_a_configuration_it_lies_at_the_top_of_the_repository(
    jaxlint: Jaxlint, write: Write, project: Path
) -> None:
    (project / "jaxlint.toml").unlink()
    (project / ".git").mkdir()
    write({"one/setup.py": "", "one/a.py": IMPURE, "two/setup.py": "", "two/a.py": IMPURE})
    jaxlint("baseline")
    assert [entry[0] for entry in entries()] == ["one/a.py", "two/a.py"]
    assert jaxlint().code == 0


def test_programs_with_their_own_configuration_have_their_own_file(
    jaxlint: Jaxlint, write: Write, project: Path
) -> None:
    write({"one/jaxlint.toml": "", "one/a.py": IMPURE, "two/jaxlint.toml": "", "two/a.py": IMPURE})
    assert jaxlint("baseline").out.splitlines() == [
        f"one/{FILE}: written, 1 finding",
        f"two/{FILE}: written, 1 finding",
    ]
    assert jaxlint().code == 0
    (project / "two" / FILE).unlink()
    assert jaxlint("--output-format", "concise").found == ["two/a.py:6 JAX101"]


# -- the file itself

BROKEN = {
    "empty": b"",
    "not JSON": b"{",
    "a list": b"[]",
    "no findings": b'{"version": 1}',
    "findings of another kind": b'{"version": 1, "findings": {}}',
    "an entry of another kind": b'{"version": 1, "findings": [3]}',
    "a count of another kind": (
        b'{"version": 1, "findings": [{"path": "a", "rule": "J", "definition": "", "statement": "", "count": "1"}]}'
    ),
    "a count of nothing": (
        b'{"version": 1, "findings": [{"path": "a", "rule": "J", "definition": "", "statement": "", "count": 0}]}'
    ),
    "newer": b'{"version": 99, "findings": []}',
    "binary": b"\xff\xfe\x00",
    "deep": b"[" * 100_000,
    "conflicts": b'{"version": 1,\n<<<<<<< HEAD\n"findings": []\n=======\n"findings": []\n>>>>>>> main\n}',
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_a_broken_baseline_is_one_line(jaxlint: Jaxlint, write: Write, project: Path, data: bytes) -> None:
    write({"a.py": IMPURE})
    (project / FILE).write_bytes(data)
    for command in ([], ["baseline"], ["baseline", "--grow"]):
        outcome = jaxlint(*command)
        assert (outcome.code, outcome.out) == (2, "")
        assert outcome.err.count("\n") == 1
        assert FILE in outcome.err
        assert "internal error" not in outcome.err
    assert (project / FILE).read_bytes() == data


def test_an_entry_that_a_merge_has_doubled_counts_once(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": IMPURE})
    jaxlint("baseline")
    lines = (project / FILE).read_text().splitlines()
    (project / FILE).write_text("\n".join([*lines[:3], lines[3] + ",", *lines[3:]]))
    write({"a.py": IMPURE.replace("    print(x)\n", "    print(x)\n    print(x)\n")})
    assert jaxlint("--output-format", "concise").found == ["a.py:7 JAX101"]


def git(*arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)


def test_two_branches_merge(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({f"m{number}.py": IMPURE for number in range(9)})
    jaxlint("baseline")
    for command in (["init"], ["add", "-A"], ["commit", "-m", "all"], ["switch", "-c", "other"]):
        git(*command)
    write({"m2.py": "", "m8.py": ""})
    jaxlint()
    git("commit", "-am", "m2 and m8 mended")
    git("switch", "main")
    write({"m0.py": "", "m5.py": "", "m4a.py": TWO})
    jaxlint()
    jaxlint("baseline", "--grow")
    git("add", "-A")
    git("commit", "-m", "m0 and m5 mended, m4a begun")
    git("merge", "other")
    assert [entry[0] for entry in entries()] == ["m1.py", "m3.py", "m4.py", "m4a.py", "m4a.py", "m6.py", "m7.py"]
    assert jaxlint().code == 0


# -- together with other options


def test_fixes_leave_what_is_known_alone(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    text = "import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx[0] += 1\n"
    write({"a.py": text})
    jaxlint("baseline")
    write({"a.py": text + "x[1] += 2\n"})
    assert jaxlint("--fix", "--unsafe-fixes").code == 0
    assert (project / "a.py").read_text() == text + "x = x.at[1].add(2)\n"
    assert len(entries()) == 1


def test_other_formats_have_what_is_new_only(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": TWO})
    jaxlint("baseline")
    write({"a.py": TWO + '\n\n@jax.jit\ndef new(x):\n    print("new", x)\n'})
    assert [row["location"]["row"] for row in jaxlint("--output-format", "json").rows] == [18]
    assert jaxlint("--exit-zero").code == 0
