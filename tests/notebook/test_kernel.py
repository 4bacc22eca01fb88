"""A notebook that a real kernel runs, and what is below its cells then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

CELLS = {
    "imports": "import jax\nimport jax.numpy as jnp",
    "load": "%load_ext jaxlint",
    "clean": "%time x = jnp.ones(())\n!echo shell",
    "defined": "def f(x):\n    if x > 0:\n        return x\n    return -x",
    "jitted": "g = jax.jit(f)",
    "called": "g(x)",
    "why": "%jaxlint why f",
    "confirm": "%jaxlint confirm f",
    "mended": "def f(x):\n    return jnp.where(x > 0, x, -x)\ng = jax.jit(f)\ng(x)",
    "off": "%jaxlint off",
    "unchecked": "a = jnp.zeros(3)\na[0] = 1",
}


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """The outputs of each cell; one kernel for all."""
    folder = tmp_path_factory.mktemp("notebook")
    startup = folder / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    # Other tests may keep the machine busy.
    (startup / "patience.py").write_text("from jaxlint.notebook import client\nclient.PATIENCE = 100.0\n")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS.values()])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(folder / "ipython"))
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
        NotebookClient(
            notebook,
            timeout=120,
            kernel_name="python3",
            allow_errors=True,
            resources={"metadata": {"path": str(folder)}},
        ).execute()
    return {name: cell.outputs for name, cell in zip(CELLS, notebook.cells)}


def shown(outputs: list[Any]) -> list[Any]:
    return [output.data for output in outputs if output.output_type == "display_data"]


@pytest.mark.parametrize("cell", ["imports", "load", "clean", "defined", "confirm", "mended", "off", "unchecked"])
def test_where_nothing_is_found_nothing_is_shown(ran: dict[str, list[Any]], cell: str) -> None:
    assert shown(ran[cell]) == []


def test_a_finding_is_below_the_cell_that_makes_it_true(ran: dict[str, list[Any]]) -> None:
    (data,) = shown(ran["jitted"])
    assert set(data) == {"text/plain", "text/html"}
    assert data["text/plain"].startswith("JAX201 [branch-on-traced-value] an `if` needs the value of a tracer")
    assert " --> Cell In[4], line 2\n" in data["text/plain"]
    assert data["text/html"].startswith('<div class="jaxlint">')


def test_and_below_the_exception_that_comes_of_it(ran: dict[str, list[Any]]) -> None:
    assert [output.ename for output in ran["called"] if output.output_type == "error"] == ["TracerBoolConversionError"]
    (data,) = shown(ran["called"])
    assert data["text/plain"].startswith("JAX201 ")


def test_questions_are_answered(ran: dict[str, list[Any]]) -> None:
    (data,) = shown(ran["why"])
    assert data["text/plain"].startswith("Cell In[4], line 1: def f(x):")
    (output,) = ran["confirm"]
    assert output.text.startswith("jax.jit: f(x=float32[])\nCell In[4], line 2: JAX201 ")
    assert "confirmed: TracerBoolConversionError" in output.text


def test_no_cell_hears_of_an_error_in_the_extension(ran: dict[str, list[Any]]) -> None:
    texts = [output.text for outputs in ran.values() for output in outputs if output.output_type == "stream"]
    assert not [text for text in texts if "jaxlint:" in text]
