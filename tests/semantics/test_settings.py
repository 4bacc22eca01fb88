"""The variables of the environment that JAX reads when it is imported."""

from __future__ import annotations

import os
import subprocess
import sys

import jax
import pytest

from jaxlint.semantics.removed import happened
from jaxlint.semantics.settings import NEWER_OPTIONS, OLDER_OPTIONS, OPTIONS, READ_AT_IMPORT
from tests.semantics.examples import INSTALLED


@pytest.mark.parametrize("variable", sorted(READ_AT_IMPORT))
def test_there_is_a_setting_of_that_name(variable: str) -> None:
    assert variable.lower() in jax.config.values


def test_options_are_those_of_jax() -> None:
    lacking = {name for name, since in NEWER_OPTIONS.items() if not happened(since, INSTALLED)}
    lacking |= {name for name, end in OLDER_OPTIONS.items() if happened(end, INSTALLED)}
    assert {f"jax_{name}" for name in OPTIONS - lacking} <= jax.config.values.keys()
    assert jax.config.values.keys().isdisjoint(f"jax_{name}" for name in lacking)
    assert OPTIONS.isdisjoint(jax.config.values)


@pytest.mark.parametrize("before", [True, False])
def test_they_are_read_once(before: bool) -> None:
    lines = ["import os", "os.environ['JAX_ENABLE_X64'] = '1'", "import jax", "print(jax.numpy.ones(2).dtype)"]
    if not before:
        lines[1:3] = reversed(lines[1:3])
    environment = {name: value for name, value in os.environ.items() if name != "JAX_ENABLE_X64"}
    run = subprocess.run([sys.executable, "-c", "\n".join(lines)], env=environment, capture_output=True, text=True)
    assert run.stdout.split() == ["float64" if before else "float32"]
