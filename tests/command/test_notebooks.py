"""Notebooks: found by themselves, reported by cell, fixed without touching another byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.command.conftest import Jaxlint

Write = Callable[[dict[str, str]], None]

SETUP = "import jax\nimport jax.numpy as jnp\n%matplotlib inline"


def notebook(*cells: str, **metadata: Any) -> str:
    """A notebook of these code cells below one of text, laid out as Jupyter does."""
    rows = [{"cell_type": "markdown", "metadata": {}, "source": ["# Title"]}]
    for cell in cells:
        source = cell.splitlines(keepends=True)
        rows.append({"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source})
    return json.dumps({"cells": rows, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def found(jaxlint: Jaxlint, write: Write, text: str) -> list[tuple[int, int, str]]:
    """(cell, line, code) of what is found in a notebook."""
    write({"a.ipynb": text})
    rows = jaxlint("a.ipynb", "--output-format", "json").rows
    return [(row["cell"], row["location"]["row"], row["code"]) for row in rows]


def test_is_found_and_reported_by_cell(jaxlint: Jaxlint, write: Write) -> None:
    write({"docs/a.ipynb": notebook(SETUP, "@jax.jit\ndef f(x):\n    %time print(x)\n    return x")})
    (line,) = jaxlint("--output-format", "concise", "-q").out.splitlines()
    assert line.startswith("docs/a.ipynb:cell 3:3:11: JAX101 ")


def test_the_frame_shows_the_cell(jaxlint: Jaxlint, write: Write) -> None:
    write(
        {"a.ipynb": notebook(SETUP, "key = jax.random.key(0)", "a = jax.random.normal(key)", "jax.random.normal(key)")}
    )
    assert jaxlint("-q", "--certainty", "possible").out.splitlines()[1:11] == [
        " --> a.ipynb:cell 5:1:1",
        "  |",
        "1 | jax.random.normal(key)",
        "  | ^^^^^^^^^^^^^^^^^^^^^^",
        "  |",
        "note: key consumed by `jax.random.normal`",
        " --> a.ipynb:cell 4:1:5",
        "  |",
        "1 | a = jax.random.normal(key)",
        "  |     ^^^^^^^^^^^^^^^^^^^^^^",
    ]


REUSED = "jax.random.normal(key)"

CELLS = {
    "across cells": (["x = jnp.zeros(3)", "x[0] = 1"], [(4, 1, "JAX301")]),
    "a key across cells, as in most notebooks": (["key = jax.random.key(0)\na = " + REUSED, REUSED], []),
    "timed, which changes nothing": (["%timeit x = jnp.zeros(3)", "x[0] = 1"], []),
    "a timed cell, which changes nothing": (["%%timeit\nx = jnp.zeros(3)", "x[0] = 1"], []),
    "timed before the name is an array": (["x = [0.0]", "%timeit x[0] = 1.0", "x = jnp.zeros(3)"], []),
    "timed while it is one": (["x = jnp.zeros(3)", "%timeit x[0] = 1.0", "x = [0.0]"], [(4, 1, "JAX301")]),
    "timed once": (["%time x = jnp.zeros(3)", "x[0] = 1"], [(4, 1, "JAX301")]),
    "a cell in another language": (["key = jax.random.key(0)", "%%bash\necho key", REUSED], []),
    "the last value of a cell is shown": (["x = jnp.zeros(3)\nx.at[0].set(1)", "jnp.sort(x)"], []),
    "a value in the middle is dropped": (["x = jnp.zeros(3)\njnp.sort(x)\nx"], [(3, 2, "JAX303")]),
    "await at the top": (["await f()\nx = jnp.zeros(3)\nx[0] = 1"], [(3, 3, "JAX301")]),
    "unknown names claim nothing": (["_, In[3], out = _\nkey = unheard_of\n" + REUSED, "display(_12)"], []),
    "silenced": (["x = jnp.zeros(3)\nx[0] = 1  # jaxlint: ignore[JAX301]"], []),
    "silenced for the file": (["# jaxlint: file-ignore[JAX301]", "x = jnp.zeros(3)", "x[0] = 1"], []),
    "silenced in vain": (["x = 1  # jaxlint: ignore[JAX301]"], [(3, 1, "JAX003")]),
    "broken": (["x = 1", "y = (\n"], [(4, 1, "JAX001")]),
    "results": (["error[0] = -0.1, steps = 12\nmean: 1e-3", "x = jnp.zeros(3)", "x[0] = 1"], [(5, 1, "JAX301")]),
    "an unfinished line": (["x = 1\ny =\n"], [(3, 2, "JAX001")]),
    "an unfinished import": (["x = 1\nimport\n"], [(3, 2, "JAX001")]),
    "a call among results": (["x = 1, y = f(2)"], [(3, 1, "JAX001")]),
}


@pytest.mark.parametrize(("cells", "expected"), CELLS.values(), ids=CELLS)
def test_cells_are_one_program(
    jaxlint: Jaxlint, write: Write, cells: list[str], expected: list[tuple[int, int, str]]
) -> None:
    assert found(jaxlint, write, notebook(SETUP, *cells)) == expected


def test_an_expected_exception_is_no_finding(jaxlint: Jaxlint, write: Write) -> None:
    text = notebook(SETUP, "x = jnp.zeros(3)", "x[0] = 1\nx", "this is (no Python", "x[0] = 2")
    content = json.loads(text)
    for index in (3, 4):
        content["cells"][index]["metadata"]["tags"] = ["raises-exception"]
    assert found(jaxlint, write, json.dumps(content)) == [(6, 1, "JAX301")]


def ran(text: str, outputs: dict[int, list[dict[str, Any]]]) -> str:
    """A notebook of which all cells with an entry have run, in the order of their numbers, with these outputs."""
    content = json.loads(text)
    for count, number in enumerate(outputs, 1):
        content["cells"][number - 1] |= {"execution_count": count, "outputs": outputs[number]}
    return json.dumps(content)


def raised(name: str, *frames: str) -> list[dict[str, Any]]:
    return [{"output_type": "error", "ename": name, "evalue": "", "traceback": list(frames)}]


BRANCH = "@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x"
CALLED = "Cell In[3], line 1\n\x1b[0;32m----> 1\x1b[0m f(1.0)"
LINK = "<a href='vscode-notebook-cell://host/b.ipynb#ch02?line=0'>{}</a>"
ALL = ["JAX301", "JAX201"]
SHOWN = {
    "the cell itself": ({2: [], 3: raised("TypeError", "Cell In[2], line 1\n----> 1 x[0] = 1"), 4: []}, ["JAX201"]),
    "a cell above": (
        {
            2: [],
            4: [],
            5: raised("TracerBoolConversionError", CALLED, "Cell In[2], line 3\n----> 3     if x > 0:"),
            6: [],
        },
        ["JAX301"],
    ),
    "an older kind of frame": (
        {2: [], 4: [], 5: raised("TracerBoolConversionError", "<ipython-input-2-1a> in f(x)\n----> 3 if x>0:"), 6: []},
        ["JAX301"],
    ),
    "an editor's links and numbers of cells, and the exception of that time": (
        {
            2: [],
            3: raised("TypeError", f"/home/a/b.ipynb Cell 7' in <cell line: 1>()\n----> {LINK.format(1)} x[0] = 1\n"),
            4: [],
            5: raised(
                "ConcretizationTypeError",
                f"/home/a/b.ipynb Cell 8' in <cell line: 1>()\n----> {LINK.format(1)} f(1.0)\n",
                "    [... skipping hidden 14 frame]\n",
                f"/home/a/b.ipynb Cell 7' in f(x)\n----> {LINK.format(3)}     if x > 0:\n",
            ),
            6: [],
        },
        [],
    ),
    "another exception": ({2: [], 3: raised("NameError", "Cell In[2], line 1\n----> 1 x[0] = 1"), 4: []}, ALL),
    "another line": ({2: [], 3: raised("TypeError", "Cell In[2], line 2\n----> 2 x[1] = 1"), 4: []}, ALL),
    "a line of a library": ({2: [], 3: raised("TypeError", "File /lib/a.py:1, in f\n----> 1 x[0] = 1"), 4: []}, ALL),
    "nothing has run below": ({2: [], 3: raised("TypeError", "Cell In[2], line 1\n----> 1 x[0] = 1")}, ALL),
}


@pytest.mark.parametrize(("outputs", "expected"), SHOWN.values(), ids=SHOWN)
def test_an_exception_that_the_notebook_shows_is_only_possible(
    jaxlint: Jaxlint, write: Write, outputs: dict[int, list[dict[str, Any]]], expected: list[str]
) -> None:
    """Where it has come from, and its author has gone on below."""
    text = ran(notebook(SETUP + "\nx = jnp.ones(3)", "x[0] = 1", BRANCH, "f(1.0)", "x.sum()"), outputs)
    assert [code for _, _, code in found(jaxlint, write, text)] == expected
    assert [row["code"] for row in jaxlint("--certainty", "possible", "--output-format", "json").rows] == ALL


def test_a_removed_name_is_told_though_the_notebook_shows_it(jaxlint: Jaxlint, write: Write) -> None:
    failed = raised("AttributeError", "Cell In[2], line 1\n----> 1 jax.tree_map(f, x)")
    text = ran(notebook(SETUP, "jax.tree_map(f, x)", "1"), {2: [], 3: failed, 4: []})
    assert found(jaxlint, write, text) == [(3, 1, "JAX801")]


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("x is JitTracer<float32[]>\n", []),
        ("x is Traced<ShapedArray(float32[])>", []),
        ("x is 1\n", [(3, 3, "JAX101")]),
    ],
)
def test_a_tracer_that_the_notebook_shows_is_only_possible(
    jaxlint: Jaxlint, write: Write, printed: str, expected: list[tuple[int, int, str]]
) -> None:
    output = {"output_type": "stream", "name": "stdout", "text": [printed]}
    text = ran(notebook(SETUP, "@jax.jit\ndef f(x):\n    print('x is', x)\n    return x\nf(1.0)"), {2: [], 3: [output]})
    assert found(jaxlint, write, text) == expected


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([BRANCH, "# f(1.0)  # forbidden", "def f(x):\n    return x", "f(1.0)"], []),
        ([BRANCH[9:], "g = jax.jit(f)\n# g(1.0)", "g = jax.jit(f, static_argnums=0)", "g(1.0)"], []),
        ([BRANCH, "f(1.0)", "def f(x):\n    return x"], [(3, 3, "JAX201")]),
        ([BRANCH, "def g(x):\n    return f(x)", "def f(x):\n    return x"], [(3, 3, "JAX201")]),
        (["def g(x):\n    return f(x)", BRANCH, "g(1.0)", "def f(x):\n    return x"], [(4, 3, "JAX201")]),
        ([BRANCH, "def f(x, last=f(1.0)):\n    return x"], [(3, 3, "JAX201")]),
        ([BRANCH, "exec('f(1.0)')", "def f(x):\n    return x"], [(3, 3, "JAX201")]),
        ([BRANCH], [(3, 3, "JAX201")]),
    ],
)
def test_a_function_that_loses_its_name_before_it_is_read_is_not_judged(
    jaxlint: Jaxlint, write: Write, cells: list[str], expected: list[tuple[int, int, str]]
) -> None:
    assert found(jaxlint, write, notebook(SETUP, *cells)) == expected


TRACED = {"output_type": "stream", "name": "stdout", "text": ["x is Traced<ShapedArray(float32[])>"]}


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["def f(x):\n    print('x is', x)\n    return x", "g = jax.jit(f)", "g(1.0)"], []),
        (["seen = []\ndef f(x):\n    seen.append(x)\n    return x", "g = jax.jit(f)", "g(1.0)\nprint(seen)"], []),
        (
            ["def f(x):\n    print('x is', x)\n    return x\ny = jax.jit(f)(1.0)", "y", "1"],
            [(3, 2, "JAX101")],
        ),
    ],
    ids=["printed", "kept", "not named"],
)
def test_a_tracer_that_a_later_cell_shows_is_only_possible(
    jaxlint: Jaxlint, write: Write, cells: list[str], expected: list[tuple[int, int, str]]
) -> None:
    """Where that cell calls the function, also by the name that its jitted form has."""
    text = ran(notebook(SETUP, *cells), {2: [], 3: [], 4: [], 5: [TRACED]})
    assert found(jaxlint, write, text) == expected


def test_an_unfinished_cell_that_nobody_has_run_is_passed_over(jaxlint: Jaxlint, write: Write) -> None:
    text = notebook(SETUP, "def mask", "x = jnp.zeros(3)\nx[0] = 1")
    assert found(jaxlint, write, ran(text, {2: [], 4: []})) == [(4, 2, "JAX301")]
    assert found(jaxlint, write, ran(text, {2: [], 3: [], 4: []})) == [(3, 1, "JAX001")]
    assert found(jaxlint, write, ran(text, {2: []})) == [(3, 1, "JAX001")]


@pytest.mark.parametrize(
    "metadata", [{"language_info": {"name": "julia"}}, {"kernelspec": {"language": "R", "name": "ir"}}]
)
def test_notebooks_of_other_languages_are_passed_over(jaxlint: Jaxlint, write: Write, metadata: dict[str, Any]) -> None:
    write({"a.ipynb": notebook("using jax(", **metadata)})
    assert jaxlint().out == "All checks passed!\n"


def test_cells_of_other_languages_are_passed_over(jaxlint: Jaxlint, write: Write) -> None:
    content = json.loads(notebook(SETUP, "select jax from table"))
    content["cells"][2]["metadata"]["vscode"] = {"languageId": "sql"}
    assert found(jaxlint, write, json.dumps(content)) == []


def test_a_notebook_is_a_script_beside_the_modules(jaxlint: Jaxlint, write: Write) -> None:
    """It imports the program's modules, and none of them takes it for a module of its name."""
    helper = "import jax\n\ndef draw(key):\n    return jax.random.normal(key)\n"
    cells = [SETUP + "\nfrom train import draw", "key = jax.random.key(0)\na = draw(key)", "b = draw(key)"]
    write({"train.py": helper, "train.ipynb": notebook(*cells), "other.py": "from train import draw\n"})
    found = jaxlint("--output-format", "concise", "-q", "--certainty", "possible")
    assert found.out.startswith("train.ipynb:cell 4:1:5: JAX401")


