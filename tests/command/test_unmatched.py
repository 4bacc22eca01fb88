"""A path or a pattern that matches nothing is told: misspelt, it would do nothing in silence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.command.conftest import Jaxlint

Write = Callable[[dict[str, str]], None]

FILES = {"a.py": "x = 1\n", "tests/test_a.py": "x = 1\n", "docs/conf.txt": ""}

TOLD = {
    "--exclude nix": "--exclude: `nix` leaves nothing out",
    "--exclude tests,tset": "--exclude: `tset` leaves nothing out",
    "--extend-exclude docs/*.py": "--extend-exclude: `docs/*.py` leaves nothing out",
    "--per-file-ignores test/*:JAX1": "--per-file-ignores: `test/*` matches none of the files",
    "a.py docs": "docs: no Python files",
    "docs tests": "docs: no Python files",
    "docs": "no Python files found under the given paths",
}


@pytest.mark.parametrize(("arguments", "line"), TOLD.items(), ids=TOLD)
def test_what_matches_nothing_is_one_line(jaxlint: Jaxlint, write: Write, arguments: str, line: str) -> None:
    write(FILES)
    outcome = jaxlint(*arguments.split(), "-q")
    assert (outcome.code, outcome.err.splitlines()) == (0, [f"warning: {line}"])


MATCHING = (
    "--exclude tests",
    "--exclude tests,tests/test_a.py",
    "--extend-exclude ./tests/",
    "--per-file-ignores tests/*:JAX1",
    "--per-file-ignores test_*.py:JAX1",
    "tests a.py",
    "a.py --exclude tests",
)


@pytest.mark.parametrize("arguments", MATCHING)
def test_nothing_is_said_of_what_matches(jaxlint: Jaxlint, write: Write, arguments: str) -> None:
    write(FILES)
    assert jaxlint(*arguments.split(), "-q").err == ""


def test_patterns_of_the_configuration_are_about_the_whole_project(jaxlint: Jaxlint, write: Write) -> None:
    table = 'extend-include = ["guide/*.md"]\nextend-exclude = ["build/gen"]\n[per-file-ignores]\n"test/*" = ["JAX1"]\n'
    write({**FILES, "jaxlint.toml": table})
    assert jaxlint("-q").err.splitlines() == [
        "warning: jaxlint.toml: per-file-ignores: `test/*` matches none of the files",
        "warning: jaxlint.toml: extend-include: `guide/*.md` matches none of the files",
    ]
    assert jaxlint("-q", "a.py").err == jaxlint("-q", "tests").err == ""
