"""What a cell shows is not dropped: the last expression of each cell of a file that comments cut into cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxlint.api import lint_source
from jaxlint.running.session import Session
from jaxlint.settings.configuration import Configuration

CELLS = """
# %%
import jax.numpy as jnp

x = jnp.arange(4.0)
jnp.sin(x)
jnp.sum(x)

# %% [markdown]
# The sum is shown above, the sine is not.

# %%
@jnp.vectorize
def f(y):
    jnp.cos(y)
    return y
jnp.max(x);

# %%
jnp.min(x)
"""


def dropped(text: str) -> list[int]:
    return [finding.location.line for finding in lint_source(text) if finding.code == "JAX303"]


@pytest.mark.parametrize("mark", ["# %%", "#%%", "# In[3]:", "# In[ ]:"])
def test_the_last_expression_of_a_cell_is_shown(mark: str) -> None:
    text = CELLS.replace("# %%", mark)
    assert dropped(text) == [
        text[: text.index("jnp.sin")].count("\n") + 1,
        text[: text.index("jnp.cos")].count("\n") + 1,
    ]


@pytest.mark.parametrize("mark", ["# % %", "# the %% sign", "x  # %%", "# In this cell"])
def test_other_comments_begin_no_cell(mark: str) -> None:
    assert dropped(f"import jax.numpy as jnp\nx = jnp.ones(3)\njnp.sum(x)\n{mark}\njnp.min(x)\n") == [3, 5]


def test_a_mark_inside_a_statement_cuts_nothing() -> None:
    assert dropped('import jax.numpy as jnp\njnp.sum(jnp.ones(3))\ny = """\n# %%\n"""\njnp.ones(3)\n') == [2]


def test_cells_come_and_go_while_one_types(tmp_path: Path) -> None:
    file = tmp_path / "cells.py"
    plain = "import jax.numpy as jnp\nx = jnp.ones(3)\njnp.sum(x)\ny = 1\njnp.min(x)\n"
    cut = plain.replace("y = 1", "# %%\ny = 1")
    file.write_text(plain, encoding="utf-8")
    session = Session(Configuration(str(tmp_path)))
    seen = []
    for text in (plain, cut, plain, cut):
        session.change(str(file), text)
        seen.append([finding.location.line for finding in session.findings(str(file))])
    assert seen == [[3, 5], [], [3, 5], []]
