"""Code in Markdown, reStructuredText and docstrings: which of it is read, where findings are, what fixes change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command.conftest import Jaxlint

Write = Callable[[dict[str, str]], None]

IMPORTS = "import jax\nimport jax.numpy as jnp\n"


def found(jaxlint: Jaxlint, name: str) -> list[str]:
    """`line:column code` of what is found in a file that is named."""
    lines = jaxlint(name, "--output-format", "concise", "-q").out.splitlines()
    return [
        f"{place.split(':', 1)[1].rstrip(':')} {code}" for place, code, *_ in (line.split(" ", 2) for line in lines)
    ]


def fenced(code: str, info: str = "python", fence: str = "```") -> str:
    return f"{fence}{info}\n{code}\n{fence}\n"


BAD = "import jax.numpy as jnp\nx = jnp.zeros(3)\nx[0] = 1"
"""Three lines, with JAX301 in the last one."""

MARKDOWN = {
    "a fence": (fenced(BAD), ["4:1 JAX301"]),
    "tildes": (fenced(BAD, fence="~~~"), ["4:1 JAX301"]),
    "long fences": (fenced(BAD + "\n```", fence="`````"), []),
    "a name with more behind it": (fenced(BAD, 'py title="x" {1,2}'), ["4:1 JAX301"]),
    "attributes": (fenced(BAD, "{.python .numberLines}"), ["4:1 JAX301"]),
    "another language": (fenced(BAD, "text") + fenced(BAD, ""), []),
    "python inside another block": (fenced(fenced(BAD), "markdown", "````"), []),
    "an indented fence": ("- item\n\n" + "".join(f"  {line}\n" for line in fenced(BAD).splitlines()), ["6:3 JAX301"]),
    "a quoted fence": ("".join(f"> {line}\n" for line in fenced(BAD).splitlines()), ["4:3 JAX301"]),
    "tabs": ("".join(f"\t{line}\n" for line in fenced(BAD).splitlines()), ["4:2 JAX301"]),
    "no end": ("```python\n" + BAD, ["4:1 JAX301"]),
    "a fence inside a directive": (f"````{{note}}\n{fenced(BAD)}````\n", ["5:1 JAX301"]),
    "a fence inside colons": (f":::{{note}}\n{fenced(BAD)}:::\n{fenced(BAD)}", ["5:1 JAX301", "11:1 JAX301"]),
    "a code block directive": (fenced(":caption: x\n\n" + BAD, "{code-block} python"), ["6:1 JAX301"]),
    "carriage returns": (fenced(BAD).replace("\n", "\r\n"), ["4:1 JAX301"]),
    "a byte order mark": ("\ufeff" + fenced(BAD), ["4:1 JAX301"]),
    "no Python after all": (fenced("x = jax.(...)") + fenced(BAD), ["7:1 JAX301"]),
    "prompts are not asked for": (fenced(">>> import jax.numpy as jnp\n>>> jnp.zeros(3)[0] = 1"), []),
    "magics": (fenced("%pip install jax\n" + BAD), ["5:1 JAX301"]),
    "values are looked at": (fenced("import jax.numpy as jnp\njnp.sort(jnp.ones(3))\njnp.sort(jnp.ones(2))"), []),
    "silenced": (fenced(BAD + "  # jaxlint: ignore[JAX301]"), []),
    "later ones see what earlier ones import": (fenced(IMPORTS) + fenced("jnp.zeros(3)[0] = 1"), ["7:1 JAX301"]),
    "each draws as if alone": (
        fenced(IMPORTS + "key = jax.random.key(0)\njax.random.normal(key)") + fenced("jax.random.normal(key)"),
        [],
    ),
    "one that draws twice": (
        fenced(IMPORTS + "key = jax.random.key(0)\njax.random.normal(key)\njax.random.normal(key)"),
        ["6:1 JAX401"],
    ),
}

CELL = "{code-cell} ipython3"

NOTEBOOKS = {
    "cells": (fenced(BAD, CELL), ["4:1 JAX301"]),
    "options": (fenced(f":tags: [x]\n:name: y\n\n{BAD}", CELL), ["7:1 JAX301"]),
    "options in YAML": (fenced(f"---\ntags: [x]\n---\n{BAD}", CELL), ["7:1 JAX301"]),
    "an expected exception": (fenced(f":tags: [raises-exception]\n{BAD}", CELL), []),
    "only the last value of a cell is shown": (
        fenced("import jax.numpy as jnp\njnp.sort(jnp.ones(3))\njnp.sort(jnp.ones(2))", CELL),
        ["3:1 JAX303"],
    ),
    "cells run together": (
        fenced("import jax.numpy as jnp\nx = jnp.zeros(3)", CELL) + fenced("x[0] = 1", CELL),
        ["6:1 JAX301"],
    ),
    "what is not a cell does not run": (fenced("import jax", CELL) + fenced(BAD), []),
    "a cell in another language": (fenced("import jax", CELL) + fenced("jax(", "{code-cell} R"), []),
    "a broken cell": (fenced("import jax\nx = (", CELL), ["3:5 JAX001"]),
    "of Jupytext": ("---\njupyter:\n  jupytext:\n    x: 1\n---\n" + fenced(f"%%time\n{BAD}"), ["10:1 JAX301"]),
    "of Quarto": (fenced(f"#| echo: false\n{BAD}", "{python}"), ["5:1 JAX301"]),
}

INDENTED = "".join(f"   {line}\n" for line in BAD.splitlines())

RESTRUCTURED = {
    "code-block": (f"Title\n=====\n\n.. code-block:: python\n\n{INDENTED}", ["8:4 JAX301"]),
    "options": (f".. code:: python\n   :linenos:\n   :name: x\n\n{INDENTED}", ["7:4 JAX301"]),
    "another language": (f".. code-block:: bash\n\n{INDENTED}", []),
    "testcode": (f".. testcode::\n\n{INDENTED}", ["5:4 JAX301"]),
    "inside a list": (f"* .. code-block:: python\n\n{INDENTED}", []),
    "indented": ("  .. code-block:: python\n\n" + INDENTED.replace("   ", "\t"), ["5:2 JAX301"]),
    "odd indentation": (".. code-block:: python\n\n" + INDENTED.replace("   import", " import"), []),
    "the end of a block": (f".. code-block:: python\n\n{INDENTED}\nx = (\n", ["5:4 JAX301"]),
    "cells": (f".. jupyter-execute::\n\n{INDENTED}", ["5:4 JAX301"]),
    "no content": (".. code-block:: python\n\njax\n", []),
}


@pytest.mark.parametrize(("text", "expected"), {**MARKDOWN, **NOTEBOOKS}.values(), ids=[*MARKDOWN, *NOTEBOOKS])
def test_markdown(jaxlint: Jaxlint, project: Path, text: str, expected: list[str]) -> None:
    (project / "a.md").write_bytes(text.encode())
    assert found(jaxlint, "a.md") == expected


@pytest.mark.parametrize(("text", "expected"), RESTRUCTURED.values(), ids=RESTRUCTURED)
def test_restructured(jaxlint: Jaxlint, project: Path, text: str, expected: list[str]) -> None:
    (project / "a.rst").write_bytes(text.encode())
    assert found(jaxlint, "a.rst") == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *((f"{index}.md", text) for index, (text, _) in enumerate([*MARKDOWN.values(), *NOTEBOOKS.values()])),
        *((f"{index}.rst", text) for index, (text, _) in enumerate(RESTRUCTURED.values())),
    ],
)
def test_fixes_change_nothing_else(jaxlint: Jaxlint, project: Path, name: str, text: str) -> None:
    (project / name).write_bytes(text.encode())
    places = [place.split(":")[0] for place in found(jaxlint, name) if "JAX301" in place]
    expected = text.split("\n")
    for line in map(int, places):
        expected[line - 1] = expected[line - 1].replace("x[0] = 1", "x = x.at[0].set(1)")
    jaxlint(name, "--fix", "--unsafe-fixes", "--fixable", "JAX301", "-q")
    assert (project / name).read_bytes().decode().split("\n") == expected


def test_prose_is_linted_where_it_is_asked_for(jaxlint: Jaxlint, write: Write) -> None:
    write({name: fenced(BAD) for name in ("README.md", "docs/a.md", "docs/deep/b.md", "docs/c.txt")})
    assert jaxlint("--output-format", "concise").found == []
    write({"jaxlint.toml": 'extend-include = ["docs/**/*.md"]'})
    assert jaxlint("--output-format", "concise").found == ["docs/a.md:4 JAX301", "docs/deep/b.md:4 JAX301"]
    write({"jaxlint.toml": 'extend-include = ["*.md"]\nextend-exclude = ["docs/deep"]'})
    assert jaxlint("--output-format", "concise").found == ["README.md:4 JAX301", "docs/a.md:4 JAX301"]


def test_a_new_line_has_the_margin_of_its_block(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    code = "from jax import jit\n\n@jit\ndef f(x):\n    print(x)\n    return x"
    block = "".join(f"  {line}".rstrip() + "\n" for line in fenced(code).splitlines())
    write({"a.md": f"* one\n\n{block}\n* two\n"})
    jaxlint("a.md", "--fix", "--unsafe-fixes", "-q")
    fixed = (project / "a.md").read_text()
    assert "  import jax\n" in fixed
    assert "      jax.debug.print(" in fixed
    assert (
        fixed.replace("  import jax\n", "").replace('jax.debug.print("{}", x)', "print(x)")
        == f"* one\n\n{block}\n* two\n"
    )


DOCSTRING = '''\
"""The module.

