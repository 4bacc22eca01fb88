"""Fixes are made once a document: what they ask of it does not grow with the square of the findings."""

from __future__ import annotations

import os
import sys
from types import FrameType
from typing import Any

import pytest

from jaxlint.api import Certainty, Settings, lint_source
from jaxlint.fixes import with_fixes
from jaxlint.project.documents import Document

PROGRAMS = {
    "two draws from each key": (
        "def f():",
        "    k{i} = jax.random.key({i})",
        "    x{i} = jax.random.normal(k{i}) + jax.random.gumbel(k{i})",
    ),
    "draws from many keys": (
        "def f(state):",
        "    k{i}, u = jax.random.split(state.keys[{i}])",
        "    u.x(u, jax.random.normal(k{i}), jax.random.gumbel(k{i}))",
    ),
    "items": ("@jax.jit\ndef f(x):\n    y = jnp.sin(x)", "    y[{i}] = x"),
    "prints": ("@jax.jit\ndef f(x):", "    print('x', x, {i})"),
    "branches": ("@jax.jit\ndef f(x):\n    y = jnp.sin(x)", "    y += jnp.cos(y) if y > {i} else y"),
    "twins": ("@jax.jit\ndef f(x):\n    y = jnp.sin(x)", "    y += np.exp(y)"),
    "conversions": ("@jax.jit\ndef f(x):\n    y = jnp.sin(x)", "    y += float(y)"),
}
HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\n"


def steps(program: tuple[str, ...], count: int) -> tuple[int, int]:
    """How many fixes a program with so many findings has, and how many lines of jaxlint making them runs."""
    head, *lines = program
    body = "\n".join(line.format(i=i) for i in range(count) for line in lines)
    document = Document(os.path.join(os.getcwd(), "<string>"), f"{HEAD}{head}\n{body}\n")
    document.parse()
    found = lint_source(document.text, settings=Settings(certainty=Certainty.POSSIBLE))
    with_fixes(document, found[:3])  # what is imported and cached once
    taken = 0

    def count_line(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal taken
        taken += event == "line"
        return count_line

    sys.settrace(count_line)
    try:
        fixed = with_fixes(document, found)
    finally:
        sys.settrace(None)
    return sum(finding.fix is not None for finding in fixed), taken


@pytest.mark.parametrize("name", PROGRAMS)
def test_work_grows_with_the_findings(name: str) -> None:
    few, taken = steps(PROGRAMS[name], 25)
    many, more = steps(PROGRAMS[name], 100)
    assert few >= 20
    assert many >= 3.5 * few
    assert more < 6 * taken
