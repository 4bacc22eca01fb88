"""A notebook that is edited in an open workspace has the findings that a first run finds."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from jaxlint.running.once import Run
from jaxlint.running.session import Session
from jaxlint.settings.configuration import Configuration

STEPS = 25

HELPER = (
    "import jax\n\n\ndef draw(key):\n    return jax.random.normal(key)\n\n\ndef scale(x):\n    print(x)\n    return x\n"
)

CELLS = [
    "import jax\nimport jax.numpy as jnp\nfrom helper import draw, scale",
    "key = jax.random.key(0)",
    "a = draw(key)\nb = jax.random.normal(key)",
    "%%time\nx = jnp.zeros(3)\nx[0] = 1\njnp.sort(x)",
    "jnp.sort(jnp.ones(3))",
    "step = jax.jit(scale)\nstep(a)",
    "%timeit step(a)\n!ls",
    "rate = 1.0\n@jax.jit\ndef f(x):\n    return x * rate",
    "f(1.0)\nrate = 2.0\nf(1.0)",
    "@jax.jit\ndef g(x):\n    if x > 0:\n        return x\n    return -x",
    "y = (",
]


def notebook(cells: list[str]) -> str:
    rows = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell} for cell in cells]
    return json.dumps({"cells": rows, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def edit(chance: random.Random, cells: list[str]) -> None:
    """What people do in a notebook: cells come, go, move, are split and joined; lines are edited."""
    index = chance.randrange(len(cells))
    lines = cells[index].split("\n")
    match chance.choice(["insert", "delete", "move", "split", "join", "line", "line", "drop"]):
        case "insert":
            cells.insert(index, chance.choice(CELLS[:-1]))
        case "delete" if len(cells) > 3:
            del cells[index]
        case "move":
            cells.insert(chance.randrange(len(cells)), cells.pop(index))
        case "split":
            cut = chance.randrange(len(lines) + 1)
            cells[index : index + 1] = ["\n".join(lines[:cut]), "\n".join(lines[cut:])]
        case "join":
            cells[index : index + 2] = ["\n".join(cells[index : index + 2])]
        case "line":
            lines.insert(
                chance.randrange(len(lines) + 1), chance.choice(["z = 1", "# why", "jnp.sort(a)", "draw(key)"])
            )
            cells[index] = "\n".join(lines)
        case _:
            del lines[chance.randrange(len(lines))]
            cells[index] = "\n".join(lines)


@pytest.mark.parametrize("seed", range(4))
def test_random_edits_leave_what_a_first_run_finds(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    cells = list(CELLS[:-1])
    path = tmp_path / "a.ipynb"
    (tmp_path / "jaxlint.toml").write_text('certainty = "possible"\n')
    (tmp_path / "helper.py").write_text(HELPER)
    path.write_text(notebook(cells))
    configuration = Configuration(str(tmp_path))
    session = Session(configuration)
    for _ in range(STEPS):
        before = list(cells)
        edit(chance, cells)
        session.change(str(path), notebook(cells))
        found = session.all_findings()
        expected = Run.over([str(tmp_path)], configuration, {str(path): notebook(cells).encode()}).findings()
        if any(finding.code == "JAX001" for finding in expected):
            assert [finding.code for finding in found[str(path)]] == ["JAX001"]
            cells = before
            continue
        for name, findings in found.items():
            assert findings == [finding for finding in expected if finding.path == name]
