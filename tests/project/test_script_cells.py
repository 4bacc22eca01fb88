"""Python that comments cut into cells, and the magics in them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from jaxlint.api import lint_paths, lint_source
from jaxlint.project.documents import document_of_python
from jaxlint.project.script_cells import cells_in
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary.findings import Certainty

LIGHT = """\
# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: light
# ---

"""

CUT = {
    "nothing": ("x = 1\n\ny = 2\n", []),
    "percent": ("x = 1\n# %%\ny = 2\n#%% again\n", ["x = 1", "y = 2"]),
    "exported": ("# In[1]:\nx = 1\n# In[ ]:\ny = 2", ["x = 1", "y = 2"]),
    "light, by marks": (
        "x = 1\ny = x\n\n# +\ny = 2\n\nz = 3\n# -\n\nw = 4\n",
        ["x = 1\ny = x", "y = 2\n\nz = 3", "w = 4"],
    ),
    "light, a mark with options": (
        '# + tags=["a"]\nx = 1\n# -\n\n# + {"b": 1}\ny = 2\n# -\n\n# + [markdown]\n# z\n',
        ["x = 1", "y = 2", "# z"],
    ),
    "light, by its header": (
        LIGHT + "x = 1\n\ny = 2\nif y:\n    z = 3\n\n    w = 4\n\n# Text\n\n# +\nv = 5\n\nu = 6\n# -\nt = 7\n",
        ["x = 1", "y = 2\nif y:\n    z = 3\n\n    w = 4", "# Text", "v = 5\n\nu = 6", "t = 7"],
    ),
    "light, a mark that ends another cell": (
        LIGHT + "# +\nx = 1\n\ny = 2\n\n# +\nz = 3\n",
        ["x = 1\n\ny = 2", "z = 3"],
    ),
    "light, a mark with a title": (LIGHT + "# + Title\nx = 1\n\ny = 2\n# -\n", ["x = 1\n\ny = 2"]),
    "light, blank lines in brackets and strings": (
        LIGHT + 'x = (\n\n1)\ny = """\n\n# +\n"""\n\nz = 3\n',
        ['x = (\n\n1)\ny = """\n\n# +\n"""', "z = 3"],
    ),
    "light, a cell of a commented magic": (LIGHT + "# %%time\nx = 1\n", ["# %%time\nx = 1"]),
    "the header of another format": (LIGHT.replace("light", "sphinx") + "x = 1\n\ny = 2\n", []),
    "signs in a comment": ("# The signs are\n# +\n# -\nx = 1\n\ny = 2\n", []),
    "signs in a comment of their own": ("# +\n# -\n\nx = 1\n", []),
    "a plus alone": ("# +\nx = 1\n\ny = 2\n", []),
    "a minus alone": ("x = 1\n# -\n\ny = 2\n", []),
    "a plus before what is added": ("# + 1 for the end token\nx = 1\n# -\n\ny = 2\n", []),
    "a plus in an indented block": ("def f():\n    # +\n    x = 1\n    # -\n\ny = 2\n", []),
    "a list of pros and cons": ("x = 1\n\n# +\n# fast\n# -\n# large\ny = 2\n", []),
}


@pytest.mark.parametrize(("text", "expected"), CUT.values(), ids=CUT)
def test_is_cut_into_cells(text: str, expected: list[str]) -> None:
    lines = text.split("\n")
    cells = ["\n".join(lines[cell.first - 1 : cell.stop - 1]).strip("\n") for cell in cells_in(text)]
    assert [cell for cell in cells if "jupytext" not in cell] == expected


REUSED = """\
import jax

# +
key = jax.random.key(0)
a = jax.random.normal(key)
{}
b = jax.random.uniform(key)
# -
"""

GRADES = {
    "in two cells": (REUSED.format("# -\n\n# +"), Certainty.POSSIBLE),
    "in one": (REUSED.format(""), Certainty.CERTAIN),
    "in two paragraphs of a light notebook": (
        LIGHT + REUSED.replace("# +\n", "").replace("# -\n", "").format(""),
        Certainty.POSSIBLE,
    ),
}


