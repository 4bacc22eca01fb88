"""A notebook that is kept as text, too: what both halves have is told once, in the text."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxlint.project.roots import BASELINE
from jaxlint.running.session import Session
from jaxlint.settings.configuration import Configuration
from tests.command.conftest import Jaxlint
from tests.command.test_notebooks import notebook

Write = Callable[[dict[str, str]], None]

SETUP = "import jax\nimport jax.numpy as jnp\n\n%matplotlib inline"
BAD = "x = jnp.zeros(3)\nx[0] = 1"
PURE = "@jax.jit\ndef f(x):\n    return x + 1"
CELLS = (SETUP, BAD, PURE)

HEADER = """\
# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#   kernelspec:
#     name: python3
# ---

"""
HEADER_OF_MARKDOWN = HEADER.replace("# ", "").replace("#", "")


def percent(*cells: str, header: str = HEADER) -> str:
    """The cells as Jupytext keeps them in the percent format: magics are comments."""
    bodies = [
        "\n".join(f"# {line}" if line.startswith(("%", "!")) else line for line in cell.split("\n")) for cell in cells
    ]
    return header + "# %% [markdown]\n# # Title\n\n" + "\n\n".join(f"# %%\n{body}" for body in bodies) + "\n"


def exported(*cells: str) -> str:
    """The cells as `jupyter nbconvert --to script` writes them."""
    bodies = [
        cell.replace("%matplotlib inline", "get_ipython().run_line_magic('matplotlib', 'inline')") for cell in cells
    ]
    return "#!/usr/bin/env python\n# coding: utf-8\n\n" + "\n\n".join(
        f"# In[{n}]:\n\n\n{body}" for n, body in enumerate(bodies, 1)
    )


def markdown(*cells: str) -> str:
    """The cells as Jupytext keeps them in Markdown."""
    return HEADER_OF_MARKDOWN + "# Title\n\n" + "\n\n".join(f"```python\n{cell}\n```" for cell in cells) + "\n"


PLAIN = percent(*CELLS, header="")
OTHER = """\
import jax
import jax.numpy as jnp


def main():
    return jnp.ones(3)


main()
x = jnp.zeros(3)
x[0] = 1
"""


def found(jaxlint: Jaxlint, *paths: str) -> list[str]:
    """What is found, as `file:line code` or `file:cell code`."""
    rows = jaxlint(*paths, "--output-format", "json").rows
    told = [(row["filename"], row.get("cell") or row["location"]["row"], row["code"]) for row in rows]
    return sorted(f"{Path(name).name}:{at} {code}" for name, at, code in told)


TEXTS = {
    "percent": ("a.py", percent(*CELLS), ["a.py:24 JAX301"]),
    "percent without a header": ("a.py", PLAIN, ["a.py:12 JAX301"]),
    "with a comment that the notebook has not": ("a.py", PLAIN.replace("(3)", "(3)  # three"), ["a.py:12 JAX301"]),
    "exported": ("a.py", exported(*CELLS), ["a.py:16 JAX301"]),
    "in another folder": ("text/a.py", percent(*CELLS), ["a.py:24 JAX301"]),
    "Markdown": ("a.md", markdown(*CELLS), ["a.md:24 JAX301"]),
    "out of step": ("a.py", percent(SETUP, PURE, "x = jnp.ones(4)"), ["a.ipynb:3 JAX301"]),
    "partly out of step": (
        "a.py",
        percent(*CELLS, "x[1] = 2"),
        ["a.py:24 JAX301", "a.py:32 JAX301"],
    ),
    "another program of that name": ("a.py", OTHER, ["a.ipynb:3 JAX301", "a.py:11 JAX301"]),
    "another name": ("b.py", percent(*CELLS), ["a.ipynb:3 JAX301", "b.py:24 JAX301"]),
    "in another folder without a header": ("text/a.py", PLAIN, ["a.ipynb:3 JAX301", "a.py:12 JAX301"]),
    "silenced in the text": ("a.py", PLAIN.replace("= 1", "= 1  # jaxlint: ignore[JAX301]"), []),
    "silenced in vain": (
        "a.py",
        PLAIN.replace("x + 1", "x + 1  # jaxlint: ignore[JAX101]"),
        ["a.py:12 JAX301", "a.py:17 JAX003"],
    ),
    "broken": ("a.py", PLAIN + "x = (\n", ["a.ipynb:3 JAX301", "a.py:18 JAX001"]),
}


@pytest.mark.parametrize(("name", "text", "expected"), TEXTS.values(), ids=TEXTS)
def test_a_pair_is_told_once(
    jaxlint: Jaxlint, write: Write, project: Path, name: str, text: str, expected: list[str]
) -> None:
    write({"a.ipynb": notebook(*CELLS), name: text, "jaxlint.toml": 'extend-include = ["*.md"]\n'})
    assert found(jaxlint) == expected
    session = Session(Configuration(str(project)))
    assert sum(map(len, session.all_findings().values())) == len(expected)


def test_what_only_the_notebook_has_is_told_there(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.ipynb": notebook(*CELLS, "x[1] = 2", BAD), "a.py": percent(*CELLS)})
    assert found(jaxlint) == ["a.ipynb:5 JAX301", "a.ipynb:6 JAX301", "a.py:24 JAX301"]


ASKED = {
    "both": (["a.ipynb", "a.py"], ["a.py:24 JAX301"]),
    "the notebook alone": (["a.ipynb"], ["a.ipynb:3 JAX301"]),
    "the text alone": (["a.py"], ["a.py:24 JAX301"]),
}


@pytest.mark.parametrize(("paths", "expected"), ASKED.values(), ids=ASKED)
def test_a_half_that_is_asked_for_alone_tells_all(
    jaxlint: Jaxlint, write: Write, paths: list[str], expected: list[str]
) -> None:
    write({"a.ipynb": notebook(*CELLS), "a.py": percent(*CELLS)})
    assert found(jaxlint, *paths) == expected


def test_a_notebook_that_is_open_tells_all(write: Write, project: Path) -> None:
    write({"a.ipynb": notebook(*CELLS), "a.py": percent(*CELLS)})
    session = Session(Configuration(str(project)))
    path = str(project / "a.ipynb")
    assert session.all_findings()[path] == []
    assert [finding.code for finding in session.findings(path)] == ["JAX301"]
    session.open(path, notebook(*CELLS))
    assert [finding.code for finding in session.all_findings()[path]] == ["JAX301"]


def test_both_halves_are_fixed_alike(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.ipynb": notebook(*CELLS), "a.py": percent(*CELLS)})
    assert jaxlint("--fix", "--unsafe-fixes", "-q").out == ""
    fixed = [cell.replace("x[0] = 1", "x = x.at[0].set(1)") for cell in CELLS]
    assert (project / "a.py").read_text() == percent(*fixed)
    assert ["".join(cell["source"]) for cell in json.loads((project / "a.ipynb").read_text())["cells"]][1:] == fixed


def test_a_baseline_has_a_pair_once(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.ipynb": notebook(*CELLS), "a.py": percent(*CELLS)})
    jaxlint("baseline")
    baseline = project / BASELINE
    assert [entry["path"] for entry in json.loads(baseline.read_text())["findings"]] == ["a.py"]
    assert jaxlint("-q").out == ""