>>> import jax
>>> key = jax.random.key(0)
>>> a = jax.random.normal(key)
>>> b = jax.random.normal(key)
"""
import jax.numpy as jnp


class Model:
    """A model.

    >>> x = jnp.zeros(3)
    >>> for i in range(3):
    ...     x[i] = 1
    >>> x
    Array([1., 1., 1.], dtype=float32)
    >>> x[0] = 2
    Traceback (most recent call last):
    TypeError: no
    >>> this is no Python
    >>> jnp.sort(x)
    """
'''


def test_examples_of_docstrings(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    write({"a.py": DOCSTRING})
    assert found(jaxlint, "a.py") == []
    write({"jaxlint.toml": "doctest = true"})
    assert found(jaxlint, "a.py") == ["6:9 JAX401", "16:13 JAX301"]
    jaxlint("a.py", "--fix", "--unsafe-fixes", "--ignore", "JAX401", "-q")
    assert (project / "a.py").read_text() == DOCSTRING.replace("x[i] = 1", "x = x.at[i].set(1)")


def test_code_beside_examples_is_where_it_was(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    code = "\ny = jnp.zeros(3)\ny[0] = 2\n"
    write({"a.py": DOCSTRING + code, "jaxlint.toml": "doctest = true"})
    assert sorted(found(jaxlint, "a.py")) == ["16:13 JAX301", "27:1 JAX301", "6:9 JAX401"]
    jaxlint("a.py", "--fix", "--unsafe-fixes", "--ignore", "JAX401", "-q")
    assert (project / "a.py").read_text().endswith("y = jnp.zeros(3)\ny = y.at[0].set(2)\n")


def test_examples_in_prose(jaxlint: Jaxlint, write: Write) -> None:
    prompts = "Text:\n\n    >>> import jax.numpy as jnp\n    >>> x = jnp.zeros(3)\n    >>> x[0] = 1\n"
    write({"a.rst": prompts, "b.md": fenced(prompts, "pycon"), "c.md": prompts, "jaxlint.toml": "doctest = true"})
    assert [found(jaxlint, name) for name in ("a.rst", "b.md", "c.md")] == [
        ["5:9 JAX301"],
        ["6:9 JAX301"],
        ["5:9 JAX301"],
    ]
