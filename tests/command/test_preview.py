"""Rules in preview are off unless they are asked for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.command.conftest import Jaxlint

Write = Callable[[dict[str, str]], None]

PROGRAM = """\
import jax.numpy as jnp


def main():
    return jnp.arange(3)[5]
"""


@pytest.fixture(autouse=True)
def program(write: Write) -> None:
    write({"a.py": PROGRAM})


def test_they_are_off_by_default(jaxlint: Jaxlint) -> None:
    assert jaxlint("-q").out == ""


def test_they_are_on_with_preview(jaxlint: Jaxlint, write: Write) -> None:
    assert "a.py:5:12: JAX307" in jaxlint("-q", "--preview", "--output-format", "concise").out
    write({"jaxlint.toml": "preview = true"})
    assert "JAX307" in jaxlint("-q").out
    assert jaxlint("-q", "--no-preview").out == ""


def test_selecting_one_by_itself_says_that_it_is_off(jaxlint: Jaxlint) -> None:
    said = jaxlint("-q", "--select", "JAX307")
    assert (said.out, said.code) == ("", 0)
    assert said.err == "warning: JAX307 is in preview: it has no effect without `--preview` or `preview = true`\n"
    assert jaxlint("-q", "--select", "JAX3").err == ""
    assert "JAX307" in jaxlint("-q", "--select", "JAX307", "--preview").out


def test_the_list_of_rules_tells_them(jaxlint: Jaxlint) -> None:
    rules = {line.split()[0]: line for line in jaxlint("rule").out.splitlines() if line.startswith("JAX")}
    assert rules["JAX307"].endswith("preview")
    assert not rules["JAX201"].endswith("preview")
    assert "`--preview`" in jaxlint("rule", "JAX307").out
