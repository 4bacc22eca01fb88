"""Edits of cells in the notebook's own text, whatever its source is written as."""

from __future__ import annotations

import json

import pytest

from jaxlint.project.cells import Cell
from jaxlint.project.documents import document_from_bytes, document_of_cells
from jaxlint.vocabulary.findings import Edit, Location

SOURCE = "a = jax\nb = 'é\"\\\\'\nc = 3"
"""What every edit below starts from."""


def at(*place: int) -> Location:
    return Location("/n.ipynb", *place, cell=1)


EDITS = {
    "a word": ([Edit(at(1, 5, 1, 8), "x")], "a = x\nb = 'é\"\\\\'\nc = 3"),
    "what needs escapes": ([Edit(at(1, 5, 1, 8), '"\\\t🎲"')], 'a = "\\\t🎲"\nb = \'é"\\\\\'\nc = 3'),
    "the first line goes": ([Edit(at(1, 1, 2, 1), "")], "b = 'é\"\\\\'\nc = 3"),
    "two lines go": ([Edit(at(1, 1, 3, 1), "")], "c = 3"),
    "the last line goes": ([Edit(at(3, 1, 4, 1), "")], "a = jax\nb = 'é\"\\\\'"),
    "the last line changes": ([Edit(at(3, 1, 4, 1), "d = 4\n")], "a = jax\nb = 'é\"\\\\'\nd = 4"),
    "all goes": ([Edit(at(1, 1, 4, 1), "")], ""),
    "a new first line": ([Edit(at(1, 1, 1, 1), "import os\n")], "import os\n" + SOURCE),
    "a new line in between": ([Edit(at(2, 1, 2, 1), "z\n")], "a = jax\nz\nb = 'é\"\\\\'\nc = 3"),
    "a new last line": ([Edit(at(4, 1, 4, 1), "z\n")], SOURCE + "\nz"),
    "a comment at the end": ([Edit(at(3, 6, 3, 6), "  # why")], SOURCE + "  # why"),
    "a line becomes three": ([Edit(at(1, 5, 1, 8), "(\n    x\n)")], "a = (\n    x\n)\nb = 'é\"\\\\'\nc = 3"),
    "two lines become one": ([Edit(at(1, 8, 3, 1), "; ")], "a = jax; c = 3"),
    "lines go one by one": ([Edit(at(2, 1, 3, 1), ""), Edit(at(3, 1, 4, 1), "")], "a = jax"),
    "in several places": (
        [Edit(at(1, 1, 1, 1), "import os\n"), Edit(at(1, 5, 1, 8), "x"), Edit(at(3, 5, 3, 6), "4")],
        "import os\na = x\nb = 'é\"\\\\'\nc = 4",
    ),
}

LISTS = {
    "list": SOURCE.splitlines(keepends=True),
    "list in odd pieces": ["a = ", "jax\nb = 'é", "", "\"\\\\'\n", "c = 3"],
    "list of one": [SOURCE],
    "text": SOURCE,
}


def notebook(source: object, **style: object) -> bytes:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": source}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4}, **style).encode()  # type: ignore[arg-type]


@pytest.mark.parametrize("style", [{"indent": 1}, {}, {"ensure_ascii": False, "indent": 4}], ids=["1", "flat", "utf-8"])
@pytest.mark.parametrize("source", LISTS.values(), ids=LISTS)
@pytest.mark.parametrize(("edits", "expected"), EDITS.values(), ids=EDITS)
def test_the_cell_has_the_edited_text(
    edits: list[Edit], expected: str, source: object, style: dict[str, object]
) -> None:
    edited = document_from_bytes("/n.ipynb", notebook(source, **style)).with_edits(edits).data()
    now = json.loads(edited)["cells"][0]["source"]
    assert isinstance(now, type(source))
    assert "".join(now) == expected


@pytest.mark.parametrize("style", [{"indent": 1}, {}, {"ensure_ascii": False, "indent": 4}], ids=["1", "flat", "utf-8"])
@pytest.mark.parametrize(("edits", "expected"), EDITS.values(), ids=EDITS)
def test_the_file_is_as_jupyter_would_write_it(edits: list[Edit], expected: str, style: dict[str, object]) -> None:
    lines = expected.splitlines(keepends=True) or [""]
    edited = document_from_bytes("/n.ipynb", notebook(LISTS["list"], **style)).with_edits(edits).data()
    assert edited == notebook(lines, **style)


def test_cells_of_an_editor_are_a_notebook() -> None:
    document = document_of_cells("/n.ipynb", [Cell(2, "import jax\n!ls"), Cell(5, "x = (1 +\n     2)")])
    assert document.text == "import jax\npass\nx = (1 +\n     2)\n"
    assert document.place(Location("/n.ipynb", 3, 5, 4, 8)) == Location("/n.ipynb", 1, 5, 2, 8, 5)
    assert document.virtual(Location("/n.ipynb", 2, 6, cell=5)) == Location("/n.ipynb", 4, 6)
    edited = document.with_edits([Edit(Location("/n.ipynb", 1, 1, 1, 2, cell=5), "yz")])
    assert edited.parts == {2: "import jax\n!ls", 5: "yz = (1 +\n     2)"}