def test_what_git_lfs_has_not_fetched_is_one_line(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.ipynb": "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 120531\n"})
    result = jaxlint("a.ipynb", "--output-format", "concise")
    assert result.code == 2
    assert "a pointer of Git LFS, not the notebook: `git lfs pull` fetches it" in result.out.splitlines()[0]


def test_an_older_format_is_one_line(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.ipynb": json.dumps({"nbformat": 3, "worksheets": [], "metadata": {"name": "jax"}})})
    outcome = jaxlint("--output-format", "concise", "-q")
    assert outcome.out == (
        "a.ipynb:1:1: JAX002 cannot read this file: "
        "a notebook of nbformat 3, only nbformat 4 is read: save it with Jupyter again\n"
    )
    assert outcome.code == 2


FORMS = {
    "as Jupyter writes it": lambda text: text,
    "without a last line end": lambda text: text.rstrip("\n"),
    "in one line": lambda text: json.dumps(json.loads(text), separators=(",", ":")),
    "with tabs": lambda text: json.dumps(json.loads(text), indent="\t"),
    "with Windows line ends": lambda text: text.replace("\n", "\r\n"),
    "with keys in another order": lambda text: json.dumps(json.loads(text), indent=2, sort_keys=True),
    "with text instead of lists": lambda text: json.dumps(
        {
            **json.loads(text),
            "cells": [{**cell, "source": "".join(cell["source"])} for cell in json.loads(text)["cells"]],
        }
    ),
    "with escapes": lambda text: text.replace("Title", "\\u0054itle \\ud83c\\udfb2 \\/").replace("é", "\\u00e9"),
    "with a byte order mark": lambda text: "\ufeff" + text,
    "with a key twice": lambda text: text.replace('"nbformat": 4', '"cells2": "\\"[{", "nbformat": 3, "nbformat": 4'),
}
"""Ways to write the same notebook."""


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_fixes_change_nothing_else(jaxlint: Jaxlint, write: Write, project: Path, form: Callable[[str], str]) -> None:
    cells = [SETUP, "x = jnp.zeros(3)  # é 🎲\nx[0] = 1  # 'é' \"q\" \\n\ny = x", "!ls é\nx[1] += 2"]
    before = form(notebook(*cells)).encode()
    after = before.replace(b"x[0] = 1", b"x = x.at[0].set(1)").replace(b"x[1] += 2", b"x = x.at[1].add(2)")
    (project / "a.ipynb").write_bytes(before)
    assert jaxlint("--fix", "--unsafe-fixes", "-q").out == ""
    assert (project / "a.ipynb").read_bytes() == after


def test_the_diff_is_by_cell(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.ipynb": notebook(SETUP, "x = jnp.zeros(3)\nx[0] = 1\n")})
    assert jaxlint("--diff", "--unsafe-fixes").out.splitlines() == [
        "--- a.ipynb:cell 3",
        "+++ a.ipynb:cell 3",
        "@@ -1,2 +1,2 @@",
        " x = jnp.zeros(3)",
        "-x[0] = 1",
        "+x = x.at[0].set(1)",
    ]


def test_standard_input_may_be_a_notebook(jaxlint: Jaxlint) -> None:
    text = notebook(SETUP, "x = jnp.zeros(3)\nx[0] = 1")
    outcome = jaxlint("-", "--stdin-filename", "a.ipynb", "--output-format", "concise", "-q", stdin=text.encode())
    assert outcome.out.startswith("a.ipynb:cell 3:2:1: JAX301")


def test_why_knows_cells(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.ipynb": notebook(SETUP, "key = jax.random.key(0)", "%%time\njax.random.normal(key)", "%%bash\nls")})
    told = jaxlint("why", "a.ipynb:cell 4:2").out
    assert told.startswith("a.ipynb:cell 4:2: jax.random.normal(key)\n")
    assert "  a.ipynb:cell 3:1: made here, from a constant seed\n" in told
    assert "it is no Python" in jaxlint("why", "a.ipynb:cell 5:2").out
    assert "the cell has 1 line" in jaxlint("why", "a.ipynb:cell 3:2").err
    assert "'a.ipynb:cell 3:2'" in jaxlint("why", "a.ipynb:2").err


def test_dynamic_mode_runs_the_cells_until_one_fails(jaxlint: Jaxlint, write: Write) -> None:
    write({"a.ipynb": notebook(SETUP, "x = jnp.zeros(3)\nx[0] = 1")})
    (row,) = jaxlint("a.ipynb", "--dynamic", "--no-cache", "--output-format", "json").rows
    assert (row["cell"], row["verdict"]["state"]) == (3, "confirmed")


def test_a_split_keeps_to_its_cell(jaxlint: Jaxlint, write: Write, project: Path) -> None:
    setup = "import jax\nkey = jax.random.key(0)"
    cells = ["x = jax.random.normal(key)\ny = jax.random.uniform(key)\nz = x @ y", "w = jax.random.normal(key, (3,))"]
    write({"a.ipynb": notebook(setup, *cells)})
    assert jaxlint("--fix", "--unsafe-fixes", "--certainty", "possible", "-q").out == ""
    fixed = ["".join(cell["source"]) for cell in json.loads((project / "a.ipynb").read_text())["cells"]]
    split = "key, x_key, y_key = jax.random.split(key, 3)\n"
    assert fixed[-2:] == [split + cells[0].replace("l(key", "l(x_key").replace("m(key", "m(y_key"), cells[1]]
