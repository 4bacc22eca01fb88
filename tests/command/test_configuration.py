"""Configuration files: which one holds, what the keys mean, and the line for each mistake."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command.conftest import IMPURE, Jaxlint

Write = Callable[[dict[str, str]], None]

SETTINGS = {
    "ignore by code": ('ignore = ["JAX101"]', 0),
    "ignore by prefix": ('ignore = ["JAX1"]', 0),
    "ignore by name": ('ignore = ["print-in-traced-function"]', 0),
    "the closer selector wins": ('ignore = ["JAX1"]\nextend-select = ["JAX101"]', 1),
    "ignore wins a tie": ('select = ["JAX101"]\nignore = ["JAX101"]', 0),
    "select something else": ('select = ["JAX4"]', 0),
    "per file": ('[per-file-ignores]\n"src/*" = ["JAX101"]', 0),
    "per file, by name": ('[per-file-ignores]\n"a.py" = ["JAX1"]', 0),
    "per file, elsewhere": ('[per-file-ignores]\n"lib/*" = ["JAX101"]', 1),
    "exclude a folder": ('exclude = ["src"]', 0),
    "extend-exclude a path": ('extend-exclude = ["src/a.py"]', 0),
    "only what is possible": ('certainty = "possible"', 1),
    "respect-gitignore": ("respect-gitignore = false", 1),
    "every other key": ('src = ["."]\njax-version = "0.4.30"\n[transforms]\n"lib.my_jit" = "jax.jit"', 1),
}


@pytest.mark.parametrize(("text", "code"), SETTINGS.values(), ids=SETTINGS)
def test_setting(jaxlint: Jaxlint, write: Write, text: str, code: int) -> None:
    write({"src/a.py": IMPURE, "jaxlint.toml": text})
    assert jaxlint().code == code


def test_pyproject_is_read_too(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    (project / "jaxlint.toml").unlink()
    write({"a.py": IMPURE, "pyproject.toml": '[tool.jaxlint]\nignore = ["JAX101"]\n'})
    assert jaxlint().code == 0


def test_the_closest_file_holds_and_nothing_is_merged(jaxlint: Jaxlint, write: Write) -> None:
    write({"jaxlint.toml": 'ignore = ["JAX101"]', "a.py": IMPURE, "sub/a.py": IMPURE, "sub/jaxlint.toml": ""})
    assert jaxlint("--output-format", "concise").found == ["sub/a.py:6 JAX101"]


def test_a_pyproject_without_our_table_is_passed_over(jaxlint: Jaxlint, write: Write) -> None:
    write({"jaxlint.toml": 'ignore = ["JAX101"]', "sub/a.py": IMPURE, "sub/pyproject.toml": "[project]\nname = 'x'\n"})
    assert jaxlint().code == 0


def test_extend_takes_over_the_other_files_settings(jaxlint: Jaxlint, write: Write) -> None:
    write({"base/strict.toml": 'ignore = ["JAX101"]', "jaxlint.toml": 'extend = "base/strict.toml"', "a.py": IMPURE})
    assert jaxlint().code == 0


def test_patterns_are_relative_to_the_file_they_stand_in(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"jaxlint.toml": 'exclude = ["sub/a.py"]', "sub/a.py": IMPURE, "sub/sub/a.py": IMPURE})
    assert jaxlint("sub", "--output-format", "concise").found == ["sub/sub/a.py:6 JAX101"]


def test_the_command_line_wins(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.py": IMPURE, "jaxlint.toml": 'ignore = ["JAX101"]', "other.toml": ""})
    assert jaxlint().code == 0
    assert jaxlint("--select", "JAX101").code == 1
    assert jaxlint("--isolated").code == 1
    assert jaxlint("--config", "other.toml").code == 1


MISTAKES = {
    'selct = ["JAX1"]': "jaxlint.toml: unknown key `selct`, did you mean `select`?",
    'select = ["JAX9X"]': "jaxlint.toml: select: unknown rule `JAX9X`",
    'select = "JAX1"': "jaxlint.toml: select: expected a list of strings, found 'JAX1'",
    "ignore = [1]": "jaxlint.toml: ignore: expected a list of strings, found [1]",
    'certainty = "possibly"': "jaxlint.toml: certainty: expected possible, likely or certain, found 'possibly', did",
    "certainty = 3": "jaxlint.toml: certainty: expected possible, likely or certain, found 3",
    'jax-version = "new"': "jaxlint.toml: jax-version: expected a version of jax",
    "respect-gitignore = 1": "jaxlint.toml: respect-gitignore: expected true or false, found 1",
    'per-file-ignores = ["a.py"]': "jaxlint.toml: per-file-ignores: expected a table",
    '[per-file-ignores]\n"a.py" = ["key-reusd"]': "jaxlint.toml: per-file-ignores: unknown rule `key-reusd`, did you",
    '[transforms]\n"my_jit" = "jax.jit"': "jaxlint.toml: transforms: expected a table such as",
    "select = [": "jaxlint.toml: not TOML: ",
    'extend = "gone.toml"': "gone.toml: cannot be read: No such file or directory",
    'extend = "jaxlint.toml"': "jaxlint.toml: extend: the file extends itself",
    "extend = 1": "jaxlint.toml: extend: expected a path, found 1",
}


@pytest.mark.parametrize(("text", "line"), MISTAKES.items(), ids=[text.replace("\n", " ") for text in MISTAKES])
def test_a_mistake_is_one_line_that_names_file_and_key(jaxlint: Jaxlint, write: Write, text: str, line: str) -> None:
    write({"a.py": "", "jaxlint.toml": text})
    outcome = jaxlint()
    assert (outcome.code, outcome.out) == (2, "")
    assert line in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_table_that_is_no_table(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    (project / "jaxlint.toml").unlink()
    write({"a.py": "", "pyproject.toml": "[tool]\njaxlint = 3\n"})
    assert "tool.jaxlint: expected a table, found 3" in jaxlint().err