@pytest.mark.parametrize(("text", "certainty"), GRADES.values(), ids=GRADES)
def test_a_key_across_cells_is_mostly_meant(text: str, certainty: Certainty) -> None:
    (finding,) = lint_source(text, settings=Settings(certainty=Certainty.POSSIBLE))
    assert (finding.code, finding.certainty) == ("JAX401", certainty)


BAD = "import jax.numpy as jnp\nx = jnp.zeros(3)\nx[0] = 1\n"
COLAB = '"""a.ipynb\n\nOriginal file is located at\n    https://colab.research.google.com/drive/1\n"""\n\n'

MAGICS = {
    "line magics": ("# %%\n%matplotlib inline\n{}# %%\n!pip install x\n", [(5, "JAX301")]),
    "shell into a name, and help": ("#%%\nfiles = !ls\nlen?\n{}", [(6, "JAX301")]),
    "a cell magic": ("# %%\n%%time\n{}", [(5, "JAX301")]),
    "a timed statement": ("# %%\n{}%time x[1] = 2\n", [(4, "JAX301"), (5, "JAX301")]),
    "a cell in another language": ("# %%\n%%bash\nls -l\n# %%\n{}", [(7, "JAX301")]),
    "a light notebook": (LIGHT + "%matplotlib inline\n\n{}", [(13, "JAX301")]),
    "Colab": (COLAB + "!pip install x\n{}", [(10, "JAX301")]),
    "what shows nothing": ("# %%\n!ls\n{}jnp.sort(x)\n# %%\njnp.sort(x)\njnp.sort(x)", [(5, "JAX301"), (8, "JAX303")]),
    "silenced": ("# %%\n!ls\n" + BAD.replace("= 1", "= 1  # jaxlint: ignore[JAX301]"), []),
    "commented magics": ("# %%\n# %matplotlib inline\n# !ls\n{}", [(6, "JAX301")]),
    "no cells": ("!ls\n{}", [(4, "JAX301")]),
    "no cells, a statement timed over two lines": (
        "{}\n%time x = jnp.sort(\\\n    x)\nx[0] = 2\n",
        [(3, "JAX301"), (7, "JAX301")],
    ),
    "no cells, and every value is shown": ("%matplotlib inline\n\n{}jnp.sort(x)\njnp.exp(x)\n", [(5, "JAX301")]),
    "no cells, a key in two paragraphs": (
        "import jax\nkey = jax.random.key(0)\n\n%time a = jax.random.normal(key)\n\nb = jax.random.normal(key)\n",
        [],
    ),
    "no cells, a key in one paragraph": (
        "import jax\nkey = jax.random.key(0)\n\n%time a = jax.random.normal(key)\nb = jax.random.normal(key)\n",
        [(5, "JAX401")],
    ),
    "no cells, broken, too": ("{}%time x.sum()\ny = (\n", [(4, "JAX001")]),
    "no cells, a sign that is no magic's": ("import jax\n/x\n%ls\n", [(2, "JAX001")]),
    "no cells, a per cent sign in a text": ("import jax\nTEXT = '''\n%s\n'''\nx = (\n", [(5, "JAX001")]),
    "broken, too": ("# %%\n!ls\n{}y = (\n", [(6, "JAX001")]),
    "broken without a magic": ("# %%\n{}y = (\n", [(5, "JAX001")]),
    "a mark without its sign": ("# %%\nx = 1\n%%\n{}", [(3, "JAX001")]),
}


@pytest.mark.parametrize(("text", "expected"), MAGICS.values(), ids=MAGICS)
def test_magics_in_cells_stand_aside(text: str, expected: list[tuple[int, str]]) -> None:
    text = text.replace("{}", BAD)
    assert [(finding.location.line, finding.code) for finding in lint_source(text)] == expected
    assert document_of_python("/a.py", text).data().decode() == text


def test_what_is_imported_from_such_a_script_is_known(tmp_path: Path) -> None:
    (tmp_path / "jaxlint.toml").write_text("")
    (tmp_path / "cells.py").write_text(
        "# %%\n%autoreload 2\nimport jax\n# %%\ndef draw(key):\n    return jax.random.normal(key)\n"
    )
    (tmp_path / "a.py").write_text(
        dedent("""
        import jax
        from cells import draw

        def f():
            key = jax.random.key(0)
            return draw(key) + draw(key)
        """)
    )
    assert [finding.code for finding in lint_paths([str(tmp_path)])] == ["JAX401"]
